"""Pages show what apps above them have registered for a place, and nothing else of their templates."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.template import Context, Engine, TemplateSyntaxError

from common import parts

PAGE = '{% load part_tags %}<ul>{% parts "links" %}</ul>{{ name }}'
FILES = {
    "one/parts.html": '{% load part_tags %}lost{% part "links" %}<li>{{ name }}</li>{% endpart %}',
    "two/parts.html": '{% load part_tags %}{% part "other" %}no{% endpart %}{% part "links" %}{% with name="x" %}'
    "<li>two {{ name }}</li>{% endwith %}{% endpart %}",
}


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    loaders = [("django.template.loaders.locmem.Loader", FILES)]
    engine = Engine(loaders=loaders, libraries={"part_tags": "common.templatetags.part_tags"})
    monkeypatch.setattr(parts, "_templates", [])
    monkeypatch.setattr(parts, "get_template", lambda name: type("Found", (), {"template": engine.get_template(name)}))
    parts.parts_at.cache_clear()
    yield engine
    parts.parts_at.cache_clear()


def shown(engine: Engine, **values: str) -> str:
    return engine.from_string(PAGE).render(Context(values))


def test_parts_stand_in_the_order_of_registration_in_the_context_of_the_page(engine: Engine) -> None:
    assert shown(engine, name="page") == "<ul></ul>page"
    parts.parts_at.cache_clear()
    parts.parts_register("one/parts.html")
    parts.parts_register("two/parts.html")
    parts.parts_register("one/parts.html")
    assert shown(engine, name="<b>") == "<ul><li>&lt;b&gt;</li><li>two x</li></ul>&lt;b&gt;"


def test_a_template_of_parts_shows_nothing_by_itself_but_what_stands_beside_them(engine: Engine) -> None:
    assert engine.get_template("one/parts.html").render(Context({"name": "page"})) == "lost"


@pytest.mark.parametrize("source", ["{% part %}{% endpart %}", '{% part "links" %}'])
def test_a_part_without_a_place_or_an_end_is_refused(engine: Engine, source: str) -> None:
    with pytest.raises((TemplateSyntaxError, ValueError)):
        engine.from_string("{% load part_tags %}" + source)
