// Generated from Pipelines/scenarios/hotel-wifi.yaml by ShippedScenarioTests; do not edit.

extension ShippedScenario {
  static let hotelWifi = Self(
    name: "hotel-wifi",
    text: #"""
      scenario: hotel-wifi
      description: Wi-Fi that is slow, breaks off, and loses answers.
      device: ios17
      days: 7
      opening: 10m

      items: { count: 100, size: { from: 500 kB, to: 8 MB } }

      conditions: { network: wifi, bandwidth: 400 kB/s, latency: 250ms, loss: 0.05, power: true }

      timeline:
        - { from: "19:00", to: "23:00", bandwidth: 80 kB/s, latency: 900ms, loss: 0.1 }
        - { at: "08:00", open: 5m, jitter: 30m }
        - { at: "22:00", open: 15m, jitter: 30m }

      random:
        - { every: 20m, for: { median: 30s, p90: 5m }, network: none }
        - { every: 1d, do: service_crash }

      server:
        latency: { median: 200ms, p90: 1500ms }
        faults: { lost_reply: 0.02, lost_request: 0.02, server_error: 0.02, throttled: 0.01 }

      properties:
        - { name: all-arrive, eventually: "${{ items.completed == items.count }}" }
        - { name: nothing-is-lost, never: "${{ items.failed > 0 }}" }
        - { name: one-finalize, at_most_once: "${{ request.step == 'finalize' && response.committed }}" }

      """#)
}
