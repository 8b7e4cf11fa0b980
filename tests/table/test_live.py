import ast
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from rules import (
    Color,
    Position,
    Roll,
    Turn,
    Variant,
    Verdict,
    judge_play,
    legal_turns,
    variant_named,
)
from table import camera as table_camera
from table.cues import (
    AcceptOrDemand,
    Accepts,
    AnswerFlag,
    AnswerOpening,
    AnswerPosition,
    AnswerPremature,
    AnswerResignation,
    AnswerThrow,
    Demands,
    Happening,
    Play,
    PutRight,
    Resigns,
    Said,
    SaysDie,
    SaysFlag,
    SaysPosition,
    SaysPremature,
    SaysResignation,
    SaysThrow,
    SetUpStart,
    TakeDice,
    Throw,
    ThrowOne,
    Wait,
)
from table.die import DiePose
from table.fouls import FOULS
from table.incidents import INCIDENTS, VOIDS, Incident, IncidentPlan, plan_named
from table.live import LiveTable
from table.live_truth import standing
from table.mishaps import clear_way
from table.players import Player
from table.reel import Reel
from table.scene import Die
from table.script import FilmSettings, Press, Shot
from table.sequence import TableSetup
from table.truth_log import TrueDice, TrueFlag, TruePlay, TrueStart
from table.world import put_down, set_up
from tests.support.live import game, last_play, last_throw

W, B = Color.WHITE, Color.BLACK
BOARD = TableSetup().board()
RULES = "bolshie-nardy"
ANSWERS_ONLY = IncidentPlan(by_button=0.0)


def live(rules: str = RULES, seed: int = 1, plan: IncidentPlan | None = None) -> LiveTable:
    return LiveTable(BOARD, variant_named(rules), seed, incidents=plan)


def started(
    rules: str = RULES,
    seed: int = 1,
    plan: IncidentPlan | None = None,
    *,
    buttons: bool = True,
    players: Player | None = None,
) -> LiveTable:
    table = LiveTable(
        BOARD,
        variant_named(rules),
        seed,
        incidents=plan,
        players=None if players is None else dict.fromkeys(Color, players),
        buttons=buttons,
    )
    list(table.act(SetUpStart()))
    return table


def shots(happened: list[Happening]) -> list[Shot]:
    return [one for one in happened if isinstance(one, Shot)]


def forced(*kinds: Incident) -> IncidentPlan:
    return IncidentPlan(by_button=0.0).forcing(*((1, kind) for kind in kinds))


@pytest.mark.parametrize("rules", ["bolshie-nardy", "federation", "short"])
def test_every_legal_play_of_a_game_is_legal_and_every_wrong_one_is_not(rules: str) -> None:
    table, variant = live(rules, 7, plan_named("many")), variant_named(rules)
    times = [one.at_s for _, one in game(table, variant, 25)]
    assert all(a <= b for a, b in pairwise(times))
    for play in table.truth.plays:
        judged = judge_play(play.before, play.side, play.roll, play.after, variant)
        assert (judged.verdict is Verdict.LEGAL) == (play.foul is None)
    assert len(table.truth.plays) >= 25


def test_no_checker_is_lost_in_a_whole_game() -> None:
    table, variant = live("short", 2, plan_named("many")), variant_named("short")
    for _, one in game(table, variant, 400):
        if isinstance(one, Shot) and one.name != "setting_up" and table.truth.entries:
            assert len(one.scene.discs) + len(one.scene.carried) == 30
    assert 15 in (table.position.off(W), table.position.off(B))


def test_the_same_seed_acts_out_the_same_game() -> None:
    variant = variant_named(RULES)
    runs = [list(game(live(RULES, 4, plan_named("many")), variant, 6)) for _ in range(2)]
    assert runs[0] == runs[1]
    assert runs[0] != list(game(live(RULES, 5, plan_named("many")), variant, 6))


def test_five_frames_a_second_are_taken() -> None:
    table = started()
    times = [one.at_s for one in shots([*table.act(Throw(W)), *table.act(Wait(10))])]
    assert max(b - a for a, b in pairwise(times)) <= 0.4
    assert times[-1] - times[-10] == pytest.approx(1.8)


def test_fewer_frames_are_taken_where_only_the_main_ones_are_wanted() -> None:
    def taken(dense: bool) -> int:
        table = LiveTable(BOARD, variant_named(RULES), 1, FilmSettings(dense=dense))
        return sum(isinstance(one, Shot) for _, one in game(table, variant_named(RULES), 3))

    assert taken(dense=False) < 0.7 * taken(dense=True)


def test_the_start_position_is_put_up_by_hand() -> None:
    table = live()
    happened = shots(list(table.act(SetUpStart())))
    assert happened[0].scene.discs == ()
    assert any(one.scene.hand for one in happened)
    assert happened[-1].scene.hand is None
    assert standing(BOARD, happened[-1].scene.discs) == table.position
    assert isinstance(table.truth.entries[0], TrueStart)


def test_a_second_game_begins_from_the_start_position_again() -> None:
    table = started()
    list(table.act(Play(W, Roll(6, 5), table.position)))
    list(table.act(SetUpStart()))
    assert table.position == started(seed=3).position


def test_each_side_throws_one_die_and_says_what_it_shows() -> None:
    table = started()
    last = shots([*table.act(ThrowOne(W)), *table.act(ThrowOne(B))])[-1]
    assert [die.where for die in last.scene.dice] == ["right", "left"]
    said = [list(table.act(AnswerOpening(side)))[-1] for side in (W, B)]
    values = [die.pose.value for die in last.scene.dice]
    assert [one.word for one in said if isinstance(one, Said)] == [
        SaysDie(value) for value in values
    ]


def test_dice_lie_where_they_lie_until_the_next_throw() -> None:
    table = started()
    thrown = shots(list(table.act(Throw(W))))[-1].scene.dice
    roll = Roll(*last_throw(table).values)
    after = shots(list(table.act(Play(W, roll, table.position))))[-1].scene.dice
    assert after == thrown
    taken = shots(list(table.act(Throw(B))))
    assert taken[0].name == "dice_taken"


def test_a_play_ends_with_a_press_of_its_side() -> None:
    table = started()
    happened = list(table.act(Play(B, Roll(6, 5), table.position)))
    assert isinstance(happened[-1], Press)
    assert happened[-1].side == "b"


def test_without_buttons_a_play_ends_with_the_dice_taken_up() -> None:
    table = started(buttons=False)
    list(table.act(Throw(W)))
    happened = list(table.act(Play(W, Roll(*last_throw(table).values), table.position)))
    assert not any(isinstance(one, Press) for one in happened)
    assert shots(happened)[-1].name == "dice_taken"
    assert shots(list(table.act(Wait())))[-1].scene.dice == ()


@pytest.mark.parametrize("kind", VOIDS)
def test_a_throw_fails_as_it_was_told_to_and_the_next_one_counts(kind: Incident) -> None:
    # Only where a half is prescribed can the other one be wrong.
    rules = f"{RULES}+half=players_right" if kind == "wrong_half" else RULES
    table = started(rules, plan=forced(kind))
    list(table.act(Throw(W)))
    assert last_throw(table).kind == kind
    assert last_throw(table).counts is False
    (said,) = [one for one in table.act(AnswerThrow(W)) if isinstance(one, Said)]
    assert said.word == SaysThrow(None)
    list(table.act(Throw(W)))
    assert (last_throw(table).kind, last_throw(table).counts) == (None, True)
    assert [one.what for one in table.truth.incidents] == [kind]


@pytest.mark.parametrize("kind", [one for one in FOULS if one != "larger_number"])
def test_a_wrong_play_is_made_as_soon_as_it_can_be(kind: Incident) -> None:
    rules = "short" if kind == "bar_first" else RULES
    table = live(rules, 4, forced(kind))
    for _ in game(table, variant_named(rules), 90):
        if any(play.foul for play in table.truth.plays):
            break
    fouls = [play.foul for play in table.truth.plays if play.foul]
    assert fouls == [kind]


@pytest.mark.parametrize("by_button", [0.0, 1.0])
@pytest.mark.parametrize("accept", [0.0, 1.0])
def test_a_wrong_play_is_accepted_or_demanded_back(accept: float, by_button: float) -> None:
    plan = IncidentPlan(accept=accept, by_button=by_button)
    table = started(plan=plan.forcing((1, "nudged_checker")))
    start = table.position
    list(table.act(Play(W, Roll(6, 5), start)))
    assert last_play(table).foul == "nudged_checker"
    happened = list(table.act(AcceptOrDemand(B)))
    (answer,) = [one for one in happened if not isinstance(one, Shot)]
    if by_button:
        assert isinstance(answer, Press)
        assert answer.side == ("b" if accept else "w")
    else:
        assert isinstance(answer, Said)
        assert answer.word == (Accepts() if accept else Demands())
    assert answer.at_s - last_play(table).at_s > 1.0


@pytest.mark.parametrize("kind", ["moved_enemy", "too_many_moves", "unfinished"])
def test_a_play_is_taken_back_checker_by_checker_and_played_right(kind: Incident) -> None:
    table = started(plan=forced(kind))
    start, roll = table.position, Roll(6, 5)
    list(table.act(Play(W, roll, start)))
    happened = list(table.act(PutRight(W, roll, start)))
    right = last_play(table)
    assert (right.before, right.put_right, right.foul) == (start, True, None)
    assert table.position == right.after
    assert isinstance(happened[-1], Press)


def test_a_hit_is_taken_back_too() -> None:
    table = started("short", players=Hitter())
    list(table.act(Play(W, Roll(6, 5), table.position)))
    before = table.position
    list(table.act(Play(B, Roll(6, 5), before)))
    assert table.position.bar(W) >= 1
    list(table.act(PutRight(B, Roll(6, 5), before)))
    assert last_play(table).before == before


class Hitter:
    """Leaves blots and hits them."""

    def choose(
        self, position: Position, color: Color, roll: Roll, variant: Variant, rng: Random
    ) -> Turn:
        turns = legal_turns(position, color, roll, variant)
        return max(turns, key=lambda turn: (turn.result.bar(color.other), blots(turn, color)))


def blots(turn: Turn, color: Color) -> int:
    held = turn.result.occupied()
    return sum(owner is color and count == 1 and point > 18 for point, owner, count in held)


def test_people_say_what_truly_stands_and_lies_there() -> None:
    table = started(plan=forced("nudged_checker"))
    list(table.act(Throw(W)))
    roll = Roll(*last_throw(table).values)
    assert said(table, AnswerThrow(B)) == SaysThrow(roll)
    list(table.act(Play(W, roll, table.position)))
    assert said(table, AnswerPosition(B)) == SaysPosition(table.position)


def said(
    table: LiveTable, cue: AnswerThrow | AnswerPosition | AnswerPremature | AnswerFlag
) -> object:
    (one,) = [one for one in table.act(cue) if isinstance(one, Said)]
    return one.word


@pytest.mark.parametrize(
    ("kind", "how"), [("knocked_dice", "knocked"), ("turned_die", "turned")]
)
def test_dice_disturbed_after_they_rested_were_thrown_all_the_same(
    kind: Incident, how: str
) -> None:
    table = started(plan=forced(kind))
    before = shots(list(table.act(Throw(W))))[-1].scene.dice
    roll = Roll(*last_throw(table).values)
    after = shots(list(table.act(Play(W, roll, table.position))))[-1].scene.dice
    assert after != before
    told = [one for one in table.truth.entries if isinstance(one, TrueDice)]
    assert [one.how for one in told] == [how]
    assert told[0].values == tuple(die.pose.value for die in after)
    assert said(table, AnswerThrow(B)) == SaysThrow(roll)


def test_a_premature_throw_is_made_before_the_press() -> None:
    table = started(plan=forced("premature_throw"))
    list(table.act(Throw(W)))
    happened = list(table.act(Play(W, Roll(*last_throw(table).values), table.position)))
    early = last_throw(table)
    assert (early.side, early.premature) == (B, True)
    (press,) = [one for one in happened if isinstance(one, Press)]
    assert early.at_s < press.at_s
    assert said(table, AnswerPremature(W)) in (SaysPremature(True), SaysPremature(False))


def test_a_hand_left_on_the_board_is_there_before_and_after_the_press() -> None:
    table = started(plan=forced("hand_left"))
    happened = list(table.act(Play(W, Roll(6, 5), table.position)))
    at = next(n for n, one in enumerate(happened) if isinstance(one, Press))
    left = shots(happened[at:])
    assert len(left) >= 8
    assert all(one.scene.hand for one in left)
    assert shots(list(table.act(Wait())))[0].scene.hand is None


def test_a_knock_moves_the_camera_for_good() -> None:
    table = started(plan=forced("nudged_board"))
    list(table.act(Throw(W)))
    x, y = shots(list(table.act(Wait())))[0].scene.camera.shift_px
    assert 4 <= (x**2 + y**2) ** 0.5 <= 14


def test_the_light_changes() -> None:
    table = started(plan=forced("light_change"))
    before = shots(list(table.act(Wait())))[0].scene
    list(table.act(Throw(W)))
    after = shots(list(table.act(Wait())))[0].scene
    assert abs(after.exposure - before.exposure) > 0.03
    assert after.light.kelvin != before.light.kelvin


def test_a_player_dozes_until_the_flag_falls_and_then_plays() -> None:
    table = started(plan=forced("flag_fall"))
    list(table.act(Throw(W)))
    roll, before = Roll(*last_throw(table).values), table.position
    began_s = table.now_s
    dozing = list(table.act(Play(W, roll, before, flag_s=40.0)))
    (fell,) = [one for one in table.truth.entries if isinstance(one, TrueFlag)]
    assert fell.side is W
    assert fell.at_s == pytest.approx(began_s + 40.0)
    assert not any(isinstance(one, Press) for one in dozing)
    times = [one.at_s for one in shots(dozing)]
    assert times[-1] > fell.at_s
    assert max(b - a for a, b in pairwise(times)) <= 2.0
    assert table.position == before
    assert said(table, AnswerFlag(W)) in (SaysFlag("game"), SaysFlag("nothing"))
    list(table.act(Play(W, roll, before, flag_s=None)))
    assert last_play(table).before == before


@pytest.mark.parametrize("flag_s", [None, 600.0])
def test_nobody_dozes_without_a_clock_or_for_ten_minutes(flag_s: float | None) -> None:
    table = started(plan=forced("flag_fall"))
    list(table.act(Play(W, Roll(6, 5), table.position, flag_s)))
    assert last_play(table).roll == Roll(6, 5)
    assert not table.truth.incidents


def test_what_was_played_is_not_played_again_when_it_is_asked_for_once_more() -> None:
    table = started(plan=forced("unfinished"))
    list(table.act(Throw(W)))
    roll, before = Roll(*last_throw(table).values), table.position
    for cue in (Play(W, roll, before), PutRight(W, roll, before)):
        list(table.act(cue))
        stood = table.position
        happened = list(table.act(cue))
        assert table.position == stood
        assert isinstance(happened[-1], Press)


def test_a_player_resigns_once_and_throws_if_it_is_refused() -> None:
    table = started(plan=forced("resignation"))
    happened = list(table.act(Throw(W)))
    (word,) = [one.word for one in happened if isinstance(one, Said)]
    assert isinstance(word, Resigns)
    answer = [one for one in table.act(AnswerResignation(B)) if isinstance(one, Said)]
    assert isinstance(answer[0].word, SaysResignation)
    list(table.act(Throw(W)))
    assert last_throw(table).side is W


def test_a_die_in_the_way_of_a_checker_is_pushed_aside() -> None:
    reel = Reel(BOARD, 1, FilmSettings())
    reel.discs = set_up(BOARD, started().position.to_json(), reel.rng)
    placed = put_down(BOARD, reel.discs, "w", 18, reel.rng)[-1]
    lying = [
        Die(DiePose(value, x, y), where="right")
        for value, x, y in ((4, placed.x_mm + 9.0, placed.y_mm + 6.0), (2, 300.0, 210.0))
    ]
    reel.dice = (lying[0], lying[1])
    assert [one.name for one in clear_way(reel, "w", 24, 18)] == ["dice_moved", "dice_moved"]
    assert reel.dice[1] is lying[1]
    pose = reel.dice[0].pose
    assert pose.value == 4
    assert (pose.x_mm - placed.x_mm) ** 2 + (pose.y_mm - placed.y_mm) ** 2 > 27.0**2
    assert list(clear_way(reel, "w", 24, 18)) == []


def test_dice_can_be_taken_up_at_any_time() -> None:
    table = started()
    list(table.act(Throw(W)))
    list(table.act(TakeDice(B)))
    assert shots(list(table.act(Wait())))[0].scene.dice == ()


def test_every_incident_is_drawn_by_the_plan_of_many() -> None:
    assert {what for what, _ in plan_named("many").rates} == set(INCIDENTS)


def test_what_is_shown_carries_no_truth() -> None:
    # A reader is handed frames; the log must not be reachable from what the camera imports.
    source = Path(str(table_camera.__file__))
    tree = ast.parse(source.read_text(encoding="utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not imported & {"table.truth_log", "table.live", "table.live_truth"}


def test_a_play_put_right_is_told_apart_from_the_first() -> None:
    table = started(plan=forced("unfinished"))
    start = table.position
    list(table.act(Play(W, Roll(6, 5), start)))
    list(table.act(PutRight(W, Roll(6, 5), start)))
    told = [one.put_right for one in table.truth.entries if isinstance(one, TruePlay)]
    assert told == [False, True]
