"""What happens next: events, the followed game, the position matcher. Pure throughout."""

from referee.codec import event_to_json
from referee.events import Event, GameEnded, Notice, PlayJudged, PositionSeen, ThrowJudged
from referee.evidence import Evidence, evidence_of
from referee.follow import advance, begin
from referee.matcher import Belief, Match, MatcherSettings, believe, match_play
from referee.states import End, FollowSettings, Look, Press, State, Transition

__all__ = [
    "Belief",
    "End",
    "Event",
    "Evidence",
    "FollowSettings",
    "GameEnded",
    "Look",
    "Match",
    "MatcherSettings",
    "Notice",
    "PlayJudged",
    "PositionSeen",
    "Press",
    "State",
    "ThrowJudged",
    "Transition",
    "advance",
    "begin",
    "believe",
    "event_to_json",
    "evidence_of",
    "match_play",
]
