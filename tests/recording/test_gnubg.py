"""Our exports in the real GNU Backgammon.

`ZARBITER_GNUBG_FILES=all pytest tests/recording/test_gnubg.py` asks it about every match file;
without it a dozen of them.
"""

import os
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from recording.mat import parse_mat, read_mat
from recording.mat_write import write_mat
from recording.position_ids import ids_of, match_id, position_id
from recording.sgf import read_sgf
from recording.sgf_write import write_sgf
from recording.standing import Standing
from recording.transcript import Double, Game, GameResult, Match, Play, Resign
from recording.walk import walk
from recording.xgid import from_xgid, xgid
from rules import Color, Roll
from tests.recording import samples
from tests.recording.gnubg_program import FOUND, MISSING, Told, ask

pytestmark = pytest.mark.skipif(FOUND is None, reason=MISSING)

MATCHES = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "matches"
EVERY = 1 if os.environ.get("ZARBITER_GNUBG_FILES") == "all" else 8
FILES = sorted(MATCHES.glob("*/*.[ms][ag][tf]"))[::EVERY]
NAMES = {Color.WHITE: "X", Color.BLACK: "O"}
FORMATS = {
    "mat": (write_mat, "import mat match.mat"),
    "sgf": (write_sgf, "load match match.sgf"),
}


def load(folder: Path, match: Match, kind: str, **asked: Any) -> Told:
    write, command = FORMATS[kind]
    (folder / f"match.{kind}").write_text(write(match), encoding="utf-8")
    return ask(folder, command, walk=True, **asked)


def boards(game: Game) -> list[tuple[str, str]]:
    """Who acts on which position; to answer a double is no action of its own here.

    Nor is a beaver: GNU Backgammon forgets to turn the board for it.
    """
    return [
        (NAMES[action.color], position_id(table.position, action.color))
        for table, action in walk(game)
        if isinstance(action, Play) or (isinstance(action, Double) and table.offered is None)
    ]


def told_boards(game: dict[str, Any]) -> list[tuple[str, str]]:
    actions = game["actions"]
    return [
        (action["player"], action["board"])
        for before, action in zip([{"action": ""}, *actions], actions, strict=False)
        if action["action"] == "move"
        or (action["action"] == "double" and before["action"] != "double")
    ]


def capped(match: Match, game: Game, winner: str | None, points: int) -> tuple[str | None, int]:
    """Count no points beyond those that win the match: Galaxy counts no others."""
    if winner is None:
        return None, 0
    has = game.score[0 if winner == "X" else 1]
    return winner, min(points, match.length - has) if match.length else points


def told_results(match: Match, told: Told) -> list[tuple[str | None, int]]:
    return [
        capped(match, game, one["info"]["winner"], one["info"].get("points-won", 0))
        for game, one in zip(match.games, told.games, strict=True)
    ]


def results(match: Match) -> list[tuple[str | None, int]]:
    found = []
    for game in match.games:
        winner = game.result and game.result.winner
        points = game.result.points if game.result else 0
        found.append(capped(match, game, NAMES[winner] if winner else None, points))
    return found


def understood(match: Match, told: Told) -> None:
    spoken = [line for line in told.complaints if not line.startswith("Analysis ")]
    assert spoken == []
    assert len(told.games) == len(match.games)
    assert told.info["match-length"] == match.length
    scores = [(one["info"]["score-X"], one["info"]["score-O"]) for one in told.games]
    assert scores == [game.score for game in match.games]
    for ours, theirs, ids in zip(match.games, told.games, told.ids, strict=True):
        if not any(one["action"] == "set" for one in theirs["actions"]):
            assert boards(ours) == told_boards(theirs)
        # It forgets to turn the board of `told_boards` after one put up by hand.
        seen = iter(one[0] for one in ids if one)
        for _, board in boards(ours)[1:]:
            assert board in seen


def as_player_1(standing: Standing) -> Standing:
    """Return what GNU Backgammon makes of an XGID: who is on roll sits below, no offer."""
    standing = replace(standing, turn=standing.on_roll, doubled=False)
    if standing.on_roll is Color.BLACK:
        return standing
    return replace(
        standing,
        on_roll=Color.BLACK,
        turn=Color.BLACK,
        owner=standing.owner and standing.owner.other,
        score=standing.score[::-1],
    )


@pytest.fixture(scope="module", params=FILES or [Path()], ids=lambda path: path.name)
def match(request: pytest.FixtureRequest) -> Match:
    path: Path = request.param
    if not path.name:
        pytest.skip("no measuring data: ../shared/data/matches is absent")
    return read_mat(path) if path.suffix == ".mat" else read_sgf(path)


@pytest.mark.shared
@pytest.mark.parametrize("kind", FORMATS)
def test_real_matches_load_without_a_word_and_stand_the_same_at_every_ply(
    match: Match, kind: str, tmp_path: Path
) -> None:
    told = load(tmp_path, match, kind, commands=("export match mat back.mat",))
    understood(match, told)
    assert told_results(match, told) == results(match)
    # What it writes back is the same match once more.
    back = read_mat(tmp_path / "back.mat")
    assert back.errors == ()
    assert [game.error for game in back.games] == [None] * len(match.games)
    assert results(back) == results(match)
    for ours, theirs in zip(match.games, back.games, strict=True):
        assert boards(ours) == boards(theirs)


@pytest.mark.shared
def test_our_names_of_positions_are_the_program_s_own(match: Match, tmp_path: Path) -> None:
    ours = list(ids_of(match))
    xgids = [one.xgid for one in ours]
    told = load(tmp_path, match, "mat", xgids=tuple(xgids[::7]))
    for number, game in enumerate(match.games):
        mine = [one for one in ours if one.game == game.number]
        # With the dice still in hand: GNU Backgammon throws them with the play.
        for one in mine[1:]:
            action = game.actions[one.action]
            if isinstance(action, Resign):
                continue
            _, standing = from_xgid(one.xgid)
            expected = (one.position_id, match_id(replace(standing, roll=None)))
            assert told.ids[number][one.action] == expected
    for text, (board, state) in zip(xgids[::7], told.xgids, strict=True):
        position, standing = from_xgid(text)
        assert board == position_id(position, standing.on_roll)
        assert state == match_id(as_player_1(standing))


def random_standing(random: Random) -> Standing:
    """Score, cube and dice of any kind, Crawford and Jacoby where they can be."""
    color = random.choice(list(Color))
    length = random.choice([0, 5, 7, 25])
    score = (random.randrange(length or 30), random.randrange(length or 30))
    crawford = length > 0 and (score[0] == length - 1) != (score[1] == length - 1)
    return Standing(
        color,
        color,
        cube=1 if crawford else 2 ** random.randrange(7),
        owner=None if crawford else random.choice([None, *Color]),
        roll=random.choice([None, Roll(random.randint(1, 6), random.randint(1, 6))]),
        length=length,
        score=score,
        crawford=crawford and random.random() < 0.5,
        jacoby=length == 0 and random.random() < 0.5,
    )


def test_xgids_with_cube_score_and_crawford_are_read_as_meant(tmp_path: Path) -> None:
    random = Random(2026)
    plays = [
        play
        for _ in range(3)
        for play in samples.turns(
            samples.START, *[(random.randint(1, 6), random.randint(1, 6)) for _ in range(30)]
        )
    ]
    going_on = [one.after for one in plays if max(map(one.after.off, Color)) < 15]
    asked = [(position, random_standing(random)) for position in going_on]
    told = ask(tmp_path, xgids=tuple(xgid(*one) for one in asked))
    assert len(told.xgids) == len(asked) > 50
    for (position, standing), (board, state) in zip(asked, told.xgids, strict=True):
        assert board == position_id(position, standing.on_roll)
        assert state == match_id(as_player_1(standing))


def test_accepted_wrong_plays_stand_as_they_were_left(tmp_path: Path) -> None:
    for kind in FORMATS:
        match = samples.with_wrong_plays()
        told = load(tmp_path, match, kind)
        understood(match, told)
        assert sum(one["action"] == "set" for one in told.games[0]["actions"]) > 0


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("points", [1, 2, 3])
@pytest.mark.parametrize("cube", [1, 2])
def test_resignations_bring_the_right_points(
    kind: str, points: int, cube: int, tmp_path: Path
) -> None:
    match = samples.resigned(points, cube)
    told = load(tmp_path, match, kind)
    understood(match, told)
    assert told_results(match, told) == [("X", points * cube)]
    assert told.games[0]["actions"][-1]["action"] == "resign"
    assert told.games[0]["actions"][-1]["points"] == points


@pytest.mark.parametrize("kind", FORMATS)
def test_one_game_brings_its_score(kind: str, tmp_path: Path) -> None:
    match = samples.resigned(1, 1, length=1)
    told = load(tmp_path, match, kind, commands=("show score",))
    (said,) = told.complaints
    assert "Anna 1, Boris 0" in said


@pytest.mark.parametrize("kind", FORMATS)
def test_long_and_odd_names_do_not_break_the_file(kind: str, tmp_path: Path) -> None:
    match = replace(
        samples.resigned(1, 1),
        players=("Александра Константинопольская", "O'Neil, Jr.: [the \\ 2nd] (7;8)"),
        headers={"Event": 'Кубок "Весна" [A]', "Round": "2\\3", "EventDate": "2026.11.30"},
    )
    told = load(tmp_path, match, kind)
    understood(match, told)
    assert told.info["X"]["name"] == "Александра Конст"
    assert told.info["O"]["name"] == "O'Neil Jr. the 2nd 7 8"
    assert told.info["event"] == "Кубок 'Весна' [A]"
    assert told.info["date"] == [30, 11, 2026]


def test_a_game_from_the_middle_and_a_board_put_up_by_hand_load_as_sgf(tmp_path: Path) -> None:
    match = samples.from_the_middle()
    told = load(tmp_path, match, "sgf")
    understood(match, told)
    last = match_id(Standing(Color.WHITE, Color.WHITE, 2, Color.WHITE, length=5))
    assert told.ids[0][-2] == (boards(match.games[0])[-1][1], last)


@pytest.mark.parametrize("kind", FORMATS)
def test_the_program_analyses_every_move(kind: str, tmp_path: Path) -> None:
    match = samples.short_match()
    told = load(
        tmp_path,
        match,
        kind,
        commands=(
            "set analysis chequerplay evaluation plies 0",
            "set analysis cubedecision evaluation plies 0",
            "analyse match",
            "save match analysed.sgf",
        ),
    )
    understood(match, told)
    analysed = (tmp_path / "analysed.sgf").read_text()
    plays = [one for one in match.games[0].actions if isinstance(one, Play) and one.hops]
    assert analysed.count("]A[") == len(plays) > 3


def test_the_program_s_own_wrong_plays_are_read_back(tmp_path: Path) -> None:
    match = samples.with_wrong_plays()
    load(tmp_path, match, "mat", commands=("save match back.sgf",))
    back = read_sgf(tmp_path / "back.sgf")
    assert [game.error for game in back.games] == [None]
    told = [one for one in back.games[0].actions if isinstance(one, Play)]
    ours = [one for one in match.games[0].actions if isinstance(one, Play)]
    assert [(one.color, one.roll, one.lawful, one.after) for one in told] == [
        (one.color, one.roll, one.lawful, one.after) for one in ours
    ]


def test_a_result_alone_is_a_resignation_in_sgf(tmp_path: Path) -> None:
    game = replace(
        samples.resigned(1, 1).games[0],
        actions=(),
        result=GameResult(Color.BLACK, 2, ends_match=False),
    )
    match = replace(samples.resigned(1, 1), games=(game,))
    assert told_results(match, load(tmp_path, match, "sgf")) == [("O", 2)]


def test_beavers_in_a_money_session_end_at_the_right_score(tmp_path: Path) -> None:
    match = parse_mat(samples.BEAVERED)
    for kind in FORMATS:
        told = load(tmp_path, match, kind)
        understood(match, told)
        assert told_results(match, told) == results(match)
