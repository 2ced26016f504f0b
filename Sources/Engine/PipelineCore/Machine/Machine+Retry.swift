/// Whether and when a failed attempt is repeated, according to its policy.
extension Machine {
}
