"""“Legal here, illegal elsewhere”: what other rule sets say of a judged play."""

from collections.abc import Iterable
from dataclasses import dataclass

from referee.arbiter.events import PlayRuled
from rules import VARIANTS, Variant, Verdict, judge_play
from rules.explain import Explanation


@dataclass(frozen=True, slots=True)
class OtherVerdict:
    """Another set's verdict on a play."""

    rules: str
    verdict: Verdict
    law: str | None
    explain: Explanation


def other_verdicts(
    ruling: PlayRuled, here: Variant, sets: Iterable[Variant] = tuple(VARIANTS.values())
) -> tuple[OtherVerdict, ...]:
    """Return the sets of the same game that would judge a play otherwise.

    Args:
        ruling: the play as it was judged here.
        here: the rule set it was judged by.
        sets: those to compare with.

    Returns:
        Only sets whose verdict differs; none for a turn without a throw.
    """
    if ruling.roll is None:
        return ()
    found = []
    for other in sets:
        if other.path is not here.path or other.name == here.name:
            continue
        judged = judge_play(ruling.before, ruling.side, ruling.roll, ruling.played, other)
        if judged.verdict is not ruling.verdict:
            law = judged.law.value if judged.law else None
            found.append(OtherVerdict(other.name, judged.verdict, law, judged.explain))
    return tuple(found)
