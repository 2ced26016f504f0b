// Generated from Pipelines/scenarios/force-quitter.yaml by ShippedScenarioTests; do not edit.

extension ShippedScenario {
  static let forceQuitter = Self(
    name: "force-quitter",
    text: #"""
      scenario: force-quitter
      description: Every app is swiped away a few minutes after it was opened.
      device: ios17
      days: 14
      opening: 30s

      items: { count: 200, size: { median: 2 MB, p90: 5 MB } }

      conditions: { network: wifi, bandwidth: 1 MB/s, latency: 30ms, power: false, battery: 0.8 }

      timeline:
        - { after: 1m, do: force_quit }
        - { at: "08:30", open: 3m, jitter: 20m }
        - { at: "09:15", do: force_quit, jitter: 20m }
        - { at: "20:00", open: 4m, jitter: 1h, chance: 0.7 }
        - { at: "22:00", do: force_quit, jitter: 1h }
        - { from: "23:00", to: "07:00", power: true, battery: 1 }

      properties:
        - { name: all-arrive, eventually: "${{ items.completed == items.count }}" }
        - { name: nothing-is-lost, never: "${{ items.failed > 0 }}" }
        - { name: one-finalize, at_most_once: "${{ request.step == 'finalize' && response.committed }}" }

      """#)
}
