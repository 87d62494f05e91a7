"""The standard streams of one program: nothing here blocks, and nothing a program writes can make it grow for ever."""

from __future__ import annotations

import os
import select
from contextlib import suppress

from sandbox.capture import HeadAndTail

CHUNK = 65_536
TURN_ERRORS_BYTES = 2_048
"""Kept of a turn's standard error."""
PIPE_MAX = 1 << 20
"""The most a program can make a pipe hold."""


class Streams:
    """Both ends of the conversation.

    Attributes:
        output: What the program wrote to its standard output and nobody has taken yet. Whoever waits must cap it.
        errors: Head and tail of its standard error.
        turn_errors: The same, of what came since ``turn_begins``.
        ended: It is known that the program has ended; all it ever wrote has been read.
        output_closed: It has closed its standard output.
        errors_closed: It has closed its standard error.
    """

    def __init__(self, stdin: int, stdout: int, stderr: int, ended: int, errors: HeadAndTail) -> None:
        self._stdin, self._stdout, self._stderr, self._ended = stdin, stdout, stderr, ended
        self._unsent = b""
        self.output = bytearray()
        self.errors = errors
        self.turn_errors = HeadAndTail(TURN_ERRORS_BYTES)
        self.ended = False
        self.output_closed = False
        self.errors_closed = False
        self._poll = select.poll()
        self._poll.register(stderr, select.POLLIN)
        self._poll.register(ended, select.POLLIN)

    def listen(self) -> None:
        """From now on take in standard output too (before, it waits in the pipe)."""
        if self.output_closed:
            return
        self._poll.register(self._stdout, select.POLLIN)
        if not self.errors_closed:
            # Looked at behind standard output: what was written to standard error before an answer comes no later.
            self._poll.unregister(self._stderr)
            self._poll.register(self._stderr, select.POLLIN)

    def turn_begins(self) -> None:
        """Count standard error of a turn anew."""
        if self.turn_errors:
            self.turn_errors = HeadAndTail(TURN_ERRORS_BYTES)

    def send(self, data: bytes) -> None:
        """Send data; what the pipe does not take now goes during ``wait``."""
        self._unsent += data
        self._flush()

    def wait(self, timeout_ms: int) -> None:
        """Wait until something happens, at most so long, and take it in."""
        if self._unsent:
            self._poll.register(self._stdin, select.POLLOUT)
        events = [fd for fd, _ in self._poll.poll(timeout_ms)]
        if self._unsent:
            self._poll.unregister(self._stdin)
            self._flush()
        if self._stdout in events:
            self._take_output()
        if self._stderr in events:
            self._take_errors()
        if self._ended in events:
            self._take_the_rest()

    def _flush(self) -> None:
        try:
            self._unsent = self._unsent[os.write(self._stdin, self._unsent) :] if self._unsent else b""
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._unsent = b""  # it reads no more; whether it still answers decides

    def _take_output(self) -> bool:
        data = _read(self._stdout)
        if data == b"" and not self.output_closed:
            self.output_closed = True
            with suppress(KeyError):  # it was closed before anybody listened
                self._poll.unregister(self._stdout)
        self.output += data or b""
        return bool(data)

    def _take_errors(self) -> bool:
        data = _read(self._stderr)
        if data == b"" and not self.errors_closed:
            self.errors_closed = True
            self._poll.unregister(self._stderr)
        if data:
            self.errors.add(data)
            self.turn_errors.add(data)
        return bool(data)

    def _take_the_rest(self) -> None:
        """Read what the dead left in the pipes: no more than a pipe can hold, for a child of it may be writing on."""
        self.ended = True
        self._poll.unregister(self._ended)
        for take in (self._take_errors, self._take_output):
            for _ in range(PIPE_MAX // CHUNK):
                if not take():
                    break


def _read(fd: int) -> bytes | None:
    """Return what is there, nothing (b"") at the end of the stream, None if nothing is there yet."""
    try:
        return os.read(fd, CHUNK)
    except BlockingIOError:
        return None
