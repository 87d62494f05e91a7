"""The guides to the games agree with the rules: drawings, conversations and numbers, in every language."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from django.conf import settings
from django.template import Context, Template, TemplateSyntaxError
from django.test import Client
from django.utils.html import escape, strip_tags
from pytest_django.fixtures import Settings

from contests.models import Contest
from contests.selectors.contests import bot_limits
from games.attack25 import guide as attack25
from games.back_to_the_code import guide as back_to_the_code
from games.guide.conversation import Question, Script, conversation
from games.guide.drawing import BoardDrawing, Cell, Figure
from games.kakomimasu import guide as kakomimasu
from games.puyo import guide as puyo
from games.registry import game_named
from games.wondev_woman import guide as wondev_woman
from games.words import ruleset_title
from ladder.guides import LANGUAGES, guide_conversation, guide_figure, guide_language, guide_material
from ladder.guides.svg import figure_html
from tests.core.toy import RockPaperScissors
from tests.installing import games_installed
from tests.ladder.makers import make_bot, make_version
from tests.own import OWN

SECTIONS = ("rules", "scoring", "protocol", "variants", "bot", "limits")
GAMES = OWN
FIGURES = [(game, name) for game in GAMES for name in guide_material(game).figures]


def page(client: Client, game: str, language: str) -> str:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    return client.get(f"/games/{game}/guide/").content.decode()


def labels(game: str, name: str) -> list[str]:
    return [board.label for board in guide_figure(game, name).boards]


def grounds(board: BoardDrawing) -> list[str]:
    return [cell.ground for row in board.rows for cell in row]


def marked(board: BoardDrawing) -> set[tuple[int, int]]:
    return {(x, y) for y, row in enumerate(board.rows) for x, cell in enumerate(row) if cell.marked}


def test_the_pages_are_written_in_every_language_of_the_site() -> None:
    site = {code for code, _ in settings.LANGUAGES}
    assert site == set(LANGUAGES), "Write ladder/templates/ladder/guides/<language>/, and list it in ladder/guides."


def test_readers_get_the_guide_in_their_language_or_in_english(
    rps: RockPaperScissors, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = {"en": "en", "ja": "ja", "ja-jp": "ja", "ru": "ru", "tlh": "en", None: "en"}
    assert {language: guide_language("puyo", language) for language in wanted} == wanted
    monkeypatch.setattr("ladder.guides.LANGUAGES", ("en", "pt", "pt-br"))  # guides may be written for a region
    assert [guide_language("rps", wanted) for wanted in ("pt-br", "pt", "pt-pt", "zh-hans")] == [
        "pt-br",
        "pt",
        "pt",
        "en",
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_page_has_every_section_drawing_line_and_number(client: Client, game: str, language: str) -> None:
    html = page(client, game, language)
    assert [section for section in SECTIONS if f'<h2 id="{section}">' not in html] == []
    assert f'<article class="prose guide" lang="{language}">' in html
    alternatives = re.findall(r'role="img" aria-label="([^"]*)"', html)
    assert len(alternatives) == len(guide_material(game).figures)
    assert all(len(alt) > 15 for alt in alternatives)
    text = unescape(html)
    for exchange in guide_conversation(game):
        for _, lines in exchange.asked:
            assert "\n".join(lines) in text
        assert "\n".join(exchange.answer) in text
    text = strip_tags(html.replace("<", " <"))
    text = re.sub(r"(?<=\d)\xa0(?=\d)", ",", text)  # Russian separates thousands by a no-break space
    limits = bot_limits(contest=Contest.objects.get(slug=game))
    numbers = [value for value in guide_material(game).facts.values() if isinstance(value, int)]
    for number in [*numbers, limits.memory_mib, limits.pids_max, limits.tmp_mib]:
        assert re.search(rf"(?<![\d.]){number:,}(?!\d)", text), number


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_page_tells_each_ruleset_by_its_title_and_what_is_different(client: Client, game: str, language: str) -> None:
    section = page(client, game, language).partition('<h2 id="variants">')[2].partition("<h2 ")[0]
    listed, _, text = section.partition("</dl>")
    rules = game_named(game)
    for ruleset in rules.rulesets:
        assert f"<dt><code>{ruleset}</code></dt><dd>{escape(ruleset_title(game, ruleset, language))} (" in listed
    for ruleset in [*rules.rulesets][1:]:
        assert f"<code>{ruleset}</code>" in text
    assert len(strip_tags(text)) > 50
    assert language == "en" or not re.search(r"[a-z]{3,} [a-z]{3,} [a-z]{3,}", strip_tags(text)), "It is translated."


@pytest.mark.django_db
def test_a_reader_of_another_language_gets_the_english_page_marked_as_such(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ladder.guides.LANGUAGES", ("en", "ja"))
    html = page(client, "kakomimasu", "ru")
    assert '<html lang="ru">' in html
    assert "<h1>How to write a bot for Kakomimasu</h1>" in html
    assert '<article class="prose guide" lang="en">' in html


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_without_a_guide_has_a_page_with_what_is_known(
    client: Client, settings: Settings, rps: RockPaperScissors, language: str
) -> None:
    settings.GAMES = ["rps"]
    html = page(client, "rps", language)
    assert [section for section in SECTIONS if f'<h2 id="{section}">' not in html] == []
    assert f'<article class="prose guide" lang="{language}">' in html
    assert "<code>pause = True</code>" in html
    assert "100" in html, "the time limit of an answer"


@pytest.mark.django_db
def test_a_packages_guide_of_one_page_is_enough(client: Client, settings: Settings, tmp_path: Path) -> None:
    settings.GAMES = ["toy"]
    (tmp_path / "toys/guide").mkdir(parents=True)
    (tmp_path / "toys/viewer").mkdir()
    (tmp_path / "toys/viewer/viewer.css").touch()
    (tmp_path / "toys/__init__.py").write_text(
        "from tests.core.toy import RockPaperScissors\nclass Toy(RockPaperScissors):\n    name = 'toy'\n"
    )
    base = '{% extends "ladder/guides/en/guide.html" %}'
    (tmp_path / "toys/guide/en.html").write_text(f"{base}{{% block rules %}}Paper covers rock.{{% endblock %}}")
    with games_installed(tmp_path, {"toy": "toys:Toy"}):
        html = page(client, "toy", "ja")
    assert '<article class="prose guide" lang="en">' in html
    assert "Paper covers rock." in html
    assert 'href="/static/games/toy/viewer.css"' in html


@pytest.mark.django_db
def test_boards_bots_and_the_upload_form_lead_to_the_page(client: Client) -> None:
    bot = make_version(make_bot("Moat")).bot
    client.force_login(bot.owner)
    for url in ("/games/", f"/games/{bot.game}/", f"/bots/{bot.pk}/", "/upload/"):
        assert f'href="/games/{bot.game}/guide/"' in client.get(url).content.decode(), url


@pytest.mark.parametrize(("game", "name"), FIGURES)
def test_no_drawing_depends_on_colour_alone(game: str, name: str) -> None:
    for board in guide_figure(game, name).boards:
        for cell in (cell for row in board.rows for cell in row):
            plain = cell.ground in ("neutral", "hole", "hidden")
            assert plain or cell.text or cell.corner
            assert not cell.piece or cell.text


def test_drawings_escape_and_number() -> None:
    figure = Figure(
        (BoardDrawing(((Cell("neutral", "<b>"), Cell("wall-1", "2", "B", "seat-1")),), "a & b"),), steps=False
    )
    html = figure_html(figure, 'alt "text"')
    assert 'aria-label="alt &quot;text&quot;"' in html
    assert "&lt;b&gt;" in html
    assert "a &amp; b" in html
    assert "→" not in html
    assert html.count('class="ruler"') == 3
    board = BoardDrawing(((Cell("neutral"),),), rulers=False)
    html = figure_html(Figure((board, board, board)), "three boards")
    assert (html.count("→"), "ruler" in html) == (2, False)


def test_a_conversation_that_does_not_fit_its_parts_is_refused() -> None:
    short = Script((), {1: Question((("rows", 99),))}, (("1",),), (("1",),), 0, players=4)
    with pytest.raises(ValueError, match="too few lines for its part 'rows'"):
        conversation(game_named("attack25"), short)
    long = Script((), {1: Question((("rows", 1),))}, (("1",),), (("1",),), 0, players=4)
    with pytest.raises(ValueError, match="more lines than its parts"):
        conversation(game_named("attack25"), long)


def test_a_note_on_an_unknown_part_is_refused() -> None:
    words = (
        "{% load guide_tags %}{% conversation question='Turn' answer='You' %}\nnonsense: what?\n{% endconversation %}"
    )
    with pytest.raises(TemplateSyntaxError, match="nonsense"):
        Template(words).render(Context({"game": {"name": "puyo"}}))


class TestWhatThePagesSayOfTheDrawings:
    """Statements of the guides that their drawings must show."""

    @pytest.mark.parametrize(
        ("name", "results"),
        [
            ("orders", "A1: 0 · A2: 0 · A3: 0"),
            ("same_target", "A1: 1 · B1: 1"),
            ("train", "A1: 0 · A2: 0 · A3: 0 · A4: 0"),
            ("blocked", "A1: 2 · A2: 2"),
            ("left_wall", "A1: 0 · B1: 0"),
            ("into_area", "A1: 0"),
            ("ring", "A 27 + 7 = 34 · B 0 + 0 = 0"),
        ],
    )
    def test_kakomimasu_results(self, name: str, results: str) -> None:
        assert labels("kakomimasu", name) == ["", results]

    def test_kakomimasu_rings(self) -> None:
        areas = [grounds(board).count("area-0") for board in guide_figure("kakomimasu", "open_rings").boards]
        assert areas == [0, 0, 2, 0]
        _, closed, broken = guide_figure("kakomimasu", "nested").boards
        assert (closed.rows[3][3].ground, broken.rows[3][3].ground, broken.rows[2][3].ground) == (
            "area-1",
            "area-0",
            "area-0",
        )
        after = guide_figure("kakomimasu", "into_area").boards[1]
        assert grounds(after).count("area-1") == 8

    @pytest.mark.parametrize(
        ("tiles", "order", "result"),
        [
            ("A...", (kakomimasu.Kind.PUT, 2, 0), 5),
            ("A...", (kakomimasu.Kind.MOVE, 0, 0), 5),
            ("A...", (kakomimasu.Kind.MOVE, 2, 0), 5),
            ("A...", (kakomimasu.Kind.MOVE, 0, 1), 5),
            ("A...", (kakomimasu.Kind.REMOVE, 1, 0), 5),
            ("A...", (kakomimasu.Kind.NONE, 0, 0), 5),
            ("AB..", (kakomimasu.Kind.MOVE, 1, 0), 2),
            ("AA..", (kakomimasu.Kind.REMOVE, 1, 0), 0),
        ],
    )
    def test_kakomimasu_refusals(self, tiles: str, order: kakomimasu.Order, result: int) -> None:
        _, after = kakomimasu.played([tiles], ([(0, 0)], [kakomimasu.OFF]), ([order], [None]))
        assert after.label == f"A1: {result}"

    def test_kakomimasu_silent_put(self) -> None:
        _, after = kakomimasu.played(
            ["....", ".BB."], ([kakomimasu.OFF], [(1, 1)]), ([(kakomimasu.Kind.PUT, 2, 1)], [None])
        )
        assert after.label == "A1: 0"
        assert grounds(after).count("wall-0") == 0

    def test_attack25(self) -> None:
        assert attack25.after_take(attack25.MIXED, "W", 19) == "W.....WB....W.....W......"
        assert attack25.legal(attack25.MIXED, "R") == (1, [3])
        assert attack25.legal(attack25.MIXED, "G") == (2, [2, 3, 4, 6, 9, 11, 12, 14, 17, 18])
        assert labels("attack25", "classes") == ["R: 0", "R: 1", "G: 2", "R: 3"]
        before, taken, emptied = guide_figure("attack25", "chance").boards
        assert [grounds(board).count("neutral") for board in (before, taken, emptied)] == [5, 4, 5]
        with pytest.raises(ValueError, match="R may not take 19"):
            attack25.after_take(attack25.MIXED, "R", 19)

    def test_back_to_the_code(self) -> None:
        assert labels("back_to_the_code", "ring") == ["A 7", "A 9"]
        assert labels("back_to_the_code", "back") == ["4", "2", "4"]
        corner, rim, other = guide_figure("back_to_the_code", "open_rings").boards
        assert {corner.rows[2][3].ground, rim.rows[1][2].ground, other.rows[1][1].ground} == {"neutral"}
        _, met, left = guide_figure("back_to_the_code", "meet").boards
        assert (met.rows[0][2].ground, left.rows[0][2].ground) == ("neutral", "wall-0")
        with pytest.raises(ValueError, match="InvalidInput"):
            back_to_the_code.states((4, 4), [(0, 0), (3, 3)], "9 9 | 3 3")

    def test_wondev_woman(self) -> None:
        assert labels("wondev_woman", "move") == ["", "+ 1"]
        assert marked(guide_figure("wondev_woman", "steps").boards[0]) == {(1, 1), (2, 1), (1, 2), (1, 3), (2, 3)}
        assert marked(guide_figure("wondev_woman", "pushes").boards[0]) == {(3, 1), (3, 2), (3, 3)}
        assert labels("wondev_woman", "fog") == ["", "2 2 · -1 -1"]
        before, after = guide_figure("wondev_woman", "unseen").boards
        assert sorted(grounds(before)) == sorted(grounds(after))
        with pytest.raises(ValueError, match="MoveOnUnit"):
            wondev_woman.applied(wondev_woman.FLAT, [(0, 0), (1, 0), (4, 4), (3, 4)], "MOVE&BUILD 0 E S")

    def test_conversations(self) -> None:
        later = guide_conversation("kakomimasu")[-1]
        assert (later.number, dict(later.asked)["points"][0]) == (5, "-33 16")
        assert dict(guide_conversation("kakomimasu")[0].asked)["values"][4].split()[4] == "-16"
        later = guide_conversation("puyo")[-1]
        asked = dict(later.asked)
        assert (later.number, asked["numbers"], asked["opponent"][3]) == (6, ("40 1 0 40 0 0",), "100 0 0 30 0 1")

    def test_puyo(self) -> None:
        assert labels("puyo", "chain") == ["", "+ 40", "+ 320"]
        assert labels("puyo", "garbage") == ["", "+ 40"]
        assert labels("puyo", "hidden_row") == [""]
        ways = [puyo.ways(heights) for heights in puyo.WAYS]
        assert [[x for x, way in enumerate(each) if not way] for each in ways] == [[4, 5], [], [], [4, 5]]
        left = guide_figure("puyo", "garbage").boards[1]
        assert [cell.piece for row in left.rows for cell in row if cell.piece] == ["puyo-0"]
        assert puyo.MATERIAL.facts["chains"] == (40, 360, 1_000, 2_280, 4_840, 8_680)
