"""Cameras, buttons, lamps and clocks behind narrow protocols."""
