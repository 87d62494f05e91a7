"""Messages: what rules, referee, sandbox and workers have to say to people, as data.

Those layers know no languages. A message has a kind and values; the reader's side makes the sentence from it, in the
reader's language, by the tables in ``games/words/`` and ``games/<game>/words/`` (``games.words``). So the words of a
sentence may change without a change of replays, reports and rules.
"""

from __future__ import annotations

from typing import Any

import msgspec

TEXT = "text"
"""The kind of a message that is a sentence already: its value ``text`` is shown as it is. For what people typed."""


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something to be said: ``kind`` chooses the sentence, ``args`` fill it in."""

    kind: str
    """A short stable word of ASCII letters, digits, ``-`` and ``_`` that begins with a letter."""
    args: dict[str, Any] = {}
    """Values by name: text, numbers, a seat (see ``bot``), or another message as ``{"kind": .., "args": ..}``, whose
    sentence is filled in."""

    def __str__(self) -> str:
        """Return the message for logs, which know no languages: its text, or its kind and values."""
        if self.kind == TEXT:
            return str(self.args.get("text", ""))
        return " ".join([self.kind, *(f"{name}={_logged(value)}" for name, value in self.args.items())])


def _logged(value: Any) -> str:
    return f"({Message(**value)})" if isinstance(value, dict) and "kind" in value else str(value)


def stored(message: Message | None) -> dict[str, Any]:
    """Return a message as a JSON object: to be stored, or as a value of another message; ``{}`` for no message."""
    return {"kind": message.kind, "args": message.args} if message else {}


def said(text: str) -> Message:
    """Return a sentence that somebody has typed as a message; it is shown to all readers as it is."""
    return Message(TEXT, {"text": text})


def bot(seat: int) -> dict[str, int]:
    """Return the value of a message that stands for the bot on a seat; readers see the bot's name."""
    return {"seat": seat}
