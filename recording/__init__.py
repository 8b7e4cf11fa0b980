"""Match files and records: reading, writing, exporting.

Databases, signatures and PDFs are loaded by the modules that use them (`record_open`, `keeper`,
`protocol_pdf`), so that reading a match file stays quick.
"""

from recording.mat import parse_mat, read_mat
from recording.mat_write import ExportError, write_mat
from recording.sgf import parse_sgf, read_sgf
from recording.sgf_write import write_sgf
from recording.transcript import Game, Match, Play, TranscriptError

__all__ = [
    "ExportError",
    "Game",
    "Match",
    "Play",
    "TranscriptError",
    "parse_mat",
    "parse_sgf",
    "read_mat",
    "read_sgf",
    "write_mat",
    "write_sgf",
]
