"""Match files and records: reading, writing, exporting."""

from recording.mat import parse_mat, read_mat
from recording.transcript import Game, Match, Play, TranscriptError

__all__ = [
    "Game",
    "Match",
    "Play",
    "TranscriptError",
    "parse_mat",
    "read_mat",
]
