"""Signatures: whose a message is, whatever way it has come."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wire.jobs import MATCH_RESULT_TASK, REPORT_QUEUE, WORKER_BEAT_TASK
from wire.message_filter import envelope_read
from wire.signing import is_signed, signature_of

URL = "redis://host-north:p%2Fw%C3%BC@broker:6379/0"
KEY = hashlib.sha256("p/wü".encode()).hexdigest()
BODY = {"worker": "play@pi", "seconds": 1.5}
NUMBERS = st.integers(-(2**31), 2**31) | st.floats(allow_nan=False, allow_infinity=False)
BODIES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abc_", min_size=1), inner, max_size=4),
    max_leaves=12,
)


def brought(body: dict[str, Any]) -> dict[str, Any]:
    """Return a body as the site reads it."""
    text = json.dumps([[body], {}, {}]).encode()
    read = envelope_read(
        {
            "body": msgspec.to_builtins(text),
            "content-type": "application/json",
            "content-encoding": "utf-8",
            "headers": {"task": MATCH_RESULT_TASK, "id": "c0ffee"},
            "properties": {"body_encoding": "base64"},
        },
        REPORT_QUEUE,
        {MATCH_RESULT_TASK},
    )
    told: dict[str, Any] = json.loads(msgspec.convert(read["body"], bytes))[0][0]
    return told


@given(st.dictionaries(st.text("abc_", min_size=1), BODIES, max_size=5))
def test_the_way_to_the_site_changes_no_signature(body: dict[str, Any]) -> None:
    signature = signature_of(URL, MATCH_RESULT_TASK, body)
    assert signature is not None
    assert signature.user == "host-north"
    assert is_signed(signature, KEY, MATCH_RESULT_TASK, brought(body))


@pytest.mark.parametrize(
    ("key", "task", "body"),
    [
        (hashlib.sha256(b"another").hexdigest(), MATCH_RESULT_TASK, BODY),
        (KEY, WORKER_BEAT_TASK, BODY),
        (KEY, MATCH_RESULT_TASK, BODY | {"worker": "play@elsewhere"}),
        (KEY, MATCH_RESULT_TASK, BODY | {"seconds": 1}),
        (KEY, MATCH_RESULT_TASK, {}),
    ],
    ids=["another key", "another task", "another worker", "another number", "nothing"],
)
def test_it_is_for_one_message_by_one_user(key: str, task: str, body: dict[str, Any]) -> None:
    signature = signature_of(URL, MATCH_RESULT_TASK, BODY)
    assert signature is not None
    assert not is_signed(signature, key, task, body)


def test_a_user_signs_by_its_name_and_not_as_an_address_writes_it() -> None:
    signature = signature_of("redis://caf%C3%A9%40home:secret@broker:6379/0", MATCH_RESULT_TASK, BODY)
    assert signature is not None
    assert signature.user == "café@home"


@pytest.mark.parametrize("url", ["redis://127.0.0.1:6379/0", "redis://:password@127.0.0.1/0", "memory://"])
def test_who_has_no_user_signs_nothing(url: str) -> None:
    assert signature_of(url, MATCH_RESULT_TASK, BODY) is None
