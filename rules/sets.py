"""The catalogue of rule sets and the names by which they are asked for."""

from types import MappingProxyType

from rules.backgammon import SHORT_SETS
from rules.errors import VariantError
from rules.long_nardy import BOLSHIE_NARDY, LONG_SETS
from rules.variant import Variant, derive

DEFAULT = BOLSHIE_NARDY
VARIANTS = MappingProxyType({one.name: one for one in (*LONG_SETS, *SHORT_SETS)})


def variant_named(name: str) -> Variant:
    """Return a rule set, or one derived from it: `classic`, `classic+block=in_home`.

    Raises:
        VariantError: no such set, parameter or value; names those that exist.
    """
    base, *changes = name.split("+")
    if base not in VARIANTS:
        raise VariantError(f"no rule set {base!r}; there are {', '.join(VARIANTS)}")
    pairs: dict[str, str] = {}
    for change in changes:
        key, equals, value = change.partition("=")
        if not equals:
            raise VariantError(f"a change reads parameter=value, not {change!r}")
        if key in pairs:
            raise VariantError(f"{key} is changed twice")
        pairs[key] = value
    return derive(VARIANTS[base], pairs) if pairs else VARIANTS[base]
