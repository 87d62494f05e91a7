"""Checks the files in a game's folder: words, viewer, guide, stub, bots. Each yields pairs of a place and sentences."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from fluent.runtime import FluentBundle, FluentResource
from fluent.syntax import FluentParser
from fluent.syntax.ast import Junk, Message

from banzuke.testing.setups import setups_of
from banzuke.viewer import STATIC
from core.game import Game
from core.message import TEXT
from games.housebots import housebots_fault
from games.kits import kit_languages
from games.registry import game_part
from games.stubs import STUB, BadStub, stub_read
from games.words import ENGLISH, FOLDER

Problem = tuple[str, str]
WORDS = f"words/{ENGLISH}.ftl"
VIEWER = "viewer/viewer.js"
EXPORTS = ("grid", "shape", "cellAt", "cellText", "score", "parts", "drawStill", "drawMoving")
"""The functions of a viewer's module; docs/play/games.md explains them."""
FRAMES_MAX = 50
"""How many frames of a match are drawn."""
DRAW = Path(__file__).resolve().parent / "viewer_check.mjs"
_EXPORT = r"^\s*export\s+(?:async\s+)?(?:function\*?|const|let|class)\s+{0}\b|^\s*export\s*\{{[^}}]*\b{0}\b[^}}]*\}}"
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z]{2,4})?")
_KINDS = {"IllegalAnswer": 0, "Message": 0, "event": 1, "Event": 1}
"""Functions whose argument at this place, from 0, is the kind of a message."""


def problems(game: Game[Any], folder: Path) -> Iterator[Problem]:
    """Yield what is wrong with the files of a game's folder."""
    yield from words_problems(game, folder)
    yield from viewer_problems(game, folder)
    yield from guide_problems(game, folder)
    try:
        stub_read(folder)
    except BadStub as error:
        yield STUB, str(error)
    else:
        if sentence := housebots_fault(game.name):
            yield "bots", sentence


def absent(game: Game[Any], folder: Path) -> Iterator[Problem]:
    """Yield what a folder may have and has not, and what follows from that."""
    if not (folder / VIEWER).is_file():
        yield VIEWER, "There is none. The viewer shows the `rows` of the frames as a text board."
    elif shutil.which("node") is None:
        yield VIEWER, "Only its exports were looked for, since Node.js is not installed: watch a match in a browser."
    if not (folder / "guide" / f"{ENGLISH}.html").is_file():
        yield f"guide/{ENGLISH}.html", "There is none. Authors of bots find no page with the rules."
    if not kit_languages(game.name):
        yield STUB, "There is none, and no kit in bots/. Authors of bots find no starter kit."


def words_problems(game: Game[Any], folder: Path) -> Iterator[Problem]:
    """Yield tables that cannot be read, and messages of the rules that have no English sentence."""
    own: dict[str, set[str]] = {}
    for path in sorted((folder / "words").glob("*")):
        place = f"words/{path.name}"
        if path.suffix != ".ftl" or not _LANGUAGE.fullmatch(path.stem):
            yield place, "It is no table: name tables by their language, such as en.ftl or pt-br.ftl."
            continue
        table = path.read_text(encoding="utf-8", errors="replace")
        yield from ((place, sentence) for sentence in _syntax_errors(table))
        own[path.stem] = _ids(table)
    for language, ids in own.items():
        for kind in sorted(ids - own.get(ENGLISH, set())):
            yield f"words/{language}.ftl", f"It has {kind!r}, which {WORDS} lacks: add the English sentence there."
    known = own.get(ENGLISH, set()) | _ids((FOLDER / f"{ENGLISH}.ftl").read_text(encoding="utf-8"))
    for kind, where in sorted(kinds_of(folder).items()):
        if kind not in known:
            yield WORDS, f"There is no sentence for {kind!r} ({where}): add a line `{kind} = ...`."
    yield from _unreadable_events(game, folder, known)


def _syntax_errors(table: str) -> Iterator[str]:
    for entry in FluentParser().parse(table).body:
        if isinstance(entry, Junk):
            line = table[: entry.span.start].count("\n") + 1 if entry.span else "?"
            reasons = "; ".join(str(annotation.message) for annotation in entry.annotations)
            yield f"Line {line} is no Fluent ({reasons}): write `kind = sentence`, see https://projectfluent.org."


def _ids(table: str) -> set[str]:
    return {entry.id.name for entry in FluentParser().parse(table).body if isinstance(entry, Message)}


def kinds_of(folder: Path) -> dict[str, str]:
    """Return where in a game's code each kind of message is made, as far as kinds are written as plain text."""
    found: dict[str, str] = {}
    for path in sorted(folder.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = getattr(node.func, "id", getattr(node.func, "attr", "")) if isinstance(node, ast.Call) else ""
            if isinstance(node, ast.Call) and name in _KINDS and len(node.args) > _KINDS[name]:
                kind = node.args[_KINDS[name]]
                if isinstance(kind, ast.Constant) and isinstance(kind.value, str) and kind.value != TEXT:
                    found.setdefault(kind.value, f"{path.name}, line {node.lineno}")
    return found


def _unreadable_events(game: Game[Any], folder: Path, known: set[str]) -> Iterator[Problem]:
    """Yield kinds of events of random matches that have no English sentence, or one with values that they lack.

    ``known`` are the kinds that have an English sentence.
    """
    bundle = FluentBundle([ENGLISH], use_isolating=False)
    for path in (folder / WORDS, FOLDER / f"{ENGLISH}.ftl"):
        if path.is_file():
            bundle.add_resource(FluentResource(path.read_text(encoding="utf-8", errors="replace")))
    written = kinds_of(folder)
    for kind, event in events_of(game).items():
        if kind not in known:
            if kind not in written:
                yield WORDS, f"There is no sentence for the event {kind!r}: add a line `{kind} = ...`."
            continue
        values = {name: _sample(value) for name, value in (event.get("args") or {}).items()}
        if event.get("seat") is not None:
            values["bot"] = "A"
        pattern = bundle.get_message(kind).value
        for error in bundle.format_pattern(pattern, values)[1] if pattern else ():
            given = ", ".join(f"${name}" for name in values) or "none"
            yield WORDS, f"The sentence of {kind!r} cannot be made: {error}. The values of this event are: {given}."


def _sample(value: Any) -> str | int | float:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else "A"


@cache
def events_of(game: Game[Any]) -> Mapping[str, Mapping[str, Any]]:
    """Return an event of each kind that random matches of a game have."""
    found: dict[str, Mapping[str, Any]] = {}
    for setup in setups_of(game):
        with suppress(Exception):  # what the rules raise is told by the checks of the rules
            for record in [*setup.match(), *setup.short_match()]:
                for event in record.get("events", ()):
                    found.setdefault(event["kind"], event)
    return found


def viewer_problems(game: Game[Any], folder: Path) -> Iterator[Problem]:
    """Yield what is wrong with the module of a viewer: functions that it lacks, errors, drawing outside of its picture.

    Node.js runs it on the frames of a match. Without Node.js its text is searched for exports.
    """
    path = folder / VIEWER
    if not path.is_file():
        if path.parent.is_dir():
            yield VIEWER, "There is none in the folder viewer: the viewer of a game is its module viewer.js."
        return
    node = shutil.which("node")
    if node:
        yield from ((VIEWER, sentence) for sentence in _drawn(node, game, path))
        return
    source = path.read_text(encoding="utf-8", errors="replace")
    for name in EXPORTS:
        if not re.search(_EXPORT.format(name), source, re.MULTILINE) and "export *" not in source:
            yield VIEWER, f"It does not export the function `{name}`: write `export function {name}(..)`."


def _drawn(node: str, game: Game[Any], path: Path) -> list[str]:
    """Return what is wrong with a module, in sentences, after Node.js has drawn a match with it."""
    found: list[str] = []
    for players in game.players:
        setup = next(setup for setup in setups_of(game) if setup.players == players)
        try:
            header, *records = setup.match()
        except Exception:  # noqa: BLE001 - the checks of the rules tell of it
            return found
        match = {
            "module": f"./games/{game.name}/viewer.js",
            "required": EXPORTS,
            "setting": header["setting"],
            "frames": [header["frame"], *(record["frame"] for record in records[:-1])][:FRAMES_MAX],
            "letters": game.seat_letters,
            "players": players,
        }
        with tempfile.TemporaryDirectory(prefix="banzuke-") as text:
            site = Path(text)  # as the site serves these folders
            site.joinpath("package.json").write_text('{"type": "module"}')
            site.joinpath("games").mkdir()
            site.joinpath("games", game.name).symlink_to(path.parent.resolve())
            site.joinpath("matches").symlink_to(next(folder for folder in STATIC["matches"] if folder.is_dir()))
            site.joinpath(DRAW.name).symlink_to(DRAW)
            command = [node, "--preserve-symlinks", "--preserve-symlinks-main", str(site / DRAW.name)]
            done = subprocess.run(  # noqa: S603 - the author's own module on his own machine
                command, input=msgspec.json.encode(match), capture_output=True, check=False, timeout=60
            )
        if done.returncode:
            return [f"Node.js cannot run it: {done.stderr.decode(errors='replace').strip()[-300:]}"]
        found += [sentence for sentence in msgspec.json.decode(done.stdout) if sentence not in found]
    return found


def guide_problems(game: Game[Any], folder: Path) -> Iterator[Problem]:
    """Yield what is wrong with the pages on the rules."""
    pages = sorted((folder / "guide").glob("*.html"))
    for path in pages:
        if not _LANGUAGE.fullmatch(path.stem):
            yield f"guide/{path.name}", "Name pages by their language, such as en.html."
    if pages and ENGLISH not in {path.stem for path in pages}:
        yield f"guide/{ENGLISH}.html", "There is none: readers of other languages are shown the English page."
    if (folder / "guide" / "__init__.py").is_file():
        try:
            material = game_part(game.name, "guide")
        except Exception as error:  # noqa: BLE001 - the package's own code
            yield "guide/__init__.py", f"It cannot be imported: {type(error).__name__}: {error}"
        else:
            if not hasattr(material, "MATERIAL"):
                yield "guide/__init__.py", "It has no MATERIAL, the drawings and numbers of the page."
