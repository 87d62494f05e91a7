"""The streams of a program, without one: real pipes, of which the tests hold the program's ends."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from sandbox.capture import HeadAndTail
from sandbox.streams import CHUNK, PIPE_MAX, TURN_ERRORS_BYTES, NoAnswer, Streams


class Program:
    """The program's ends of the pipes, and the descriptor that tells its end."""

    def __init__(self) -> None:
        self.stdin, stdin = os.pipe()
        stdout, self.stdout = os.pipe()
        stderr, self.stderr = os.pipe()
        ended, self.ended = os.pipe()
        self._open = {self.stdin, stdin, stdout, self.stdout, stderr, self.stderr, ended, self.ended}
        for fd in (stdin, stdout, stderr, self.stdin):
            os.set_blocking(fd, False)
        self.streams = Streams(stdin, stdout, stderr, ended, HeadAndTail(1_024))

    def close(self, *fds: int) -> None:
        for fd in fds or tuple(self._open):
            os.close(fd)
            self._open.discard(fd)

    def end(self) -> None:
        """End as a process does: the streams are closed, then its end is told."""
        self.close(*{self.stdout, self.stderr} & self._open)
        self.close(self.ended)


@pytest.fixture
def program() -> Iterator[Program]:
    program = Program()
    yield program
    program.close()


def test_output_stays_in_the_pipe_until_somebody_listens(program: Program) -> None:
    os.write(program.stdout, b"early\n")
    program.streams.wait(0)
    assert program.streams.output == b""
    program.streams.listen()
    program.streams.wait(1_000)
    assert program.streams.output == b"early\n"


def test_errors_before_an_answer_are_read_together_with_it(program: Program) -> None:
    program.streams.listen()
    os.write(program.stderr, b"thinking\n")
    os.write(program.stdout, b"7\n")
    program.streams.wait(1_000)
    assert (program.streams.output, program.streams.turn_errors.text()) == (b"7\n", "thinking\n")


def test_errors_of_a_turn_are_forgotten_with_it_and_kept_of_the_whole(program: Program) -> None:
    for text in (b"one\n", b"two\n"):
        os.write(program.stderr, text)
        program.streams.wait(1_000)
        assert program.streams.turn_errors.text() == text.decode()
        program.streams.turn_begins()
    assert program.streams.turn_errors.text() == ""
    assert program.streams.errors.text() == "one\ntwo\n"


def test_a_flood_of_errors_is_kept_at_both_ends(program: Program) -> None:
    for _ in range(3):
        os.write(program.stderr, b"x" * 4_096)
        program.streams.wait(1_000)
    assert f"{3 * 4_096 - TURN_ERRORS_BYTES} bytes left out" in program.streams.turn_errors.text()
    assert f"{3 * 4_096 - 1_024} bytes left out" in program.streams.errors.text()


def test_a_question_that_fills_the_pipe_is_sent_while_the_program_reads(program: Program) -> None:
    question = b"q" * (PIPE_MAX + 7)
    program.streams.send(question)
    got = b""
    while len(got) < len(question):
        got += os.read(program.stdin, CHUNK)
        program.streams.wait(1_000 if len(got) < len(question) - CHUNK else 0)
    assert got == question


def test_a_program_that_reads_no_more_may_still_answer(program: Program) -> None:
    program.streams.listen()
    program.close(program.stdin)
    program.streams.send(b"go\n")
    os.write(program.stdout, b"done\n")
    program.streams.wait(1_000)
    assert program.streams.take_lines(program.streams.answer_end(1)) == ("done",)


def test_all_that_an_ended_program_has_written_is_read(program: Program) -> None:
    program.streams.listen()
    os.write(program.stdout, b"o" * 60_000)
    os.write(program.stderr, b"last words")
    program.end()
    while not program.streams.ended:
        program.streams.wait(1_000)
    assert len(program.streams.output) == 60_000
    assert program.streams.errors.text() == "last words"
    assert program.streams.output_closed
    assert program.streams.errors_closed


def test_a_program_may_close_its_streams_before_anybody_listens(program: Program) -> None:
    program.end()
    while not program.streams.ended:
        program.streams.wait(1_000)
    program.streams.listen()
    program.streams.wait(0)
    assert program.streams.output == b""


@pytest.mark.parametrize(
    ("output", "lines", "end"),
    [(b"", 1, -1), (b"a", 1, -1), (b"a\n", 1, 2), (b"a\nb\nc", 2, 4), (b"a\nb\nc", 3, -1), (b"\n\n", 2, 2)],
)
def test_an_answer_ends_behind_its_last_line(program: Program, output: bytes, lines: int, end: int) -> None:
    program.streams.output += output
    assert program.streams.answer_end(lines) == end


def test_the_lines_of_an_answer_are_taken_and_the_rest_stays(program: Program) -> None:
    program.streams.output += "é 1\r\n\nmore".encode()
    assert program.streams.take_lines(program.streams.answer_end(2)) == ("é 1", "")
    assert program.streams.output == b"more"


@pytest.mark.parametrize(
    ("output", "kind"), [(b"\xff\n", "bot-no-utf8"), (b"a\0b\n", "bot-nul"), (b"\xed\xa0\x80\n", "bot-no-utf8")]
)
def test_what_is_no_text_is_no_answer_and_stays_as_evidence(program: Program, output: bytes, kind: str) -> None:
    program.streams.output += output
    with pytest.raises(NoAnswer) as refused:
        program.streams.take_lines(len(output))
    assert refused.value.why.kind == kind
    assert program.streams.output == output


def test_an_answer_has_a_largest_size(program: Program) -> None:
    program.streams.refuse_excess(100, 100)
    with pytest.raises(NoAnswer) as refused:
        program.streams.refuse_excess(101, 100)
    assert (refused.value.why.kind, refused.value.why.args) == ("bot-long-output", {"limit": 100})
