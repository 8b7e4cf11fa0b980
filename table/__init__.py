"""The simulated table: a rendered board with known truth."""
