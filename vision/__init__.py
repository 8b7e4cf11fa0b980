"""Sight: frame in, observation out; facts with confidence, never verdicts."""
