// Generated from Pipelines/scenarios/charger-at-night.yaml by ShippedScenarioTests; do not edit.

extension ShippedScenario {
  static let chargerAtNight = Self(
    name: "charger-at-night",
    text: #"""
      scenario: charger-at-night
      description: Nothing but the nights on the charger carries an upload that was begun once.
      device: ios17
      days: 10
      start: 2026-01-05T17:00:00Z
      opening: 1m

      items: { count: 200, size: 3 MB }

      conditions: { network: wifi, bandwidth: 3 MB/s, latency: 25ms, power: false, battery: 0.6 }

      timeline:
        - { from: "08:00", to: "18:00", network: cellular, bandwidth: 500 kB/s, latency: 90ms }
        - { from: "23:30", to: "06:30", power: true, battery: 1 }
        - { at: "12:30", open: 30s, jitter: 30m, chance: 0.5 }

      properties:
        - { name: all-arrive, eventually: "${{ items.completed == items.count }}" }
        - { name: nothing-is-lost, never: "${{ items.failed > 0 }}" }

      """#)
}
