"""Keep the head and the tail of a stream of any length in a fixed space."""

from __future__ import annotations

from collections import deque


class HeadAndTail:
    """The first and the last half of ``size`` bytes of a stream; the bytes between are dropped and counted."""

    def __init__(self, size: int) -> None:
        self._half = size // 2
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_bytes = 0
        self._dropped = 0

    def __bool__(self) -> bool:
        return bool(self._head)

    def add(self, data: bytes) -> None:
        """Take the next bytes of the stream."""
        free = self._half - len(self._head)
        if free > 0:
            self._head += data[:free]
            data = data[free:]
        if data:
            self._tail.append(data)
            self._tail_bytes += len(data)
        while (excess := self._tail_bytes - self._half) > 0:
            first = self._tail.popleft()
            cut = min(excess, len(first))
            self._tail_bytes -= cut
            self._dropped += cut
            if cut < len(first):
                self._tail.appendleft(first[cut:])

    def text(self) -> str:
        """Return head and tail as text. Undecodable bytes, and NUL, which PostgreSQL cannot store, become U+FFFD."""
        tail = b"".join(self._tail)
        cut = f"\n[... {self._dropped} bytes left out ...]\n".encode() if self._dropped else b""
        return decoded(bytes(self._head) + cut + tail)


def decoded(data: bytes) -> str:
    """Return bytes of an untrusted program as text that a database can store; pages must escape it."""
    return data.decode(errors="replace").replace("\0", "\ufffd")
