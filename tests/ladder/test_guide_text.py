"""Guides as Markdown: what a program reads is what the page says."""

from __future__ import annotations

import pytest
from django.test import Client

from ladder.guides.text import guide_text
from tests.own import OWN

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("game", OWN)
def test_each_guide_is_text_without_html(game: str) -> None:
    text = Client().get(f"/api/v1/contests/{game}/guide/").json()["text"]
    assert f"```\n{Client().get(f'/games/{game}/guide/').context['bot']}".rstrip() in text
    prose = "".join(text.split("```")[::2])
    for word in ("\n# How to write a bot for ", "\n## Rules\n", "\n## Protocol\n", "\n## Limits\n", "MiB"):
        assert word in prose
    assert [mark for mark in ("<p", "<li", "<code", "&lt;", "viewBox") if mark in text] == []
    assert not any("\n\n\n" in part for part in text.split("```")[::2])
    assert len(text) < 30_000


def test_elements_become_markdown() -> None:
    page = """<nav>out</nav><main><nav>no</nav><h2 id="x">Rules</h2><p>Say  <code>a &lt; b</code>
      now.</p><ul><li>One<li>Two</ul><figure><div role="img" aria-label="A board"><svg><text>1</text></svg></div>
      <figcaption>Seen.</figcaption></figure><pre><code>x = 1
  y</code></pre><script>no</script></main><footer>out</footer>"""
    assert guide_text(page) == (
        "## Rules\n\nSay `a < b` now.\n\n- One\n- Two\n\n[Drawing: A board]\n\nSeen.\n\n```\nx = 1\n  y\n```\n"
    )
