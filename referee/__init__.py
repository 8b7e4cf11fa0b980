"""What happens next: events, the turn's state machine, the position matcher."""
