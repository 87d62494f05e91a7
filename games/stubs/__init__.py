"""Reads ``stub.txt``, in which a game describes once what a bot reads and writes; starter kits are made from it.

The words are those of CodinGame's stub generator. ``docs/play/stub.md`` describes the format; ``games.stubs.writer``
writes the programs.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

STUB = "stub.txt"
"""Name of the file in the folder of a game."""
NUMBERS = ("int", "float")
LISTS = {"ints": "int", "words": "word"}
"""Kinds whose value is a list made of a whole line, each with the kind of the list's elements."""
KINDS = (*NUMBERS, "word", "line", *LISTS)
LOOPS_MAX = 3
"""The most loops within each other: the generated programs have three names for indices."""
NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*")
_KEYWORDS = """
abstract alignas alignof arguments asm auto base become bitand bitor bool boolean box byte case catch char checked compl
concept console const consteval constexpr constinit crate debugger decimal decltype default delegate delete do double
dyn enum errno eval event explicit export extends extern final fixed float fn foreach friend fun function goto impl
implements implicit inline instanceof int interface internal let linux lock long loop macro mod move mut mutable
namespace native new noexcept null nullptr object operator out override package params priv private protected pub public
readonly ref register requires sbyte sealed self short signed sizeof stackalloc static str strictfp struct super switch
synchronized template this throw throws trait transient type typealias typedef typeid typename typeof uint ulong
unchecked undefined union unix unsafe unsigned unsized use ushort using val var virtual void volatile wchar_t when where
xor
"""
_USED = """
args argc argv cin cout endl exit getline i input ints istringstream j k line lines main map print range read_line
reader split std string sys vec vector words
"""
RESERVED = frozenset([*keyword.kwlist, *keyword.softkwlist, *_KEYWORDS.split(), *_USED.split()])
"""Names that a variable must not have: keywords of a language, and names that the generated programs use."""

_WORD = re.compile(r"(?P<name>[^:\s]+):(?P<kind>\S+)")
_PLACE = re.compile(r"\{([^{}]*)\}")
_REFERENCE = re.compile(r"([a-z0-9_]+)((?:\[[0-9]{1,4}\])*)")
_CONDITION = re.compile(r"(\S+) == ([!-~]+)")
_COMMENT = re.compile(r"(?:^|\s)#\s*(.*)")


class BadStub(ValueError):  # noqa: N818 - the field's word for it
    """A ``stub.txt`` is wrong. The text is a whole sentence that names the file and the line."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A value that a bot reads; one that is read in loops is a list, or a list of lists."""

    name: str
    """The variable's name in lower case, with words joined by _."""
    kind: str
    """One of ``KINDS``."""
    loops: tuple[int, ...]
    """The lines of the stub in which the loops around it begin, the outermost first."""
    conditional: bool
    """Whether it is read in an ``if``: it keeps its value until it is read again."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A value that has been read, as a count, in a condition or in what is written."""

    variable: Variable
    index: tuple[int, ...] | None
    """Which element of the lists; None: that of the rounds of the loops around, if there are any."""

    @property
    def kind(self) -> str:
        """The kind of the value."""
        return LISTS.get(self.variable.kind, self.variable.kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One thing that a program does."""

    comments: tuple[str, ...]
    """Text for the readers of the program."""
    values: tuple[Variable, ...] = ()
    """The values that the command reads itself, without those of the commands in it."""
    body: tuple[Command, ...] = ()
    """The commands that a loop repeats, or that an ``if`` does where its condition holds."""
    otherwise: tuple[Command, ...] = ()
    """The commands of an ``else``, done where the condition does not hold."""

    @property
    def inner(self) -> tuple[Command, ...]:
        """The commands directly within this one: ``body``, then ``otherwise``."""
        return (*self.body, *self.otherwise)

    @property
    def variables(self) -> tuple[Variable, ...]:
        """All values that this command, and those within it, read."""
        return (*self.values, *(variable for command in self.inner for variable in command.variables))


class Read(Command):
    """One line of input."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Write(Command):
    """One line of output, as constant text and values in their order."""

    parts: tuple[str | Reference, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop(Command):
    """Commands that are repeated."""

    count: int | Reference


@dataclass(frozen=True, slots=True, kw_only=True)
class If(Command):
    """Commands for when a value is a constant, and for when it is not."""

    value: Reference
    constant: str | int


@dataclass(frozen=True, slots=True)
class Stub:
    """What a bot reads and writes in a match."""

    introduction: tuple[Command, ...]
    """The commands done once, before the first turn."""
    turn: tuple[Command, ...]
    """The commands done in each turn."""


def stub_read(folder: Path) -> Stub | None:
    """Return the stub in the folder of a game; None if there is none.

    Raises:
        BadStub: the stub is wrong.
    """
    path = folder / STUB
    if not path.is_file():
        return None
    try:
        return parse(path.read_text(encoding="utf-8"), str(path))
    except UnicodeDecodeError as error:
        raise BadStub(f"{path} is no text in UTF-8: save it as such.") from error


def parse(text: str, name: str = STUB) -> Stub:
    """Return the stub that the content of a file describes; errors call the file ``name``.

    Raises:
        BadStub: something is wrong; the first such line is named.
    """
    return _Parser(text, name).stub()


def writes(command: Command) -> bool:
    """Return whether a command writes, or one within it."""
    return isinstance(command, Write) or any(map(writes, command.inner))


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of the stub that holds a command."""

    number: int
    indent: int
    command: str = ""
    rest: str = ""
    """What follows the command."""
    comments: tuple[str, ...] = ()
    """Its own comment, after those on lines of their own before it."""


@dataclass
class _Parser:
    """Reads one stub."""

    text: str
    name: str
    known: dict[str, Variable] = field(default_factory=dict)
    """Values read so far, by name."""
    ifs: int = 0
    """How many of ``if`` and ``else`` are around the present line."""

    def stub(self) -> Stub:
        lines = list(self._lines())
        begin = next((at for at, line in enumerate(lines) if line.command == "gameloop"), None)
        if begin is None:
            raise BadStub(f"{self.name} has no gameloop: write that line before what is read and written each turn.")
        introduction = self._block(lines[:begin], ())
        if any(map(writes, introduction)):
            raise BadStub(f"{self.name} has a write before its gameloop, but bots answer only in turns.")
        head, body = lines[begin], lines[begin + 1 :]
        if body:
            body[0] = replace(body[0], comments=(*head.comments, *body[0].comments))
        if head.indent or head.rest:
            raise self._wrong(head, "gameloop stands alone at the beginning of its line.")
        turn = self._block(body, (), indent=body[0].indent if body else 0)
        if not any(map(writes, turn)):
            raise self._wrong(head, "nothing is written in the gameloop: a bot must answer by at least one write.")
        if not any(command.variables for command in turn):
            raise self._wrong(
                head, "nothing is read in the gameloop: a bot must wait for its turn by at least one read."
            )
        return Stub(introduction, turn)

    def _lines(self) -> Iterator[_Line]:
        """Yield the commands with their comments."""
        before: list[str] = []
        for number, raw in enumerate(self.text.splitlines(), 1):
            found = _COMMENT.search(raw)
            code = raw[: found.start()].rstrip() if found else raw.rstrip()
            comments = [found[1].rstrip()] if found and found[1].strip() else []
            line = _Line(number, len(code) - len(code.lstrip()))
            if "\t" in raw:
                raise self._wrong(line, "it holds a tab: indent with spaces.")
            if any("\\" in comment for comment in comments):
                raise self._wrong(line, "its comment holds a \\, which C++ and Java read as more than a comment.")
            before += comments
            if code:
                command, _, rest = code.strip().partition(" ")
                yield replace(line, command=command, rest=rest.strip(), comments=tuple(before))
                before = []

    def _block(self, lines: Sequence[_Line], loops: tuple[int, ...], indent: int = 0) -> tuple[Command, ...]:
        """Return the commands of lines that are indented alike, each with what is indented more below it.

        ``loops`` are the numbers of the lines in which the loops around them begin, the outermost first.
        """
        commands: list[Command] = []
        at = 0
        while at < len(lines):
            line, at = lines[at], at + 1
            if line.indent != indent:
                raise self._wrong(line, f"it is indented by {line.indent} spaces, but the lines before it by {indent}.")
            inner = at
            while inner < len(lines) and lines[inner].indent > indent:
                inner += 1
            if line.command == "else":
                commands[-1:] = [self._else(line, lines[at:inner], commands[-1:], loops)]
            else:
                commands.append(self._command(line, lines[at:inner], loops))
            at = inner
        return tuple(commands)

    def _command(self, line: _Line, inner: Sequence[_Line], loops: tuple[int, ...]) -> Command:
        match line.command:
            case "loop":
                return self._loop(line, inner, loops)
            case "if":
                return self._if(line, inner, loops)
            case _ if inner:
                raise self._wrong(inner[0], "it is indented, but only lines below loop, if, else and gameloop are.")
            case "read":
                return self._read(line, loops)
            case "write":
                return self._write(line, loops)
            case "gameloop":
                raise self._wrong(line, "it is a second gameloop, but there is one.")
            case word:
                raise self._wrong(line, f"the command {word!r} is none of read, write, loop, if, else and gameloop.")

    def _read(self, line: _Line, loops: tuple[int, ...]) -> Read:
        words = line.rest.split()
        if not words:
            raise self._wrong(line, "it reads nothing: write what, such as `read x:int y:int`.")
        variables = tuple(self._variable(line, word, loops) for word in words)
        for kind in (variable.kind for variable in variables):
            if len(words) > 1 and kind in ("line", *LISTS):
                raise self._wrong(line, f"a value of kind {kind} is the whole line: give it a read of its own.")
        return Read(comments=line.comments, values=variables)

    def _variable(self, line: _Line, word: str, loops: tuple[int, ...]) -> Variable:
        match = _WORD.fullmatch(word)
        if match is None or match["kind"] not in KINDS:
            raise self._wrong(line, f"{word!r} is no name:kind, where the kind is one of {', '.join(KINDS)}.")
        name = match["name"]
        if not NAME.fullmatch(name):
            raise self._wrong(line, f"the name {name!r} is not made of small letters, such as `x` or `enemy_count`.")
        if name in RESERVED:
            raise self._wrong(line, f"the name {name!r} has a meaning in one of the languages: choose another.")
        if name in self.known:
            raise self._wrong(line, f"the name {name!r} is read a second time: choose another.")
        self.known[name] = Variable(name, match["kind"], loops, self.ifs > 0)
        return self.known[name]

    def _loop(self, line: _Line, inner: Sequence[_Line], loops: tuple[int, ...]) -> Loop:
        amount, _, rest = line.rest.partition(" ")
        if rest:  # `loop amount command`, as CodinGame writes it
            if inner:
                raise self._wrong(inner[0], "it is below a loop that has its command on its own line already.")
            command, _, what = rest.strip().partition(" ")
            inner = [_Line(line.number, line.indent + 1, command, what.strip())]
        if not inner:
            raise self._wrong(line, "the loop repeats nothing: indent the lines below it that it is to repeat.")
        if len(loops) == LOOPS_MAX:
            raise self._wrong(line, f"there are {LOOPS_MAX} loops around it already.")
        count = int(amount) if re.fullmatch("[0-9]{1,4}", amount) else self._reference(line, amount, loops)
        if isinstance(count, Reference) and count.kind != "int":
            raise self._wrong(line, f"the count {amount!r} is no int.")
        body = self._block(inner, (*loops, line.number), inner[0].indent)
        return Loop(comments=line.comments, count=count, body=body)

    def _if(self, line: _Line, inner: Sequence[_Line], loops: tuple[int, ...]) -> If:
        match = _CONDITION.fullmatch(line.rest)
        if match is None:
            raise self._wrong(line, "it asks for no value: write `if name == VALUE`, such as `if count == 0`.")
        value, constant = self._reference(line, match[1], loops), match[2]
        if value.kind == "float" or (value.kind == "int" and not re.fullmatch("-?[0-9]{1,9}", constant)):
            raise self._wrong(line, f"{match[1]!r} of kind {value.kind} is never {constant!r} for certain.")
        body = self._case(line, inner, loops)
        known = int(constant) if value.kind == "int" else constant
        return If(comments=line.comments, value=value, constant=known, body=body)

    def _else(self, line: _Line, inner: Sequence[_Line], before: Sequence[Command], loops: tuple[int, ...]) -> If:
        if line.rest or not before or not isinstance(before[0], If) or before[0].otherwise:
            raise self._wrong(line, "else stands alone, below an if of the same indentation.")
        if inner:
            inner = [replace(inner[0], comments=(*line.comments, *inner[0].comments)), *inner[1:]]
        return replace(before[0], otherwise=self._case(line, inner, loops))

    def _case(self, line: _Line, inner: Sequence[_Line], loops: tuple[int, ...]) -> tuple[Command, ...]:
        """Return the commands of one case of an ``if``."""
        if not inner:
            raise self._wrong(line, f"the {line.command} does nothing: indent the lines for its case below it.")
        self.ifs += 1
        commands = self._block(inner, loops, inner[0].indent)
        self.ifs -= 1
        if loops and any(command.variables for command in commands):
            raise self._wrong(line, f"there is a read below this {line.command} in a loop, whose rounds read alike.")
        return commands

    def _write(self, line: _Line, loops: tuple[int, ...]) -> Write:
        text = line.rest
        if not text or not (text.isascii() and text.isprintable()):
            raise self._wrong(line, "what it writes must be text in ASCII, such as `write WAIT` or `write {x} {y}`.")
        pieces = _PLACE.split(text)
        if any(sign in piece for piece in pieces[::2] for sign in "{}"):
            raise self._wrong(line, "it has a { without a }, or the other way round.")
        parts = [self._reference(line, piece, loops) if at % 2 else piece for at, piece in enumerate(pieces)]
        return Write(comments=line.comments, parts=tuple(part for part in parts if part != ""))

    def _reference(self, line: _Line, text: str, loops: tuple[int, ...]) -> Reference:
        match = _REFERENCE.fullmatch(text)
        if match is None or match[1] not in self.known:
            raise self._wrong(line, f"{text!r} is nothing that has been read before it.")
        variable = self.known[match[1]]
        index = tuple(map(int, re.findall("[0-9]+", match[2])))
        lists = len(variable.loops) + (variable.kind in LISTS)
        if not index and variable.kind not in LISTS and variable.loops == loops[: len(variable.loops)]:
            return Reference(variable, None)
        if len(index) != lists:
            example = variable.name + "[0]" * lists
            raise self._wrong(line, f"{text!r} is a list, or none: here it would be `{example}`.")
        return Reference(variable, index)

    def _wrong(self, line: _Line, sentence: str) -> BadStub:
        return BadStub(f"{self.name}, line {line.number}: {sentence}")
