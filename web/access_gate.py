"""How often somebody may try a PIN: per address with growing waits, and all together."""

import ipaddress
import math
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

FREE_TRIES: Final = 3
"""Wrong ones an address has before it must wait."""
LONGEST_WAIT_S: Final = 900.0
FORGOTTEN_S: Final = 3600.0
"""After so long without a try an address begins anew."""
TOGETHER: Final = 20
"""Wrong tries that all addresses have together, ..."""
TOGETHER_REFILL_S: Final = 30.0
"""... and how long it takes until one of them comes back."""
_MOST_ADDRESSES: Final = 2000


@dataclass(slots=True)
class _Address:
    wrong: int = 0
    free_at_s: float = 0.0
    last_s: float = 0.0


class PinGate:
    """Counts tries; a try counts as wrong until it is told to have been right.

    Args:
        now_s: monotonic time in seconds.
    """

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._lock = threading.Lock()
        self._addresses: OrderedDict[str, _Address] = OrderedDict()
        self._left, self._left_at_s = float(TOGETHER), now_s()

    def enter(self, address: str) -> int:
        """Take up a try; return 0 if it may go on, else the seconds to wait."""
        now_s, key = self._now_s(), _network(address)
        with self._lock:
            one = self._addresses.setdefault(key, _Address())
            self._addresses.move_to_end(key)
            while len(self._addresses) > _MOST_ADDRESSES:
                self._addresses.popitem(last=False)
            if now_s - one.last_s > FORGOTTEN_S:
                one.wrong, one.free_at_s = 0, 0.0
            if now_s < one.free_at_s:
                return math.ceil(one.free_at_s - now_s)
            passed_s = now_s - self._left_at_s
            self._left = min(TOGETHER, self._left + passed_s / TOGETHER_REFILL_S)
            self._left_at_s = now_s
            # The device itself is never locked out by what others try.
            if not _is_here(address):
                if self._left < 1:
                    return math.ceil((1 - self._left) * TOGETHER_REFILL_S)
                self._left -= 1
            one.wrong, one.last_s = one.wrong + 1, now_s
            if one.wrong >= FREE_TRIES:
                wait_s = min(LONGEST_WAIT_S, 2.0 ** (one.wrong - FREE_TRIES + 1))
                one.free_at_s = now_s + wait_s
            return 0

    def passed(self, address: str) -> None:
        """Take back the try: it was right."""
        with self._lock:
            self._addresses.pop(_network(address), None)
            self._left = min(TOGETHER, self._left + (0 if _is_here(address) else 1))


def _network(address: str) -> str:
    """One IPv6 customer has 2**64 addresses: they count as one."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return "?"
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed)


def _is_here(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
