"""The guide and the kits of a contest say what is special about it."""

from __future__ import annotations

import io
import zipfile

import pytest
from django.test import Client

from contests.models import Contest
from jobs.models import WorkingLanguage

pytestmark = pytest.mark.django_db


@pytest.fixture
def contest() -> Contest:
    for position, (name, title) in enumerate((("python", "Python 3"), ("cpp", "C++"), ("rust", "Rust"))):
        row = {"version": "1", "entries": [f"main.{name}"], "suffixes": [], "position": position}
        WorkingLanguage.objects.create(name=name, title=title, **row)
    return Contest.objects.create(
        slug="league0",
        title="League 0",
        game="wondev_woman",
        state="open",
        ruleset="league0",
        options={"symmetric": True},
        limits={"memory_mib": 512, "time_percent": 300},
        languages=["cpp", "python"],
        bots_max=2,
    )


def test_the_guide_says_rules_limits_and_languages_of_the_contest(client: Client, contest: Contest) -> None:
    page, usual = client.get("/contests/league0/guide/").text, client.get("/games/wondev_woman/guide/").text
    assert "In this contest" in page
    assert "In this contest" not in usual
    for words in ("league0", "300 % of the game", "512 MiB", "C++, Python 3", "Bots a participant"):
        assert words in page.replace("League 0", "league0"), words
    assert "150 ms for every further one" in page  # three times 50 ms
    assert "50 ms for every further one" in usual
    assert "Rust" not in page
    assert "/upload/?contest=league0" in page


def test_kits_lead_to_the_contest_and_are_of_its_languages(client: Client, contest: Contest) -> None:
    answer = client.get("/contests/league0/kits/cpp.zip")
    readme = zipfile.ZipFile(io.BytesIO(answer.content)).read("README.md").decode()
    assert "`/contests/league0/guide/`" in readme
    assert "- Languages: C++, Python 3" in readme
    assert "/upload/?contest=league0" in readme
    assert client.get("/contests/league0/kits/rust.zip").status_code == 404
    assert client.get("/games/wondev_woman/kits/rust.zip").status_code == 200
