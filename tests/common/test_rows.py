"""Rows of tables: the words, addresses and escapes of Django's templates."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings
from django.template import engines
from django.template.defaultfilters import floatformat
from django.urls import reverse
from django.utils.translation import override
from hypothesis import example, given
from hypothesis import strategies as st

from common.rows import address, rounded, rows_drawn


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> str:
    """Name of a template that shows a word and a text."""
    from jinja2 import DictLoader

    monkeypatch.setattr(engines["jinja2"].env, "loader", DictLoader({"t": "{{ _('provisional') }} {{ text }}"}))
    monkeypatch.setattr(engines["jinja2"].env, "cache", {})
    return "t"


def test_text_is_escaped(drawn: str) -> None:
    assert rows_drawn(template=drawn, text="<b>&'\"") == "provisional &lt;b&gt;&amp;&#39;&#34;"


def test_each_reader_has_the_words_of_his_language(drawn: str) -> None:
    with override("ja"):
        there = rows_drawn(template=drawn, text="")
    assert there != rows_drawn(template=drawn, text="") == "provisional "


@pytest.mark.parametrize(
    ("view", "name"),
    [
        ("ladder:bot", 7),
        ("matches:match", 10**12),
        ("ladder:profile", "an ö/?#&@'"),
        ("ladder:profile", "100%"),
    ],
)
def test_addresses_are_those_of_the_site(view: str, name: int | str) -> None:
    assert address(view, name) == reverse(view, args=[name])


@given(
    st.floats(-1e9, 1e9).filter(lambda value: value == 0 or abs(value) > 1e-100)
    | st.integers(-20_000, 20_000).map(lambda n: n / 20),
    st.sampled_from([0, 1, -1]),
)
@example(-0.04, 1)
@example(-0.4, 0)
@example(0.25, -1)
@example(1e-7, 1)
def test_numbers_are_written_as_by_django(value: float, places: int) -> None:
    for language in ("en", "ru"):
        with override(language):
            assert rounded(value, places) == floatformat(value, places)


def test_no_row_turns_escaping_off() -> None:
    rows = [
        path for app in ("ladder", "matches") for path in (Path(settings.BASE_DIR) / app / "jinja2").rglob("*.html")
    ]
    assert rows
    for path in rows:
        assert "safe" not in path.read_text(), path
        assert "autoescape" not in path.read_text(), path
