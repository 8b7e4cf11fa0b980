"""Commands, configuration and wiring."""
