"""Markdown of users: what it may do, and that it can do no harm."""

from __future__ import annotations

import re
import time

import pytest

from common.markdown import markdown_html

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](https://spy.example/pixel.png)",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "<javascript:alert(1)>",
    "[a]: javascript:alert(1)\n\n[a]",
    '[x](https://a.example "\\" onmouseover=alert(1) x=\\"")',
    "<a href='https://a.example' style='position:fixed;inset:0'>x</a>",
    "<style>body{display:none}</style>",
    "<form action=/accounts/close/ method=post><button>x</button></form>",
    "<iframe src=https://a.example></iframe>",
    '```"onclick=alert(1)\ncode\n```',
    "<svg><a xlink:href=javascript:alert(1)>x</a></svg>",
    "<div class=notice id=content>as the site's own</div>",
    "| a |\n|---|\n| <b onclick=alert(1)>x</b> |",
    "[x](//a.example/\x00javascript:alert(1))",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_markdown_does_nothing(text: str) -> None:
    html = markdown_html(text)
    elements = re.findall(r"<(/?[a-zA-Z][^>]*)>", html)
    names = {element.lstrip("/").split()[0] for element in elements}
    assert names <= {"p", "a", "pre", "code", "table", "thead", "tbody", "tr", "th", "td", "br"}
    for element in elements:
        attributes = set(re.findall(r"\s([a-z:]+)=", re.sub(r'"[^"]*"', '""', element)))
        assert attributes <= {"href", "title", "rel"}, html
    for href in re.findall(r'href="([^"]*)"', html):
        assert href.startswith(("https://", "//")), html


def test_links_are_not_followed_by_search_engines_and_tell_no_referrer() -> None:
    html = markdown_html("[rules](https://a.example/) and <mail@a.example>")
    assert html.count('rel="nofollow ugc noopener noreferrer"') == 2
    assert 'href="mailto:mail@a.example"' in html


def test_what_an_organiser_writes_is_rendered() -> None:
    text = "# Rules\n\n**Be** *kind*, ~~or~~ `else`:\n\n1. one\n2. two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> so\n"
    html = markdown_html(text)
    for part in ("<h2>Rules</h2>", "<strong>Be</strong>", "<ol>", "<td>1</td>", "<blockquote>", "<code>else</code>"):
        assert part in html
    assert "<h1" not in html
    assert "<h2>a</h2>\n<h3>b</h3>\n<h3>c</h3>" in markdown_html("##### a\n###### b\n## c")


@pytest.mark.parametrize("part", ["> ", "* ", "[", "*", "`", "![", "| a " * 50 + "\n", "<a ", "\\", "&#"])
def test_no_text_takes_long(part: str) -> None:
    begun = time.monotonic()
    markdown_html(part * (20_000 // len(part)))
    assert time.monotonic() - begun < 5
