"""The root of what can go wrong with devices."""


class HardwareError(RuntimeError):
    """A device that does not do its work."""
