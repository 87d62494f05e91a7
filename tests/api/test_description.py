"""The OpenAPI schema, as client generators read it."""

from __future__ import annotations

from api.description import description

# The descriptions of these say when fields are missing.
WITHOUT = {"Evidence", "TrialResult"}


def test_each_field_of_an_answer_is_always_there() -> None:
    """A generated client need not check whether a match has a state, or a page a ``next``."""
    missing = {
        name: left_out
        for name, schema in description()["components"]["schemas"].items()
        if not name.endswith("Request") and name not in WITHOUT
        if (left_out := set(schema.get("properties", ())) - set(schema.get("required", ())))
    }
    assert not missing


def test_no_field_of_a_body_that_may_be_left_out_has_a_default() -> None:
    """openapi-typescript, for example, treats such a field as required."""
    schemas = description()["components"]["schemas"]
    bodies = {name: schema["properties"] for name, schema in schemas.items() if name.endswith("Request")}
    assert "code" in bodies["LoginRequest"]
    assert not [(name, field) for name, fields in bodies.items() for field in fields if "default" in fields[field]]
    assert bodies["QuarantineRequest"]["hours"]["description"].endswith("Left out: 1.0.")
