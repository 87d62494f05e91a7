"""The bot faults that put a bot last, with translated titles."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

VERDICTS: dict[str, Promise] = {
    "crashed": _("crashed"),
    "time": _("out of time"),
    "memory": _("out of memory"),
    "output": _("broken output"),
    "security": _("forbidden system call"),
    "illegal answer": _("illegal answer"),
    "left": _("left the table"),
}
"""Title of each verdict that a seat can have (``core.record.SeatFault``)."""
