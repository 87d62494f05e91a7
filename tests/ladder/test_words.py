"""Texts of the site: advice for every verdict, the limits that pages show, and the bot of the guide."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from pytest_django import Settings

from core.referee import ILLEGAL_ANSWER
from games.registry import FOLDER, game_named
from ladder.words.advice import advice_for
from sandbox import languages
from sandbox.api import Verdict
from tests.games.bots.kit import meet
from tests.ladder.makers import make_user
from workers.compiling import COMPILE_ERROR, NO_PROGRAM, Step


@pytest.mark.parametrize("verdict", [*Verdict, NO_PROGRAM, COMPILE_ERROR, ILLEGAL_ANSWER])
def test_there_is_advice_for_every_verdict(verdict: str) -> None:
    assert advice_for(verdict=str(verdict), step="check", language="") != advice_for(
        verdict="", step="check", language=""
    )


@pytest.mark.parametrize("verdict", [*Verdict, ILLEGAL_ANSWER])
def test_advice_on_a_fault_sends_nobody_to_a_log(verdict: str) -> None:
    """The advice is also shown on pages of matches, which have no build log."""
    assert "log" not in advice_for(verdict=str(verdict), step="check", language="").split()


@pytest.mark.parametrize("verdict", [Verdict.TIME, Verdict.MEMORY, Verdict.OUTPUT])
def test_advice_on_a_large_build_does_not_mention_turns(verdict: Verdict) -> None:
    """The program has not run yet: the compiler exceeded the limit."""
    advice = advice_for(verdict=verdict, step=Step.COMPILE, language="")
    assert advice != advice_for(verdict=verdict, step=Step.CHECK, language="")
    assert not re.search("answer|position", advice)


def test_advice_on_forbidden_calls_names_no_call_that_is_only_refused() -> None:
    """Sockets fail with EAFNOSUPPORT, and bots may start other programs: neither leads to this verdict."""
    advice = advice_for(verdict=Verdict.SECURITY, step="check", language="")
    assert "socket" not in advice
    assert "start" not in advice


@pytest.mark.parametrize("verdict", [Verdict.CRASHED, Verdict.TIME])
@pytest.mark.parametrize("language", [language.name for language in languages.ALL])
def test_advice_on_a_fault_is_for_the_bots_own_language(verdict: str, language: str) -> None:
    words = {
        "c": r"\bC\b(?!#)|fflush|GCC",
        "cpp": r"C\+\+|std::|GCC",
        "csharp": r"C#|Mono",
        "java": "Java\\b|OutOfMemoryError",
        "javascript": "heap out",
        "kotlin": "Kotlin|OutOfMemoryError",
        "php": "PHP",
        "typescript": "TypeScript|heap out",
        "python": "numpy|traceback",
        "ruby": "Ruby",
        "rust": "Rust|panic",
        "go": r"\bGo\b|panic",
    }
    told = advice_for(verdict=str(verdict), step="check", language=language)
    pairs = [("c", "cpp"), ("rust", "go"), ("java", "kotlin"), ("javascript", "typescript")]
    same = {**dict(pairs), **{other: one for one, other in pairs}}.get(language)
    foreign = [other for other, word in words.items() if other not in (language, same) and re.search(word, told)]
    assert foreign == []


@pytest.mark.parametrize("step", Step)
def test_there_is_advice_for_every_step(step: str) -> None:
    assert advice_for(verdict="something new", step=step, language="").endswith(".")
    assert advice_for(verdict="something new", step="elsewhere", language="") == ""


@pytest.mark.django_db
def test_the_upload_page_shows_the_limits_of_each_game(client: Client, settings: Settings) -> None:
    settings.BOT_LIMITS = {"puyo": {"memory_mib": 512, "pids_max": 32}}
    client.force_login(make_user("alice"))
    page = client.get("/upload/").content.decode()
    assert "Puyo Puyo: 512 MiB of memory, 32 processes and threads." in page
    assert "Kakomimasu: 256 MiB of memory, 64 processes and threads." in page


@pytest.mark.parametrize("game", settings.GAMES)
def test_the_bot_of_the_guide_plays_a_whole_match(game: str, tmp_path: Path) -> None:
    bot = tmp_path / "main.py"
    bot.write_bytes((FOLDER / game / "guide" / "bot.txt").read_bytes())
    seats = game_named(game).players[0]
    outcome = meet(game, [f"{sys.executable} {bot}"] * seats, seed=7)
    assert outcome.faults == (None,) * seats
    assert outcome.turns >= 15
