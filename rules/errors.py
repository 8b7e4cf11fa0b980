"""Errors of the rules core: broken questions, never bad play (an illegal play is a value)."""


class RulesError(Exception):
    """Root of the package's errors; `code` names the cause for machines."""

    code = "rules_error"


class PositionError(RulesError, ValueError):
    """A position that cannot stand on a board."""

    code = "bad_position"


class RollError(RulesError, ValueError):
    """Dice that no throw can show."""

    code = "bad_dice"


class VariantError(RulesError, LookupError):
    """A rule set, or a parameter of one, that does not exist."""

    code = "unknown_rules"


class ActionError(RulesError, ValueError):
    """A cube or match action that is not available now."""

    code = "bad_action"
