"""How often the referee is wrong over whole games: a season under a camera that errs.

    python benchmarks/season.py [--games 200] [--noise 1] [--seed 2026] [--rules SET ...]
                                [--set RATE=VALUE ...] [--sweep] [--json FILE] [--chart FILE]

Games of every rule set are played by simulated players, one play in twenty wrong in one way
or another. The referee is shown readings only, with slips at the rates the readers were
measured at times `--noise`; `--set` changes single rates. Every ruling it makes of its own
accord is held against the truth, every question is counted and answered by it. The model and
what it leaves out are told in docs/explanation/season.md.
"""

import argparse
import json
import sys
import time
from collections import Counter
from dataclasses import fields, replace
from pathlib import Path

# Python puts a script's own folder first on the path; the tests' helpers lie beside it.
sys.path[:] = [one for one in sys.path if Path(one).resolve() != Path(__file__).parent]
sys.path.append(str(Path(__file__).resolve().parents[1]))

from rules import VARIANTS  # noqa: E402
from table.players import RandomPlayer, SensiblePlayer  # noqa: E402
from tests.support.season import SeasonGame, Tally, play_game  # noqa: E402
from tests.support.season_noise import NoiseRates  # noqa: E402
from tests.support.season_table import chart, figures, rates_of, wilson  # noqa: E402

SWEEP = (0.0, 0.5, 1.0, 2.0, 4.0)
PLAYERS = {"sensible": SensiblePlayer(), "random": RandomPlayer()}


def main() -> int:
    """Play, print the tables, and keep the figures where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=200, help="at each noise")
    parser.add_argument("--noise", type=float, default=1.0, help="times the measured rates")
    parser.add_argument("--sweep", action="store_true", help="at several noises")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--rules", nargs="*", default=list(VARIANTS))
    parser.add_argument("--player", choices=[*PLAYERS, "both"], default="both")
    parser.add_argument("--lasting", type=float, default=0.85)
    parser.add_argument("--set", nargs="*", default=[], metavar="RATE=VALUE")
    parser.add_argument("--faults", type=int, default=10, help="wrong rulings told in full")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here too")
    parser.add_argument("--chart", type=Path, metavar="FILE", help="draw the sweep as SVG")
    options = parser.parse_args()
    kept = []
    for noise in SWEEP if options.sweep else (options.noise,):
        rates = _rates(noise, options.set)
        kept.append(_season(options, noise, rates))
    if options.json:
        options.json.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    if options.chart:
        options.chart.write_text(chart(kept), encoding="utf-8")
    return 0


def _rates(noise: float, changes: list[str]) -> NoiseRates:
    known = {one.name for one in fields(NoiseRates)}
    rates = NoiseRates()
    for change in changes:
        name, _, value = change.partition("=")
        if name not in known:
            raise SystemExit(f"no rate {name!r}; there are {', '.join(sorted(known))}")
        rates = replace(rates, **{name: float(value)})
    return rates.times(noise)


def _season(options: argparse.Namespace, noise: float, rates: NoiseRates) -> dict[str, object]:
    """Play the games of one noise and print what came of them."""
    players = list(PLAYERS) if options.player == "both" else [options.player]
    tallies: dict[tuple[str, str], Tally] = {}
    whole, started_s = Tally(), time.monotonic()
    for number in range(options.games):
        rules = options.rules[number % len(options.rules)]
        player = players[number // len(options.rules) % len(players)]
        game = SeasonGame(
            rules,
            options.seed * 100_000 + number,
            rates,
            lasting=options.lasting,
            player=PLAYERS[player],
        )
        tally = play_game(game)
        tallies.setdefault((rules, player), Tally()).add(tally)
        whole.add(tally)
        if sys.stderr.isatty() or number % 20 == 19:
            print(_progress(number + 1, options.games, whole, started_s), file=sys.stderr)
    print(f"\n## noise ×{noise:g}, {whole.games} games, {time.monotonic() - started_s:.0f} s")
    for group in (0, 1):
        rows: dict[str, Tally] = {}
        for key, tally in tallies.items():
            rows.setdefault(key[group], Tally()).add(tally)
        _table(rows)
    _table({"all": whole})
    for name, counted in (
        ("wrong", whole.wrong),
        ("asks", whole.asks),
        ("illegal plays", whole.illegal),
        ("of them called legal", whole.condoned),
    ):
        print(f"{name}: {_listed(counted)}")
    for fault in whole.faults[: options.faults]:
        print(" *", fault)
    return {
        "noise": noise,
        **figures(whole),
        "by_rules_and_player": {
            f"{rules} {player}": figures(tally) for (rules, player), tally in tallies.items()
        },
    }


def _progress(done: int, games: int, whole: Tally, started_s: float) -> str:
    wrong, asks = sum(whole.wrong.values()), sum(whole.asks.values())
    passed = f"{time.monotonic() - started_s:.0f} s"
    return f"{done}/{games} games, {whole.turns} turns, {wrong} wrong, {asks} asks, {passed}"


def _table(rows: dict[str, Tally]) -> None:
    print("| | games | turns | wrong rulings | illegal called legal | asks |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, tally in rows.items():
        cells = [
            f"{one.count}/{one.of} {100 * one.share:.2f} % ({_interval(one.count, one.of)})"
            for one in rates_of(tally)
        ]
        print(f"| {name} | {tally.games} | {tally.turns} | {' | '.join(cells)} |")


def _interval(count: int, of: int) -> str:
    low, high = wilson(count, of)
    return f"{100 * low:.2f}–{100 * high:.2f}"


def _listed(counted: Counter[str]) -> str:
    return ", ".join(f"{name} {n}" for name, n in counted.most_common()) or "none"


if __name__ == "__main__":
    sys.exit(main())
