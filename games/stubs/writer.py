"""Writes the program of a stub; ``languages/<language>.toml`` declares how each language says what a program needs.

The texts of a declaration hold places such as ``%name%``, which the writer fills.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from games.stubs import NUMBERS, Command, If, Loop, Read, Reference, Stub, Variable, Write, writes

FOLDER = Path(__file__).with_name("languages")
INDICES = "ijk"
"""Names of the indices of loops, the outermost first."""
ABOUT = "A bot for {title}: it reads all input and gives a legal answer. What it answers is yours to decide."
STRATEGY = "Your strategy goes here. Standard output is the answer: debug with {debug}."


class Language(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a language says what the programs of stubs need. A value that is read in loops becomes a list."""

    file: str
    """Name of the program's file."""
    program: str
    """The program round its parts ``%about%``, ``%helpers%``, ``%introduction%`` and ``%turn%``. The last three have
    lines of their own, whose indentation is theirs."""
    debug: str
    """What prints for the author's eyes only."""
    line: str
    """An expression that reads a line."""
    words: str
    """The statement that reads a line as its words."""
    declare: str
    """The statement that declares ``%name%`` of the ``%type%`` with its ``%value%``."""
    append: str
    """The statement that adds a ``%value%`` to ``%list%``, or sets ``%element%``."""
    new_list: str
    """An expression for a list of ``%count%`` values of the type ``%of%``, which is empty or will be filled. ``%base%``
    and ``%rest%`` are what stands before and in the first brackets of that type."""
    loop: str
    """The beginning of a loop of ``%count%`` rounds with the index ``%i%``."""
    print: str
    """The statement that writes a line of ``%text%``; ``%values%`` are the values in it, each after a comma."""
    aliases: tuple[str, ...] = ()
    """Other names of the language, beside the ending of its files."""
    comment: str = "//"
    sigil: str = ""
    """What stands before the names of variables."""
    camel_case: bool = False
    words_variable: str = ""
    """The declaration of the variable that ``words`` sets, at the head of the program."""
    declare_list: str = ""
    """Like ``declare``, for lists; empty: ``declare`` is used."""
    keep: str = ""
    """The statement that declares ``%name%`` before the first turn, since it is set in some turns only."""
    keep_number: str = ""
    """Like ``keep``, for numbers; empty: ``keep`` is used."""
    list_type: str = "%of%"
    """The type of a list of the type ``%of%``."""
    filled_list: str = ""
    """The statement that reads a list of lines; empty: a loop does."""
    unused_index: str = ""
    """The name of an index that the loop does not use; empty: the same as of others."""
    condition: str = "if (%value% == %constant%) {"
    """The beginning of what is done if a value is as given."""
    text_condition: str = ""
    """Like ``condition``, for texts; empty: ``condition`` is used."""
    otherwise: str = "} else {"
    end: str = "}"
    """The end of a loop and of a condition; empty: the indentation says it."""
    print_one: str = ""
    """The statement that writes a line which is one text or one ``%value%``; empty: like others."""
    constant: str = "%text%"
    """How a constant ``%text%`` stands in a line that is written."""
    hole: str = "%value%"
    """How a value stands in a line that is written."""
    joint: str = ""
    """What stands between constants and values."""
    escaped: str = ""
    r"""Characters before which a ``\`` stands in constant texts, beside ``"`` and ``\``."""
    types: dict[str, str] = {}
    """The type of a value of each kind."""
    from_text: dict[str, str] = {}
    """How a value of each kind is made of ``%text%``, if that is not the text itself."""
    from_word: dict[str, str] = {}
    """Like ``from_text``, for texts that are the words of a line, if that differs."""
    several: dict[str, str] = {}
    """The statement that reads several values of a kind in one line, as ``%names%``."""
    helpers: dict[str, str] = {}
    """Functions, each by a text that a program has if it needs the function."""

    def written(self, title: str, stub: Stub) -> str:
        """Return the text of a program that reads and writes what a stub says; a comment in it has the game's title."""
        writer = _Writer(self, _answer(stub.turn))
        turn, introduction = writer.lines(stub.turn), writer.lines(stub.introduction)
        body = "\n".join([*introduction, *turn])
        head = [self.words_variable] if self.words_variable and "words = " in body else []
        variables = [each for command in (*stub.introduction, *stub.turn) for each in command.variables]
        if self.keep and (kept := [writer.kept(each) for each in variables if each.conditional]):
            head += [f"{self.comment} What is read in some turns only:", *kept, ""]
        if introduction:
            head += [f"{self.comment} Once, before the first turn:", *introduction, ""]
        parts = {
            "helpers": [line for mark, text in self.helpers.items() if mark in body for line in ["", *_split(text)]],
            "introduction": head,
            "turn": turn,
        }
        about = ABOUT.format(title=" ".join(title.split()))
        return "\n".join(_put(_split(self.program), parts)).replace("%about%", about) + "\n"


@dataclass(frozen=True, slots=True)
class _Writer:
    """Turns commands of a stub into lines of a program."""

    language: Language
    answer: Command
    """The first command that an author's own strategy replaces."""

    def lines(self, commands: Sequence[Command], depth: int = 0) -> list[str]:
        """Return the statements of commands within ``depth`` loops."""
        lines: list[str] = []
        for command in commands:
            if command is self.answer:
                lines += [""] if lines else []
                lines.append(f"{self.language.comment} {STRATEGY.format(debug=self.language.debug)}")
            lines += [f"{self.language.comment} {text}" for text in command.comments]
            match command:
                case Read():
                    lines += self._read(command, depth)
                case Write():
                    lines.append(self._write(command.parts))
                case Loop():
                    lines += self._loop(command, depth)
                case If():
                    lines += self._if(command, depth)
        return lines

    def kept(self, variable: Variable) -> str:
        """Return the declaration of a value that is read in some turns only."""
        is_number = variable.kind in NUMBERS and not variable.loops
        text = (is_number and self.language.keep_number) or self.language.keep
        return _filled(text, name=self._name(variable), type=self._type(variable, len(variable.loops)))

    def _read(self, command: Read, depth: int) -> list[str]:
        language, variables = self.language, command.values
        if len(variables) == 1:
            return [self._stored(variables[0], depth, self._value(variables[0], language.line))]
        several, is_kept = language.several.get(variables[0].kind), language.keep and variables[0].conditional
        if several and not depth and not is_kept and len({each.kind for each in variables}) == 1:
            return [_filled(several, names=", ".join(map(self._name, variables)))]
        lines = [language.words]
        for at, variable in enumerate(variables):
            word = f"{language.sigil}words[{at}]"
            own = language.from_word.get(variable.kind)
            lines.append(self._stored(variable, depth, _filled(own, text=word) if own else self._value(variable, word)))
        return lines

    def _value(self, variable: Variable, text: str) -> str:
        return _filled(self.language.from_text.get(variable.kind, "%text%"), text=text)

    def _stored(self, variable: Variable, depth: int, value: str) -> str:
        """Return the statement that sets a value, or a list of values, within ``depth`` loops."""
        language, is_list = self.language, depth < len(variable.loops)
        if depth:
            outer, element = self._place(variable, depth - 1), self._place(variable, depth)
            return _filled(language.append, list=outer, element=element, value=value)
        text = (is_list and language.declare_list) or language.declare
        if variable.conditional and language.keep:
            text = f"%name% = %value%{';' * language.declare.endswith(';')}"
        kind = self._type(variable, len(variable.loops))
        return _filled(text, name=self._name(variable), type=kind, value=value)

    def _loop(self, loop: Loop, depth: int) -> list[str]:
        language, comment = self.language, self.language.comment
        count = str(loop.count) if isinstance(loop.count, int) else self._expression(loop.count)
        inner = self.lines(loop.body, depth + 1)
        lines: list[str] = []
        while inner[0].startswith(comment):  # it is about the lists rather than a round
            lines.append(inner.pop(0))
        match loop.body:
            case (Read(values=(only,)),) if language.filled_list and not depth:
                value = self._value(only, language.line)
                return [*lines, _filled(language.filled_list, name=self._name(only), value=value, count=count)]
        for variable in loop.variables:
            of = self._type(variable, len(variable.loops) - depth - 1)
            base, bracket, rest = of.partition("[")
            new = _filled(language.new_list, of=of, count=count, base=base, rest=bracket + rest)
            lines.append(self._stored(variable, depth, new))
        index = f"{language.sigil}{INDICES[depth]}"
        is_used = not language.unused_index or any(f"[{index}]" in line for line in inner)
        lines.append(_filled(language.loop, i=index if is_used else language.unused_index, count=count))
        return [*lines, *_indented(inner), *filter(None, [language.end])]

    def _if(self, command: If, depth: int) -> list[str]:
        language, is_text = self.language, isinstance(command.constant, str)
        text = (is_text and language.text_condition) or language.condition
        constant = f'"{self._quoted(command.constant)}"' if isinstance(command.constant, str) else f"{command.constant}"
        lines = [_filled(text, value=self._expression(command.value), constant=constant)]
        lines += _indented(self.lines(command.body, depth))
        if command.otherwise:
            lines += [language.otherwise, *_indented(self.lines(command.otherwise, depth))]
        return [*lines, *filter(None, [language.end])]

    def _write(self, parts: Sequence[str | Reference]) -> str:
        language = self.language
        if len(parts) == 1 and language.print_one:
            (part,) = parts
            value = f'"{self._quoted(part)}"' if isinstance(part, str) else self._expression(part)
            return _filled(language.print_one, value=value)
        pieces: list[str] = []
        for part, before in zip(parts, ("", *parts), strict=False):
            if isinstance(part, Reference) and isinstance(before, Reference) and language.joint:
                pieces.append('""')  # else + would add numbers
            pieces.append(
                _filled(language.constant, text=self._quoted(part))
                if isinstance(part, str)
                else _filled(language.hole, value=self._expression(part))
            )
        values = [f", {self._expression(part)}" for part in parts if isinstance(part, Reference)]
        return _filled(language.print, text=language.joint.join(pieces), values="".join(values))

    def _quoted(self, text: str) -> str:
        return text.translate({ord(sign): f"\\{sign}" for sign in f'"\\{self.language.escaped}'})

    def _name(self, variable: Variable) -> str:
        first, *others = variable.name.split("_")
        name = first + "".join(map(str.capitalize, others)) if self.language.camel_case else variable.name
        return self.language.sigil + name

    def _place(self, variable: Variable, depth: int) -> str:
        """Return the name of a value with the indices of ``depth`` loops."""
        return self._name(variable) + "".join(f"[{self.language.sigil}{index}]" for index in INDICES[:depth])

    def _expression(self, reference: Reference) -> str:
        """Return an expression for a value that has been read."""
        if reference.index is None:
            return self._place(reference.variable, len(reference.variable.loops))
        return self._name(reference.variable) + "".join(f"[{number}]" for number in reference.index)

    def _type(self, variable: Variable, lists: int) -> str:
        """Return the type of a value in so many lists."""
        kind = self.language.types.get(variable.kind, "")
        for _ in range(lists):
            kind = _filled(self.language.list_type, of=kind)
        return kind


def _declared(name: str) -> dict[str, Any]:
    """Return a language's declaration, which may name another one that it is ``like`` but for its own entries."""
    found = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    like = found.pop("like", "")
    return {**_declared(like), "aliases": [], **found} if like else found


_NAMES = sorted(path.stem for path in FOLDER.glob("*.toml"))
LANGUAGES = {name: msgspec.convert(_declared(name), Language) for name in _NAMES}
"""The languages of starter kits, by their names in ``sandbox.languages``."""


def _filled(template: str, /, **values: str) -> str:
    return re.sub(r"%([a-z]+)%", lambda place: values[place[1]], template)


def _indented(lines: Iterable[str], by: str = "    ") -> list[str]:
    """Return lines indented; empty ones stay empty."""
    return [f"{by}{line}" if line else line for line in lines]


def _split(text: str) -> list[str]:
    return text.strip("\n").split("\n")


def _put(lines: Sequence[str], parts: dict[str, list[str]]) -> Iterator[str]:
    """Yield lines, with a part in place of each line that is its name in ``%``."""
    for line in lines:
        name = line.strip().strip("%")
        if name in parts:
            yield from _indented(parts[name], line[: len(line) - len(line.lstrip())])
        else:
            yield line


def _answer(commands: Sequence[Command]) -> Command:
    """Return the first command that writes and does not read, so that an author's strategy begins before it."""
    first = next(filter(writes, commands))
    return _answer(first.inner) if first.inner and first.variables else first
