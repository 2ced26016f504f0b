// Generated from Pipelines/scenarios/worst-case.yaml by ShippedScenarioTests; do not edit.

extension ShippedScenario {
  static let worstCase = Self(
    name: "worst-case",
    text: #"""
      scenario: worst-case
      description: Everything that can go wrong does.
      device: { profile: worst, resume_delay: { quiet_reset: 4 } }
      days: 30
      opening: 1m

      items: { count: 60, size: { median: 2 MB, p90: 10 MB } }
      disk: { free: 800 MB, write: 50 MB/s }

      conditions: { network: cellular, bandwidth: 300 kB/s, latency: 200ms, loss: 0.03, power: false, battery: 0.5 }

      timeline:
        - { from: "20:00", to: "07:30", network: wifi, bandwidth: 1 MB/s, latency: 60ms }
        - { from: "00:30", to: "06:00", power: true, battery: 1 }
        - { from: "14:00", to: "16:00", days: [sat, sun], low_power_mode: true, battery: 0.15 }
        - { at: "08:00", open: 1m, jitter: 30m, chance: 0.7 }
        - { at: "21:30", open: 4m, jitter: 1h, chance: 0.8 }
        - { at: "10:00", do: force_quit, days: [wed], jitter: 2h }
        - { day: 3, at: "03:00", do: reboot }
        - { day: 6, at: "04:00", do: update_app }

      random:
        - { every: 8h, do: system_kill }
        - { every: 2d, do: service_crash }
        - { every: 4d, do: lose_task }
        - { every: 5d, do: purge_files }
        - { every: 90m, for: { from: 10s, to: 15m }, network: none }

      server:
        latency: { median: 300ms, p90: 3s }
        lifetimes: { sign_in: 1h, allocate: 12h }
        faults:
          { server_error: 0.02, throttled: 0.02, lost_reply: 0.02, lost_request: 0.02, duplicate: 0.01, revoked: 0.05, stale_reads: 5s }
        clock_skew: 90s

      properties:
        - { name: all-arrive, eventually: "${{ items.completed == items.count }}" }
        - { name: nothing-is-lost, never: "${{ items.failed > 0 }}" }
        - { name: one-finalize, at_most_once: "${{ request.step == 'finalize' && response.committed && !request.duplicate }}" }

      """#)
}
