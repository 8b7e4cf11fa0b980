"""How games and matches end: results, resignations, the cube, flags, the next game."""

from dataclasses import replace

from referee import timer
from referee.arbiter import clocks
from referee.arbiter.events import (
    Actor,
    Beavered,
    DoubleDropped,
    DoubleOffered,
    DoubleTaken,
    FlagAnswered,
    FlagFell,
    Forfeit,
    GameEnded,
    MatchClosed,
    MatchEnded,
    MatchOpened,
    NextGameStarted,
    ResignAnswered,
    ResignOffered,
    StartSeen,
)
from referee.arbiter.sentences import WINS, refuse, say
from referee.arbiter.setup import FlagLaw, MatchSetup
from referee.arbiter.states import (
    AwaitingThrow,
    DoubleAsked,
    Emit,
    FlagAsked,
    GameOver,
    MatchOver,
    MatchState,
    NotOpened,
    Ongoing,
    Opening,
    ResignAsked,
    SettingUp,
    Sign,
    Transition,
    ground_of,
)
from referee.arbiter.throwing import begin_turn
from rules import ActionError, Color, Position, Variant
from rules.cube import beaver, double, drop, may_double, take
from rules.outcome import (
    GameResult,
    How,
    MatchScore,
    Start,
    Win,
    first_start,
    next_start,
    win_points,
)
from rules.start import start_position


def opened(state: MatchState, event: MatchOpened) -> Transition:
    """Begin the match with its agreement."""
    if not isinstance(state.phase, NotOpened):
        return Transition(state, (refuse("not_now"),))
    setup = event.setup
    fresh = MatchState(
        phase=SettingUp(first_start(setup.variant)),
        setup=setup,
        variant=setup.variant,
        clock=timer.new_clock(setup.clock_settings(), event.at_ms),
        score=MatchScore(setup.length),
    )
    return Transition(fresh)


def start_seen(state: MatchState, event: StartSeen) -> Transition:
    """Begin the game once its start position stands."""
    phase = state.phase
    if not isinstance(phase, SettingUp):
        return Transition(state)
    wanted = start_position(state.variant)
    if event.position != wanted:
        if event.position == phase.seen:
            return Transition(state)
        what_ru, what_en = difference(event.position, wanted)
        seen = replace(state, phase=replace(phase, seen=event.position))
        return Transition(seen, (say("start_wrong", what_ru=what_ru, what_en=what_en),))
    if phase.start.color is None:
        return Transition(replace(state, phase=Opening(wanted)), (say("opening"),))
    turn = phase.start.color
    ready = replace(state, began=turn, clock=timer.ready(state.clock, turn))
    begun = begin_turn(ready, AwaitingThrow(turn, wanted))
    return Transition(begun, (say("begins", side=turn),))


def difference(seen: Position, wanted: Position) -> tuple[str, str]:
    """Say, in Russian and English, where two positions differ: seen against wanted."""
    ru, en = [], []
    places = [(point, f"{point}", f"{point}") for point in range(24, 0, -1)]
    for color, one_ru, one_en in (
        (Color.WHITE, "белых", "white"),
        (Color.BLACK, "чёрных", "black"),
    ):
        for point, place_ru, place_en in places:
            have, need = seen.count(color, point), wanted.count(color, point)
            if have != need:
                ru.append(f"на {place_ru} {one_ru} {have}, нужно {need}")
                en.append(f"{have} {one_en} on {place_en}, must be {need}")
        for have, need, place_ru, place_en in (
            (seen.bar(color), wanted.bar(color), "на баре", "on the bar"),
            (seen.off(color), wanted.off(color), "вне доски", "off the board"),
        ):
            if have != need:
                ru.append(f"{place_ru} {one_ru} {have}, нужно {need}")
                en.append(f"{have} {one_en} {place_en}, must be {need}")
    return "; ".join(ru), "; ".join(en)


def game_ended(state: MatchState, event: GameEnded) -> Transition:
    """Count a finished game."""
    if isinstance(state.phase, GameOver | MatchOver | NotOpened):
        return Transition(state)
    results = (*state.results, (event, state.swapped))
    state = replace(
        state,
        results=results,
        score=score_of(state.setup, state.variant, results, swapped=state.swapped),
        phase=GameOver(event),
        clock=timer.stop(state.clock, event.at_ms).clock,
    )
    if event.winner is None or event.win is None:
        text = say("game_drawn")
    else:
        win_ru, win_en = WINS[event.win]
        text = say(
            "game_won", side=event.winner, win_ru=win_ru, win_en=win_en, points=event.points
        )
    return Transition(state, (text, Sign("game"), *decided(state, event.at_ms)))


def decided(state: MatchState, at_ms: int) -> tuple[Emit, ...]:
    """Return the end of the match, if the score says so."""
    if state.score.winner is None:
        return ()
    score = state.score
    return (Emit(MatchEnded(at_ms, score.winner, score.white, score.black)),)


def score_of(
    setup: MatchSetup,
    variant: Variant,
    results: tuple[tuple[GameEnded, bool], ...],
    *,
    swapped: bool,
) -> MatchScore:
    """Add up finished games, by the colours of the game in hand."""
    score = MatchScore(setup.length)
    for game, other_colors in results:
        winner = game.winner
        if winner is not None and other_colors:
            winner = winner.other
        played = score.crawford_played or score.is_crawford(variant)
        score = replace(
            score,
            white=score.white + (game.points if winner is Color.WHITE else 0),
            black=score.black + (game.points if winner is Color.BLACK else 0),
            crawford_played=played,
        )
    return score.swapped() if swapped else score


def match_ended(state: MatchState, event: MatchEnded) -> Transition:
    """Close the match."""
    if isinstance(state.phase, NotOpened | MatchOver):
        return Transition(state)
    text = say("match_closed") if event.winner is None else say("match_won", side=event.winner)
    clock = timer.stop(state.clock, event.at_ms).clock
    over = replace(state, phase=MatchOver(event.winner), clock=clock)
    return Transition(over, (text, Sign("match")))


def match_closed(state: MatchState, event: MatchClosed) -> Transition:
    """Break a match off, or end a session."""
    if isinstance(state.phase, NotOpened | MatchOver):
        return Transition(state, (refuse("not_now"),))
    under_way = not isinstance(state.phase, GameOver | SettingUp)
    if under_way and not event.by.rules_the_table:
        return Transition(state, (refuse("referee_only"),))
    ended = MatchEnded(event.at_ms, state.score.winner, state.score.white, state.score.black)
    return Transition(state, (Emit(ended),))


def next_game(state: MatchState, event: NextGameStarted) -> Transition:
    """Set up the next game, the start as the rule set has it."""
    if not isinstance(state.phase, GameOver):
        return Transition(state, (refuse("not_now"),))
    last = state.phase.result
    result = GameResult(last.winner, last.win, last.points, last.how)
    start = next_start(state.variant, result)
    score, swapped = state.score, state.swapped
    said = []
    if start.colors_swap:
        score, swapped = score.swapped(), not swapped
    fresh = MatchState(
        phase=SettingUp(Start(start.color)),
        setup=state.setup,
        variant=state.variant,
        clock=timer.next_game(
            state.clock,
            event.at_ms,
            settings=state.setup.clock_settings(score.white + score.black)
            if state.setup.clock.each_game
            else None,
            colors_swap=start.colors_swap,
        ),
        score=score,
        game=state.game + 1,
        swapped=swapped,
        results=state.results,
    )
    if start.colors_swap:
        said.append(
            say("colors_swap", white=fresh.name(Color.WHITE), black=fresh.name(Color.BLACK))
        )
    return Transition(fresh, tuple(said))


# --- resignation -----------------------------------------------------------------------------


def resign_offered(state: MatchState, event: ResignOffered) -> Transition:
    """Take a resignation; for the dearest win there is it needs no answer."""
    phase = state.phase
    if not isinstance(phase, Ongoing):
        return Transition(state, (refuse("not_now"),))
    try:
        worth = win_points(event.win, state.variant)
    except ActionError:
        return Transition(state, (refuse("no_such_win", win=event.win.value),))
    asked = ResignAsked(event.side, event.win, phase)
    win_ru, win_en = WINS[event.win]
    state = clocks.hold(replace(state, phase=asked), event.at_ms)
    if worth >= dearest(ground_of(phase), event.side, state.variant):
        answer = ResignAnswered(event.at_ms, Actor.SYSTEM, accepted=True)
        text = say("resigned", side=event.side, win_ru=win_ru, win_en=win_en)
        return Transition(state, (text, Emit(answer)))
    return Transition(state, (say("resign", side=event.side, win_ru=win_ru, win_en=win_en),))


def dearest(position: Position, loser: Color, variant: Variant) -> int:
    """Return the most a side can still lose, without the cube."""
    if position.off(loser):
        return variant.points.oin
    kinds = (variant.points.mars, variant.points.koks, variant.points.home_mars)
    return max(points for points in kinds if points is not None)


def resign_answered(state: MatchState, event: ResignAnswered) -> Transition:
    """Accept a resignation or play on."""
    phase = state.phase
    if not isinstance(phase, ResignAsked):
        return Transition(state, (refuse("not_now"),))
    if event.by is Actor.of(phase.side) and event.accepted:
        return Transition(state, (refuse("not_yours"),))
    if not event.accepted:
        back = clocks.go_on(replace(state, phase=phase.under), event.at_ms)
        return Transition(back, (say("resign_declined"),))
    money = state.score.length is None
    win = phase.win
    if money and state.variant.jacoby and not state.cube.turned:
        win = Win.OIN
    points = win_points(win, state.variant) * state.cube.value
    ended = GameEnded(
        event.at_ms, state.game, phase.side.other, win, points, How.RESIGNED, state.cube.value
    )
    return Transition(state, (Emit(ended),))


# --- the cube --------------------------------------------------------------------------------


def double_offered(state: MatchState, event: DoubleOffered) -> Transition:
    """Take a double before the throw."""
    phase = state.phase
    if not isinstance(phase, AwaitingThrow) or phase.turn is not event.side:
        return Transition(state, (refuse("not_now"),))
    refused = _why_no_double(state, event.side)
    if refused is not None:
        return Transition(state, (refuse(refused),))
    cube = double(state.cube, event.side, state.variant, state.score)
    asked = DoubleAsked(replace(phase, last=None))
    state = clocks.hand_to(
        replace(state, cube=cube, phase=asked), event.side.other, event.at_ms
    )
    return Transition(state, (say("double", side=event.side, value=cube.value * 2),))


def _why_no_double(state: MatchState, side: Color) -> str | None:
    """Return the code of the sentence why a side may not double, None if it may."""
    if may_double(state.cube, side, state.variant, state.score) is None:
        return None
    if not state.variant.cube:
        return "no_cube"
    if state.cube.owner is side.other:
        return "cube_not_yours"
    if state.score.is_crawford(state.variant):
        return "crawford"
    return "cube_ends"


def double_answered(
    state: MatchState, event: DoubleTaken | DoubleDropped | Beavered
) -> Transition:
    """Take, drop or beaver."""
    phase = state.phase
    if not isinstance(phase, DoubleAsked):
        return Transition(state, (refuse("not_now"),))
    if state.cube.offered_by is event.side:
        return Transition(state, (refuse("not_yours"),))
    try:
        match event:
            case DoubleTaken():
                cube = take(state.cube, event.side)
            case Beavered():
                cube = beaver(state.cube, event.side, state.variant, state.score)
            case DoubleDropped():
                lost = drop(state.cube, event.side)
                ended = GameEnded(
                    event.at_ms, state.game, lost.winner, lost.win, lost.points, lost.how,
                    lost.points,
                )  # fmt: skip
                return Transition(state, (Emit(ended),))
    except ActionError:
        # The offer stands and this side answers it: only a beaver can be out of place.
        return Transition(state, (refuse("no_beaver"),))
    if isinstance(event, Beavered):
        state = clocks.hand_to(replace(state, cube=cube), event.side.other, event.at_ms)
        return Transition(state, (say("double", side=event.side, value=cube.value),))
    state = replace(state, cube=cube, phase=phase.awaiting)
    if state.turns:
        state = replace(state, turns=(*state.turns[:-1], replace(state.turns[-1], cube=cube)))
    state = clocks.hand_to(state, phase.awaiting.turn, event.at_ms)
    return Transition(state, (say("take", side=event.side, value=cube.value),))


# --- time ------------------------------------------------------------------------------------


def flag_fell(state: MatchState, event: FlagFell) -> Transition:
    """Go on by what a fallen flag costs in this match."""
    phase = state.phase
    if not isinstance(phase, Ongoing):
        return Transition(state)
    state = replace(state, clock=timer.settled(state.clock, event.at_ms))
    text = say("flag", side=event.side)
    match state.setup.flag:
        case FlagLaw.NOTHING:
            return Transition(state, (text,))
        case FlagLaw.ASK:
            asked = replace(state, phase=FlagAsked(event.side, phase))
            return Transition(asked, (text,))
        case FlagLaw.GAME:
            return Transition(state, (text, Emit(_lost_on_time(state, event))))
        case FlagLaw.MATCH:
            return Transition(state, (text, Emit(_match_lost(state, event))))


def flag_answered(state: MatchState, event: FlagAnswered) -> Transition:
    """Say what a fallen flag costs."""
    phase = state.phase
    if not isinstance(phase, FlagAsked):
        return Transition(state, (refuse("not_now"),))
    if not event.by.rules_the_table:
        return Transition(state, (refuse("referee_only"),))
    fell = FlagFell(event.at_ms, phase.side)
    match event.forfeit:
        case Forfeit.NOTHING:
            return Transition(replace(state, phase=phase.under), (say("resumed"),))
        case Forfeit.GAME:
            return Transition(state, (Emit(_lost_on_time(state, fell)),))
        case Forfeit.MATCH:
            return Transition(state, (Emit(_match_lost(state, fell)),))


def _lost_on_time(state: MatchState, fell: FlagFell) -> GameEnded:
    points = win_points(Win.OIN, state.variant) * state.cube.value
    return GameEnded(
        fell.at_ms, state.game, fell.side.other, Win.OIN, points, How.TIME, state.cube.value
    )


def _match_lost(state: MatchState, fell: FlagFell) -> MatchEnded:
    return MatchEnded(fell.at_ms, fell.side.other, state.score.white, state.score.black)
