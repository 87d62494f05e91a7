"""Reads and writes the standard streams of one program without blocking, and with bounded memory; reads its answers."""

from __future__ import annotations

import os
import select
from contextlib import suppress

from core.message import Message
from sandbox.capture import HeadAndTail

CHUNK = 65_536
TURN_ERRORS_BYTES = 2_048
"""How much of the standard error of one turn is kept."""
EVIDENCE_BYTES = 4_096
"""How much of the last unread output of a program is shown to its author."""
PIPE_MAX = 1 << 20
"""The largest size (bytes) that a program can give to a pipe."""


class NoAnswer(Exception):  # noqa: N818 - the program's fault, as a verdict tells it
    """What a program has written is no valid answer; ``why`` is for its author."""

    def __init__(self, kind: str, **args: int) -> None:
        super().__init__(kind)
        self.why = Message(kind, args)


class Streams:
    """The standard streams of one program.

    Attributes:
        output: Standard output that no caller has removed yet. A caller of ``wait`` must keep it from growing.
        errors: Head and tail of standard error.
        turn_errors: Head and tail of standard error since ``turn_begins``.
        ended: Whether the program has ended; then everything that it wrote has been read.
        output_closed: Whether the program has closed its standard output.
        errors_closed: Whether the program has closed its standard error.

    It is made of the worker's ends of the three pipes, of ``ended``, a descriptor that becomes readable when the
    program ends (with None the attribute ``ended`` stays False), and of ``errors``, which takes standard error.
    """

    def __init__(self, stdin: int, stdout: int, stderr: int, ended: int | None, errors: HeadAndTail) -> None:
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
        if ended is not None:
            self._poll.register(ended, select.POLLIN)

    def listen(self) -> None:
        """Read standard output from now on. Until then it stays in the pipe."""
        if self.output_closed:
            return
        self._poll.register(self._stdout, select.POLLIN)
        if not self.errors_closed:
            # Registered after standard output, so that errors written before an answer are read together with it.
            self._poll.unregister(self._stderr)
            self._poll.register(self._stderr, select.POLLIN)

    def turn_begins(self) -> None:
        """Forget the standard error of the last turn."""
        if self.turn_errors:
            self.turn_errors = HeadAndTail(TURN_ERRORS_BYTES)

    def send(self, data: bytes) -> None:
        """Write data to standard input; ``wait`` writes what does not fit into the pipe now."""
        self._unsent += data
        self._flush()

    def wait(self, timeout_ms: int) -> None:
        """Wait for output, or for the end of the program, and read what there is; -1: wait without an end."""
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
        if self._ended is not None and self._ended in events:
            # Read what an ended program left in the pipes: at most one full pipe, since its children may write more.
            self.ended = True
            self._poll.unregister(self._ended)
            for take in (self._take_errors, self._take_output):
                for _ in range(PIPE_MAX // CHUNK):
                    if not take():
                        break

    def answer_end(self, lines: int) -> int:
        """Return the index behind the first ``lines`` lines of the output, -1 if they are not complete yet."""
        end = 0
        for _ in range(lines):
            end = self.output.find(b"\n", end) + 1
            if not end:
                return -1
        return end

    def refuse_excess(self, size: int, limit: int) -> None:
        """Refuse an answer of ``size`` bytes if that is more than ``limit``.

        Raises:
            NoAnswer: the answer is too long.
        """
        if size > limit:
            raise NoAnswer("bot-long-output", limit=limit)

    def take_lines(self, end: int) -> tuple[str, ...]:
        """Remove the answer up to the index ``end`` from the output, and return its lines.

        Raises:
            NoAnswer: the answer is not text; it stays in the output.
        """
        try:
            text = self.output[:end].decode()
        except UnicodeDecodeError:
            raise NoAnswer("bot-no-utf8") from None
        if "\0" in text:
            raise NoAnswer("bot-nul")
        del self.output[:end]
        return tuple(line.removesuffix("\r") for line in text.split("\n")[:-1])

    def _flush(self) -> None:
        try:
            self._unsent = self._unsent[os.write(self._stdin, self._unsent) :] if self._unsent else b""
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._unsent = b""  # the program reads no more, which is no fault as long as it answers

    def _take_output(self) -> bool:
        data = _read(self._stdout)
        if data == b"" and not self.output_closed:
            self.output_closed = True
            with suppress(KeyError):  # the stream was closed before ``listen``
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


def _read(fd: int) -> bytes | None:
    """Return the data that can be read now, ``b""`` at the end of the stream, None if there is no data yet."""
    try:
        return os.read(fd, CHUNK)
    except BlockingIOError:
        return None
