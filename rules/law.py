"""The laws a play can break, by the codes of the exchange format."""

from enum import StrEnum


class Law(StrEnum):
    """A law broken; the order is that in which they are named when several are."""

    MOVED_ENEMY_CHECKER = "moved_enemy_checker"
    BAR_FIRST = "bar_first"
    """Checkers on the bar enter before anything else moves (short)."""
    CLOSED_POINT = "closed_point"
    """A stop on a point the enemy holds."""
    HEAD = "head"
    """More checkers left the head than the turn allows."""
    BLOCK = "block"
    """Six points in a row where the set forbids it."""
    NOT_ALL_HOME = "not_all_home"
    """Borne off while a checker is still outside."""
    LOWER_POINT = "bear_off_lower_point"
    """Borne off from a point lower than the die with higher points still held."""
    DIE_NOT_PLAYED = "die_not_played"
    """Fewer dice played than could be."""
    LARGER_NUMBER = "larger_number"
    """One die could be played, and it had to be the larger."""
    LARGER_FIRST = "larger_first"
    """The larger number is played first in this set."""
    MOVED_BACKWARDS = "moved_backwards"
    TOO_MANY_MOVES = "too_many_moves"
    DIE_SPLIT = "die_split"
    """The number of one die shared between two checkers."""
    WRONG_DISTANCE = "wrong_distance"
