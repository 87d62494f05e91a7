"""Writes ``banzuke/api_types.py``: what ``banzuke`` reads of the API's answers, as the API describes them.

``python -m tests.banzuke.api_types`` writes it again. Add a field or an answer that a command needs to ``READ``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import django

READ = {
    "Account": "username bots",
    "Board": "rows",
    "BoardRow": "rank bot name owner language rating interval games",
    "Bot": "id name game contest versions",
    "Contest": "slug title game state entries_until",
    "Fault": "match verdict",
    "FieldError": "field detail",
    "FirstGames": "played goal problem?",
    "Guide": "text",
    "Mark": "path line text",
    "NewToken": "token",
    "News": "events after",
    "NewsEvent": "event data",
    "OwnVersion": "id bot name number state steps is_final sentence advice faults log rating interval games rank place"
    " provisional? rank_wait? match_pace?",
    "Problem": "type? title? detail? errors?",
    "RemoteSeat": "name rank score verdict",
    "Step": "title state",
    "TableOpened": "id url seat secret",
    "Try": "id state place step verdict why log marks turn turns seat seats ranks scores cpu_ms_total",
    "Version": "id number state",
    "WholeMatch": "id state seats void_reason? players?",
    "WholeSeat": "name rank score verdict",
}
"""Fields by the name of their object in the description; older arenas, or others' servers, may lack those with ?."""
PATH = Path(__file__).parents[2] / "banzuke" / "api_types.py"
HEAD = '''"""What the commands read of the API's answers; the API's reference page says what each field means.

``python -m tests.banzuke.api_types`` makes this file; do not edit it.
"""

from __future__ import annotations

from typing import Any

import msgspec
'''
PLAIN = {"boolean": "bool", "integer": "int", "number": "float", "string": "str"}
EMPTY = {"bool": "False", "str": '""'}
"""What a field holds that may be missing; lists are empty."""


def module(schemas: dict[str, Any]) -> str:
    """Return the source of ``banzuke/api_types.py``.

    Args:
        schemas: ``components.schemas`` of the API's description.
    """
    return "\n\n".join([HEAD, *("\n".join(_struct(name, schemas)) + "\n" for name in READ)])


def _struct(name: str, schemas: dict[str, Any]) -> Iterator[str]:
    schema = schemas[name]
    yield f"class {name}(msgspec.Struct, frozen=True):"
    for field in READ[name].split():
        described = schema["properties"][field.removesuffix("?")]
        kind = _type(described, schemas)
        default = f" = {EMPTY.get(kind, '[]')}" if field.endswith("?") else ""
        yield f"    {field.removesuffix('?')}: {kind}{default}"


def _type(schema: dict[str, Any], schemas: dict[str, Any]) -> str:
    """Return the annotation of a value; words of a list of choices are text."""
    if "allOf" in schema:
        kind = _type(schema["allOf"][0], schemas)
    elif "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        kind = name if "properties" in schemas[name] else _type(schemas[name], schemas)
    elif schema.get("type") == "array":
        kind = f"list[{_type(schema['items'], schemas)}]"
    else:
        kind = PLAIN.get(schema.get("type", ""), "Any")
    return f"{kind} | None" if schema.get("nullable") else kind


def main() -> None:
    """Write the module."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings.test")
    django.setup()
    from api.description import description  # here, since it needs the settings

    PATH.write_text(module(description()["components"]["schemas"]), encoding="utf-8")


if __name__ == "__main__":
    main()
