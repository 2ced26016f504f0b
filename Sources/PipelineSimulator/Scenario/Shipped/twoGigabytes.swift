// Generated from Pipelines/scenarios/two-gigabytes.yaml by ShippedScenarioTests; do not edit.

extension ShippedScenario {
  static let twoGigabytes = Self(
    name: "two-gigabytes",
    text: #"""
      scenario: two-gigabytes
      description: 2 GB of free disk space, and sometimes hardly any.
      device: ios17
      days: 14
      opening: 5m

      items: { count: 150, size: { median: 12 MB, p90: 40 MB } }
      disk: { free: 2 GB, write: 100 MB/s }

      conditions: { network: wifi, bandwidth: 4 MB/s, latency: 30ms, power: false, battery: 0.8 }

      timeline:
        - { from: "19:00", to: "21:30", free: 60 MB }                 # films for the evening
        - { day: 2, at: "12:00", for: 6h, free: 0 }                   # a system update takes the rest
        - { from: "22:00", to: "07:00", power: true, battery: 1 }
        - { at: "08:00", open: 5m, jitter: 30m }
        - { at: "13:00", open: 5m, jitter: 30m }
        - { at: "20:00", open: 5m, jitter: 30m }

      random:
        - { every: 3d, do: purge_files }

      properties:
        - { name: all-arrive, eventually: "${{ items.completed == items.count }}" }
        - { name: disk-budget, always: "${{ disk.used <= 512 * 1024 * 1024 }}" }
        - { name: nothing-is-lost, never: "${{ items.failed > 0 }}" }

      """#)
}
