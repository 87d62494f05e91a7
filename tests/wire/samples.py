"""``python -m tests.wire.samples make|read``: messages of each type, for the code of another release to read.

``make`` prints, by type, the shortest and the longest message that this code sends, and whether it is a report;
``read`` prints, by type, what keeps this code from reading such messages on its standard input. A release runs its own
module.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import inspect

from wire import job_signing, signing, tables, worker_reports  # noqa: F401 - they have types of messages, too
from wire.jobs import WireMessage, WorkerReport


def types() -> dict[str, type[WireMessage]]:
    """Return all types of messages and of their parts by name."""

    def below(kind: type[WireMessage]) -> Iterator[type[WireMessage]]:
        yield kind
        for child in kind.__subclasses__():
            yield from below(child)

    found = (kind for kind in below(WireMessage) if kind.__module__.startswith("wire."))  # not those of tests
    return {kind.__name__: kind for kind in found if kind.__struct_fields__}


def sample(kind: inspect.Type, *, full: bool) -> Any:
    """Return a value of a type as JSON has it; full: with all fields, else only with those that have no default."""
    match kind:
        case inspect.StructType():
            fields = {f.encode_name: sample(f.type, full=full) for f in kind.fields if full or f.required}
            return fields | ({kind.tag_field: kind.tag} if kind.tag_field else {})
        case inspect.UnionType():
            return sample(next(t for t in kind.types if not isinstance(t, inspect.NoneType)), full=full)
        case inspect.ListType():
            return [sample(kind.item_type, full=full)]
        case inspect.DictType():
            key = "0" if isinstance(kind.key_type, inspect.IntType) else "a"
            return {key: sample(kind.value_type, full=full)}
        case inspect.StrType():
            texts = ("a" * size for size in (1, 32, 64, 128))
            return next(text for text in texts if re.search(kind.pattern or "", text))
        case inspect.IntType() | inspect.FloatType():
            return kind.ge or 1
        case inspect.BoolType():
            return True
    return 1


def make() -> dict[str, Any]:
    """Return the messages by type, as this code encodes them."""
    made: dict[str, Any] = {}
    for name, kind in types().items():
        info = inspect.type_info(kind)
        texts = []
        for full in (False, True):
            message = msgspec.json.decode(json.dumps(sample(info, full=full)), type=kind)
            texts.append(msgspec.json.encode(message).decode())
        made[name] = {"shortest": texts[0], "longest": texts[1], "is_report": issubclass(kind, WorkerReport)}
    return made


def read(messages: dict[str, Any]) -> dict[str, str]:
    """Return, by type, why this code does not read a message; types that it does not know are left out."""
    known = types()
    faults = {}
    for name, text in messages.items():
        try:
            if name in known:
                msgspec.json.decode(text, type=known[name])
        except msgspec.DecodeError as error:
            faults[name] = str(error)
    return faults


if __name__ == "__main__":
    sys.stdout.write(json.dumps(make() if sys.argv[1] == "make" else read(json.load(sys.stdin))))
