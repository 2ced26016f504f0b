extension Machine {
}
