"""Translation of the sentences of the rules, the sandbox and the workers: each one has a pattern."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.utils.translation import override

from common.words.sentences import COMMENTARY, COUNTED, _all, _matcher, translated, viewer_sentences
from games.registry import game_named
from sandbox import languages, verdicts
from sandbox.api import Limits
from workers.build import rulesets_hint

TO_DO = "Add it to common/words/sentences.py, run `make catalogues` and translate it."
HOLE = "7"
"""Stands for each variable part of a sentence that is read from the source."""
WORDS = {f"has {HOLE} lines": "has more lines", f"not legal. {HOLE}": "not legal. Nobody is there to be pushed."}
"""Variable parts that are words; those of refusals are tested one by one."""
FAULTS = {"IllegalAnswer", "Refusal", "NoProgram", "BotFault", "_fault"}
"""Names that raise bots' faults; the sentence is the last text among the arguments."""


def is_known(text: str) -> bool:
    with override("ja"):
        return translated(text) != text


def sentences_of(path: Path) -> Iterator[str]:
    """Yield the sentences of the faults that a source file raises."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in FAULTS:
            texts = [text for argument in node.args if (text := as_text(argument))]
            yield from texts[-1:]


def as_text(node: ast.expr) -> str:
    """Return an example of a string literal; empty if it is none, or has no fixed part."""
    if isinstance(node, ast.JoinedStr):
        parts = [as_text(part) if isinstance(part, ast.Constant) else HOLE for part in node.values]
        return "".join(parts) if any(isinstance(part, ast.Constant) for part in node.values) else ""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


@pytest.mark.parametrize("files", [("core/*.py", "games/*/*.py"), ("sandbox/**/*.py",)])
def test_every_fault_is_known(files: tuple[str, ...]) -> None:
    paths = [path for pattern in files for path in Path(settings.BASE_DIR).glob(pattern)]
    found = {text for path in paths for text in sentences_of(path)}
    assert len(found) > 5, "the sources are written differently now: this test must read them anew"
    for hole, words in WORDS.items():
        found = {text.replace(hole, words) for text in found}
    unknown = {text for text in found if not is_known(text)}
    assert not unknown, TO_DO


def example(pattern: str) -> str:
    """Return an example of a pattern's sentences."""
    return re.sub(r"\{(\w+)\}", lambda place: f"{HOLE} {place[1]}" if place[1] in COUNTED else HOLE, pattern)


def shadowed(patterns: Iterable[str]) -> dict[str, str]:
    """Return the patterns whose sentences match another pattern that is tried before, with that other."""
    tried = list(patterns)
    first = {p: next(q for q in tried if _matcher(q).fullmatch(example(p))) for p in tried}
    return {pattern: other for pattern, other in first.items() if other != pattern}


def test_no_pattern_matches_the_sentences_of_another() -> None:
    """Otherwise a part of them stays English."""
    assert shadowed(_all()) == {}


@pytest.mark.parametrize("game", COMMENTARY)
def test_no_pattern_of_the_viewer_matches_the_sentences_of_another(game: str) -> None:
    with override("ja"):
        assert shadowed(pattern for pattern, _ in viewer_sentences(game)["sentences"]) == {}


def test_sentences_about_builds_and_check_matches_are_known(tmp_path: Path) -> None:
    for name in ("main.c", "old.c"):
        (tmp_path / name).write_text("int main() {}")
    c, python = languages.language("c"), languages.language("python")
    told_of = [
        c.why_not_built(tmp_path, "main.c", "multiple definition of `main'"),
        c.why_not_built(tmp_path, "main.c", "Segmentation fault signal terminated program cc1"),
        c.why_not_built(tmp_path, "main.c", "File size limit exceeded"),
        python.is_older("NameError: name 'raw_input' is not defined"),
        f"In turn 1 of the check match: It was killed by signal 6.{rulesets_hint(game_named('kakomimasu'))}",
    ]
    assert all(told_of)
    assert not [text for text in told_of if not is_known(text)], TO_DO
    with override("ja"):
        assert "signal" not in translated(told_of[-1]), "also the sentence within"


def test_every_refusal_of_wondev_woman_is_known() -> None:
    from games.wondev_woman.refusals import SENTENCES

    assert not [text for text in SENTENCES.values() if not is_known(text)], TO_DO


LIMITS = Limits(memory_mib=256, pids_max=32, tmp_mib=16)


@pytest.mark.parametrize(
    "text",
    [
        *(verdicts.of_exit(code, LIMITS, kills)[1] for code, kills in ((1, 0), (139, 0), (250, 0), (159, 0), (137, 1))),
        *(verdicts.of_exit(1, LIMITS, 0, verdicts.half_answer(begun))[1] for begun in (b"1 2", b"1 2\n")),
        verdicts.of_exit(1, LIMITS, 0, verdicts.unasked(again=True))[1],
        *(verdicts.out_of_cpu(1_234.5, 1_000, bank, "this turn") for bank in (0, 345.6)),
        verdicts.out_of_cpu(1_001, 1_000, 0, "its start"),
        verdicts.out_of_cpu(60_001, 60_000, 0, "this step"),
        *(verdicts.out_of_wall(1.5, 10_000, what, b"") for what in ("this turn", "its start", "this step")),
        *(verdicts.out_of_wall(1.5, 10_000, "this turn", begun) for begun in (b"1 2", b"1 2\n", b"1 2\n3")),
        *(verdicts.unasked(again=again) for again in (False, True)),
    ],
)
def test_the_sandboxs_verdicts_are_known(text: str) -> None:
    assert is_known(text), TO_DO


@pytest.mark.parametrize(
    ("begun", "lacks"), [(b"", "it waited"), (b"1 2", "line break"), (b"1\n2", "line break"), (b"1 2\n", "fewer lines")]
)
def test_an_incomplete_answer_is_reported_with_what_it_lacks(begun: bytes, lacks: str) -> None:
    assert lacks in verdicts.out_of_wall(1, 10_000, "this turn", begun)


@pytest.mark.parametrize(
    ("text", "japanese", "russian"),
    [
        ("A ring closes: 1 cell, 21 points.", "囲い完成: 1マス、21点。", "Кольцо замкнуто: 1 клетка, 21 очко."),
        ("A ring closes: 12 cells, 2 points, and the lead.", None, "Кольцо замкнуто: 12 клеток, 2 очка — и лидерство."),
        (
            "BACK: the match returns to round 7; 4 cells set free.",
            "BACK: ラウンド7に戻り、4マスが中立に戻る。",
            "BACK: матч возвращается к раунду 7; освобождено: 4 клетки.",
        ),
        ("A chain of 5: 12,345 points.", "5連鎖: 12,345点。", "Цепочка из 5: 12\xa0345 очков."),
        (
            "It used 1,234 ms of CPU time; the limit for this turn is 1,000 ms.",
            "CPU 時間を 1,234 ms 使いました。このターンの上限は 1,000 ms です。",
            "Потрачено 1\xa0234 мс процессорного времени; лимит на этот ход — 1\xa0000 мс.",
        ),
        (
            "In turn 3 of the check match: PUSH&BUILD 0 N S is not legal. Nobody is there to be pushed.",
            "確認試合のターン 3: PUSH&BUILD 0 N S は合法手ではありません。押す相手がいません。",
            None,
        ),
        (
            "Its answer is invalid: the rules pick for it (fault 2 of 3).",
            "答えが無効: ルールに従って代わりに選ぶ（3回中2回目の反則）。",
            "Ответ недопустим, за него выбирают правила (нарушение 2 из 3).",
        ),
    ],
)
def test_examples(text: str, japanese: str | None, russian: str | None) -> None:
    for language, expected in (("en", text), ("ja", japanese), ("ru", russian)):
        with override(language):
            assert expected is None or translated(text) == expected


@pytest.mark.parametrize(
    "text", ["", "Whatever an administrator wrote.", "{sentence}", "The build: {sentence}", "A ring closes: x cells."]
)
def test_an_unknown_sentence_stays_english(text: str) -> None:
    with override("ru"):
        assert translated(text).endswith(text.removeprefix("The build: "))


def test_braces_in_a_bots_text_are_no_placeholders() -> None:
    text = "The answer is 'MOVE {answer} {sentence}', but x y or BACK k is expected."
    with override("ru"):
        assert translated(text) == "Ответ 'MOVE {answer} {sentence}', а нужно x y или BACK k."


@pytest.mark.parametrize("game", COMMENTARY)
def test_the_viewer_gets_the_sentences_of_its_game(game: str) -> None:
    with override("en"):
        assert viewer_sentences(game) == {"sentences": [], "counted": {}}, "nothing to carry for readers of English"
    with override("ru"):
        page = viewer_sentences(game)
    patterns = [pattern for pattern, _ in page["sentences"]]
    assert set(COMMENTARY[game]) <= set(patterns)
    assert "No program was found" not in " ".join(patterns), "builds are not shown by the viewer"
    for count in page["counted"].values():
        assert set(count) == {"one", "few", "many", "other"}
        assert len(set(count.values())) == 3, "Russian has three forms"
