from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recording.mat import parse_mat
from recording.position_ids import (
    ids_of,
    match_id,
    position_from_id,
    position_id,
    standing_from_id,
)
from recording.standing import IdError, Standing
from recording.xgid import from_xgid, xgid
from rules import CHECKERS, Color, Position, Roll
from tests.recording import samples

START_ID = "4HPwATDgc/ABMA"
START_XGID = "XGID=-b----E-C---eE---c-e----B-"
colors = st.sampled_from(Color)
rolls = st.none() | st.builds(Roll, st.integers(1, 6), st.integers(1, 6))


@st.composite
def positions(draw: st.DrawFn) -> Position:
    order = draw(st.permutations(range(1, 25)))
    places = {Color.WHITE: order[:12], Color.BLACK: order[12:]}
    counts, off, bar = {}, [], []
    for color in Color:
        left, counts[color] = CHECKERS, dict[int, int]()
        for point in places[color]:
            counts[color][point] = draw(st.integers(0, min(left, 6)))
            left -= counts[color][point]
        bar.append(draw(st.integers(0, left)))
        off.append(left - bar[-1])
    return Position.of(
        counts[Color.WHITE],
        counts[Color.BLACK],
        off=(off[0], off[1]),
        bar=(bar[0], bar[1]),
    )


@st.composite
def standings(draw: st.DrawFn) -> Standing:
    on_roll = draw(colors)
    doubled = draw(st.booleans())
    length = draw(st.integers(0, 64))
    scores = st.integers(0, max(length - 1, 0)) if length else st.integers(0, 200)
    return Standing(
        on_roll,
        on_roll.other if doubled else on_roll,
        cube=2 ** draw(st.integers(0, 10)),
        owner=draw(st.none() | colors),
        roll=None if doubled else draw(rolls),
        doubled=doubled,
        length=length,
        score=(draw(scores), draw(scores)),
        crawford=bool(length) and draw(st.booleans()),
        jacoby=not length and draw(st.booleans()),
    )


def larger_first(standing: Standing) -> Standing:
    roll = standing.roll
    return replace(standing, roll=roll and Roll(roll.larger, roll.smaller))


def test_the_start_has_its_well_known_names() -> None:
    for color in Color:
        assert position_id(samples.START, color) == START_ID
    assert (
        xgid(samples.START, Standing(Color.WHITE, Color.WHITE))
        == f"{START_XGID}:0:0:1:00:0:0:0:0:10"
    )


def test_a_cube_owned_score_and_crawford_have_their_fields() -> None:
    # Checked with GNU Backgammon 1.07, which gives the same Match IDs: see test_gnubg.
    owned = Standing(
        Color.WHITE,
        Color.WHITE,
        cube=2,
        owner=Color.WHITE,
        roll=Roll(3, 1),
        length=5,
        score=(3, 2),
    )
    assert xgid(samples.START, owned) == f"{START_XGID}:1:1:1:31:3:2:0:5:10"
    assert match_id(owned) == "AYGlADAAEAAE"
    crawford = Standing(
        Color.BLACK, Color.BLACK, length=5, score=(3, 4), crawford=True, roll=Roll(6, 5)
    )
    assert xgid(samples.START, crawford) == f"{START_XGID}:0:0:-1:65:3:4:1:5:10"
    assert standing_from_id(match_id(crawford)) == crawford
    taken = replace(owned, owner=Color.BLACK, cube=4)
    assert from_xgid(xgid(samples.START, taken)) == (samples.START, taken)


def test_a_double_offered_is_the_doubler_s_turn_in_xgid() -> None:
    offered = Standing(Color.BLACK, Color.WHITE, doubled=True, length=7)
    assert xgid(samples.START, offered) == f"{START_XGID}:0:0:-1:D:0:0:0:7:10"
    assert from_xgid(xgid(samples.START, offered))[1] == offered
    assert match_id(offered) == "cBHgAAAAAAAE"


@given(positions(), colors)
def test_position_ids_come_back(position: Position, color: Color) -> None:
    name = position_id(position, color)
    assert len(name) == 14
    assert position_from_id(name, color) == position


@given(standings())
def test_match_ids_come_back_with_the_larger_die_first(standing: Standing) -> None:
    name = match_id(standing)
    assert len(name) == 12
    assert standing_from_id(name) == larger_first(standing)


@given(positions(), standings())
def test_xgids_come_back(position: Position, standing: Standing) -> None:
    assert from_xgid(xgid(position, standing)) == (position, standing)


@pytest.mark.parametrize(
    "text",
    ["", "4HPwATDgc/ABM", "4HPwATDgc/ABMA==A", "!HPwATDgc/ABMA", "//////////////", "Ж" * 14],
)
def test_what_is_no_position_id_is_refused(text: str) -> None:
    with pytest.raises(IdError):
        position_from_id(text, Color.WHITE)


@pytest.mark.parametrize(
    "text", ["", "cAlAAAAAAAA", "////////////", "IAAAAAAAAAAA", "AIAAAAAAAAAA"]
)
def test_what_is_no_match_id_is_refused(text: str) -> None:
    with pytest.raises(IdError):
        standing_from_id(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        START_XGID,
        f"{START_XGID}:0:0:1:00:0:0:0:0",
        f"{START_XGID}:0:0:2:00:0:0:0:0:10",
        f"{START_XGID}:0:3:1:00:0:0:0:0:10",
        f"{START_XGID}:99:0:1:00:0:0:0:0:10",
        f"{START_XGID}:0:0:1:71:0:0:0:0:10",
        f"{START_XGID}:0:0:1:6:0:0:0:0:10",
        f"{START_XGID}:x:0:1:00:0:0:0:0:10",
        f"{START_XGID.replace('e', 'z')}:0:0:1:00:0:0:0:0:10",
        f"{START_XGID.replace('e', 'o')}:0:0:1:00:0:0:0:0:10",
        f"{START_XGID.replace('b', 'é')}:0:0:1:00:0:0:0:0:10",
    ],
)
def test_what_is_no_xgid_is_refused(text: str) -> None:
    with pytest.raises(IdError):
        from_xgid(text)


@given(st.text("ABCabc-:0123456789D=XGI", max_size=60))
def test_no_text_breaks_the_readers(text: str) -> None:
    for read in (from_xgid, standing_from_id, lambda name: position_from_id(name, Color.WHITE)):
        with suppress(IdError):
            read(text)


def test_a_cube_or_a_score_beyond_the_names_is_refused() -> None:
    with pytest.raises(IdError, match="no cube"):
        match_id(Standing(Color.WHITE, Color.WHITE, cube=3))
    with pytest.raises(IdError, match="no room"):
        match_id(Standing(Color.WHITE, Color.WHITE, score=(40000, 0)))


def test_every_action_of_a_match_has_its_names() -> None:
    match = parse_mat(samples.BEAVERED)
    named = list(ids_of(match))
    assert [one.action for one in named] == list(range(len(match.games[0].actions)))
    dice = [one.xgid.split(":")[4] for one in named]
    assert dice == ["31", "61", "00", "D", "D", "31", "42", "00"]
    cubes = [one.xgid.split(":")[1:3] for one in named]
    assert cubes[-2:] == [["2", "-1"], ["2", "-1"]]


def test_boards_put_up_by_hand_have_no_name_of_their_own() -> None:
    match = samples.from_the_middle()
    assert [one.action for one in ids_of(match)] == [0, 1, 3, 4]


def test_long_nardy_has_no_names() -> None:
    with pytest.raises(IdError, match="short nardy"):
        list(ids_of(samples.long_match((6, 5))))
