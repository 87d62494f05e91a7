"""The commands read the API's answers as the API describes them."""

from __future__ import annotations

import msgspec

from api.description import description
from banzuke import api_types
from tests.banzuke.api_types import PATH, READ, module


def test_the_types_are_made_from_the_description() -> None:
    made = module(description()["components"]["schemas"])
    assert PATH.read_text(encoding="utf-8") == made, "type: python -m tests.banzuke.api_types"


def test_what_older_arenas_lack_has_a_default() -> None:
    for name, fields in READ.items():
        infos = {field.encode_name: field for field in msgspec.structs.fields(getattr(api_types, name))}
        assert [f"{field}{'' if info.required else '?'}" for field, info in infos.items()] == fields.split()


def test_fields_that_are_not_read_are_ignored() -> None:
    row = b'{"events": [{"event": "lines", "data": [1], "at": 5}], "after": "7", "more": true}'
    assert msgspec.json.decode(row, type=api_types.News).events[0].data == [1]
