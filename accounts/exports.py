"""The export of all that is stored about a person: one zip of JSON files, with the programs of the person's bots.

Each app registers sections for its own models (``sections_register``), which also say what closing an account does with
them. Tests compare the models of all sections with all models that refer to users, so that none is forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.admin.models import LogEntry
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import AuditEntry, Notification, User
from common.zips import zip_pieces

Row = Mapping[str, Any]
_ROWS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Section:
    """One file of the export, or a folder."""

    name: str
    """Name of its file without ``.json``, or of its folder."""
    title: str | Promise
    """What it holds, for people."""
    models: tuple[str, ...]
    """Labels of the models whose rows it holds, such as ``accounts.Notification``."""
    rows: Callable[[User], Iterable[Row]] | None = None
    """Returns the rows of its file for a user; None: it has no file of rows."""
    files: Callable[[User], Iterable[tuple[str, bytes]]] | None = None
    """Returns names (below its folder) and contents of its files for a user; None: it has no folder."""
    deleted: str | Promise = ""
    """Which of its data are deleted when the account is closed, as an item of a list; empty: none."""
    kept: str | Promise = ""
    """Which of its data stay when the account is closed, in whole sentences; empty: none."""


_sections: dict[str, Section] = {}


def sections_register(*sections: Section) -> None:
    """Add sections to the export; for the module ``exports`` of an app."""
    _sections.update({section.name: section for section in sections})


def export_sections() -> list[Section]:
    """Return the sections of the export, in the order of the apps."""
    return list(_sections.values())


def export_pieces(*, user: User) -> Iterator[bytes]:
    """Yield the export of a user in pieces: neither the file nor the rows of a section are ever in memory as a whole.

    No query is open between two pieces, so each may be made in another thread.
    """
    return zip_pieces(files=_files(user), at=timezone.now())


def _files(user: User) -> Iterator[tuple[str, Iterable[bytes]]]:
    sections = export_sections()
    listed = [f"{section.name}{'/' if section.files else '.json'}: {section.title}" for section in sections]
    said = gettext("All that this site stores about the account %(name)s, but no passwords, secrets and session keys.")
    yield "README.txt", ["\n".join([said % {"name": user.get_username()}, "", *listed, ""]).encode()]
    for section in sections:
        if section.rows is not None:
            yield f"{section.name}.json", _json(section.rows(user))
        if section.files is not None:
            yield from ((f"{section.name}/{name}", [content]) for name, content in section.files(user))


def _json(rows: Iterable[Row]) -> Iterator[bytes]:
    before = b"[\n"
    for row in rows:
        yield before + msgspec.json.encode(row, enc_hook=str)
        before = b",\n"
    yield b"[]\n" if before == b"[\n" else b"\n]\n"


def rows_of(
    rows: QuerySet[Any], *, key: str = "", without: Iterable[str] = (), more: Mapping[str, F] | None = None
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a query with all columns of their model, some hundred a query.

    Args:
        rows: the query.
        key: a column whose values differ among the rows, which come in its order; empty: the primary key.
        without: columns that are left out.
        more: further columns, by their names in the export.
    """
    key, left_out, last = key or rows.model._meta.pk.attname, set(without), None
    columns = [field.attname for field in rows.model._meta.concrete_fields if field.attname not in left_out]
    while True:
        rest = rows if last is None else rows.filter(**{f"{key}__gt": last})
        batch = list(rest.order_by(key).values(*dict.fromkeys([key, *columns]), **(more or {}))[:_ROWS_AT_ONCE])
        yield from batch
        if len(batch) < _ROWS_AT_ONCE:
            return
        last = batch[-1][key]


sections_register(
    Section(
        "account",
        _("your account"),
        ("accounts.User",),
        # The attack: somebody finds the file and tries passwords on its hash.
        lambda user: rows_of(User.objects.filter(pk=user.pk), without=["password"]),
        deleted=_("your user name, your first and last name, your password, and the text of your profile"),
    ),
    Section(
        "addresses",
        _("your e-mail addresses"),
        ("account.EmailAddress",),
        lambda user: rows_of(EmailAddress.objects.filter(user=user)),
        deleted=_("your e-mail addresses"),
    ),
    Section(
        "second_factors",
        _("when two-factor authentication was turned on and used last"),
        ("mfa.Authenticator",),
        # The attack: somebody finds the file and signs in with the secret of the authenticator app.
        lambda user: rows_of(Authenticator.objects.filter(user=user), without=["data"]),
        deleted=_("two-factor authentication and its recovery codes"),
    ),
    Section(
        "connections",
        _("your accounts of other sites by which you sign in"),
        ("socialaccount.SocialAccount",),
        lambda user: rows_of(SocialAccount.objects.filter(user=user)),
        deleted=_("connections with your accounts of other sites"),
    ),
    Section(
        "notifications",
        _("your notifications"),
        ("accounts.Notification",),
        lambda user: rows_of(Notification.objects.filter(reader=user)),
        deleted=_("your notifications"),
    ),
    Section(
        "acts",
        _("what the audit log says that you did"),
        ("accounts.AuditEntry",),
        lambda user: rows_of(AuditEntry.objects.filter(actor=user)),
        kept=_("The log of what you and administrators did, with the user name that you had then."),
    ),
    Section(
        "admin_acts",
        _("what you changed as an administrator"),
        ("admin.LogEntry",),
        lambda user: rows_of(LogEntry.objects.filter(user=user)),
        kept=_("The server's own logs and its backups, for as long as its administrators keep them."),
    ),
)
