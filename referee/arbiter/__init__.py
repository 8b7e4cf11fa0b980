"""The arbiter: a pure state machine over everything that falls at a table."""

from referee.arbiter.codec import EntryError, from_entry, to_entry
from referee.arbiter.events import Actor, Event, Forfeit
from referee.arbiter.machine import Settled, advance, replayed, settle
from referee.arbiter.questions import Lamp, Question, lamp_of, question_of, watch_of
from referee.arbiter.setup import FlagLaw, MatchSetup, PrematureLaw, Role
from referee.arbiter.states import MatchState, Transition

__all__ = [
    "Actor",
    "EntryError",
    "Event",
    "FlagLaw",
    "Forfeit",
    "Lamp",
    "MatchSetup",
    "MatchState",
    "PrematureLaw",
    "Question",
    "Role",
    "Settled",
    "Transition",
    "advance",
    "from_entry",
    "lamp_of",
    "question_of",
    "replayed",
    "settle",
    "to_entry",
    "watch_of",
]
