"""What the writers of all languages have in common: they turn the commands of a stub into lines of a program."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from games.stubs import Command, Loop, Read, Reference, Stub, Variable, Write, writes

INDICES = "ijk"
"""Names of the indices of loops, the outermost first."""


class Writer(ABC):
    """Writes a program in one language. A value that is read in loops becomes a list of that name."""

    file: ClassVar[str]
    """Name of the program's file."""
    comment: ClassVar[str] = "//"
    strategy: ClassVar[str]
    """A comment that stands where an author's own strategy begins."""
    turn_indent: ClassVar[int] = 2
    """How deep the commands of a turn are indented, in steps of four spaces."""

    def program(self, title: str, stub: Stub) -> str:
        """Return a program that plays as the stub says.

        Args:
            title: the game's name.
            stub: what it reads and writes.
        """
        first = next(at for at, command in enumerate(stub.turn) if writes(command))
        turn = [*self._lines(stub.turn[:first]), "", f"{self.comment} {self.strategy}"]
        turn += self._lines(stub.turn[first:])
        introduction = self._lines(stub.introduction)
        if introduction:
            introduction = [f"{self.comment} Once, before the first turn:", *introduction, ""]
        return self.whole(
            " ".join(title.split()),
            "\n".join(self.indented(introduction, self.turn_indent - 1)),
            "\n".join(self.indented(turn[1:] if not turn[0] else turn, self.turn_indent)),
        )

    @abstractmethod
    def whole(self, title: str, introduction: str, turn: str) -> str:
        """Return the program round its two parts."""

    @abstractmethod
    def read(self, variables: Sequence[Variable], depth: int) -> list[str]:
        """Return the statements that read a line, within ``depth`` loops."""

    @abstractmethod
    def write(self, parts: Sequence[str | Reference]) -> str:
        """Return the statement that writes a line."""

    def repeated(self, variables: Sequence[Variable], depth: int, count: str, inner: list[str]) -> list[str]:
        """Return a loop after the lists that it fills; ``inner`` are its statements."""
        return [*self.lists(variables, depth, count), *self.loop(INDICES[depth], count, inner)]

    @abstractmethod
    def lists(self, variables: Sequence[Variable], depth: int, count: str) -> list[str]:
        """Return the statements that make lists, empty ones or of ``count`` elements, for values of a loop.

        With ``depth`` 0 they declare the lists, else they make the lists within these.
        """

    @abstractmethod
    def loop(self, index: str, count: str, inner: list[str]) -> list[str]:
        """Return a loop; ``index`` is the name of its index, whether it is used or not."""

    def name(self, variable: Variable) -> str:
        """Return the name of a value in the program."""
        return variable.name

    def place(self, variable: Variable, depth: int) -> str:
        """Return the name of a value with the indices of ``depth`` loops."""
        return self.name(variable) + "".join(f"[{index}]" for index in INDICES[:depth])

    def value(self, reference: Reference) -> str:
        """Return an expression for a value that has been read."""
        if reference.index is None:
            return self.place(reference.variable, len(reference.variable.loops))
        return self.name(reference.variable) + "".join(f"[{number}]" for number in reference.index)

    def texts(self, parts: Sequence[str | Reference]) -> list[str]:
        """Return the parts of a line as expressions, texts as literals that most languages write alike."""
        return [f'"{quoted(part)}"' if isinstance(part, str) else self.value(part) for part in parts]

    @staticmethod
    def indented(lines: Sequence[str], steps: int = 1) -> list[str]:
        """Return lines indented by steps of four spaces; empty ones stay empty."""
        return [f"{'    ' * steps}{line}" if line else line for line in lines]

    def _lines(self, commands: Sequence[Command], depth: int = 0) -> list[str]:
        """Return the statements of commands within ``depth`` loops."""
        lines: list[str] = []
        for command in commands:
            lines += [f"{self.comment} {text}" for text in command.comments]
            match command:
                case Read():
                    lines += self.read(command.variables, depth)
                case Write():
                    lines.append(self.write(command.parts))
                case Loop():
                    count = str(command.count) if isinstance(command.count, int) else self.value(command.count)
                    inner = self._lines(command.body, depth + 1)
                    while inner[0].startswith(self.comment):  # what it says is about the lists rather than a round
                        lines.append(inner.pop(0))
                    lines += self.repeated(command.variables, depth, count, inner)
        return lines


class CurlyWriter(Writer):
    """What languages with curly brackets have in common."""

    def closed(self, head: str, inner: Sequence[str]) -> list[str]:
        """Return a loop: its head, and its statements in curly brackets."""
        return [f"{head} {{", *self.indented(inner), "}"]

    def loop(self, index: str, count: str, inner: list[str]) -> list[str]:
        """Return a loop as C writes it."""
        return self.closed(f"for (int {index} = 0; {index} < {count}; {index}++)", inner)


def quoted(text: str) -> str:
    r"""Escape a text of printable ASCII for a string literal: put ``\`` before each ``"`` and ``\``."""
    return re.sub(r'(["\\])', r"\\\1", text)


def camel_case(name: str) -> str:
    """Return ``enemyCount`` for ``enemy_count``."""
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))
