// Generated from Pipelines/scenarios/commuter.yaml by ShippedScenarioTests; do not edit.

extension ShippedScenario {
  static let commuter = Self(
    name: "commuter",
    text: #"""
      scenario: commuter
      description: Mobile data and dead spots on the way to work, Wi-Fi at home, a charger at night.
      device: ios17
      days: 14
      start: 2026-01-05T08:05:00Z              # a Monday, on the platform
      opening: 2m                              # a person begins the upload, and puts the phone away

      items: { count: 300, size: { median: 2 MB, p90: 6 MB } }

      conditions: { network: cellular, bandwidth: 1 MB/s, latency: 80ms, loss: 0.01, power: false, battery: 0.7 }

      timeline:
        - { from: "18:30", to: "08:00", network: wifi, bandwidth: 5 MB/s, latency: 20ms, loss: 0 }
        - { from: "23:00", to: "07:00", power: true, battery: 1 }
        - { at: "07:15", open: 1m, jitter: 15m }
        - { at: "08:10", open: 2m, jitter: 10m, chance: 0.8, days: [mon, tue, wed, thu, fri] }
        - { at: "17:45", open: 3m, jitter: 20m, days: [mon, tue, wed, thu, fri] }
        - { at: "21:00", open: 2m, jitter: 1h, chance: 0.9 }

      random:
        - { every: 3h, for: { from: 30s, to: 6m }, network: none }     # tunnels, cellars, lifts
        - { every: 12h, do: system_kill }

      server: { latency: { median: 120ms, p90: 400ms } }

      properties:
        - { name: all-arrive, eventually: "${{ items.completed == items.count }}", within: 7d }
        - { name: nothing-is-lost, never: "${{ items.failed > 0 }}" }
        - { name: small-disk, always: "${{ disk.used <= 512 * 1024 * 1024 }}" }

      """#)
}
