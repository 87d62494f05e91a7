"""Lists of participants: a CSV file with a name and an address in each row, from which accounts are made in bulk."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.db.models.functions import Lower, Upper
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from accounts.access import administrates
from accounts.mails import MailUnsent, mail_send, public_url
from accounts.models import User
from accounts.one_time import password_once, password_once_hash
from accounts.services.audit import audit_write
from common.errors import InputError
from common.text import typed
from common.validators import validate_username
from contests.models import Contest, Member

ROWS_MAX = 300
BYTES_MAX = 256 * 1024
PROBLEMS_SHOWN = 20
_ADDRESS_CHARS_MAX = 254
_NAME_WORDS = """
    name username user userid login loginname loginid account accountname handle nick nickname id participant player
    fullname 名前 氏名 お名前 ユーザー ユーザー名 ユーザ名 ユーザーid ログイン ログイン名 ログインid アカウント
    アカウント名 ハンドル ハンドルネーム ニックネーム 参加者 参加者名 имя логин ник никнейм пользователь имяпользователя
    участник фио учётнаязапись учетнаязапись
"""
_ADDRESS_WORDS = """
    address email emails mail emailaddress mailaddress メール メールアドレス アドレス 電子メール eメール 連絡先 адрес
    почта адресэлектроннойпочты электроннаяпочта адреспочты эпочта элпочта мейл имейл емейл
"""
_NAME_HEADS, _ADDRESS_HEADS = frozenset(_NAME_WORDS.split()), frozenset(_ADDRESS_WORDS.split())
"""What people write as heads of the columns of names and of addresses (``_head_key``), besides ``_site_heads``."""
_NAMES_ALONE = frozenset({"name", "username", "user", "login"})
_DELIMITERS = (",", ";", "\t")
_EXCEL_SEPARATOR = re.compile(r'\s*"?sep=([,;\t|])"?[\s,;]*', re.IGNORECASE)
"""Matches a first line such as ``sep=;``, which tells Excel by which sign the cells of the file are divided."""


class RosterError(InputError):
    """A list cannot be used; ``sentences`` says what is wrong with which row."""

    def __init__(self, sentences: list[str]) -> None:
        shown = sentences[:PROBLEMS_SHOWN]
        if more := len(sentences) - len(shown):
            shown.append(ngettext("One more row is wrong.", "%(count)d more rows are wrong.", more) % {"count": more})
        super().__init__(" ".join(shown))
        self.sentences = shown


class RosterOutcome(StrEnum):
    """What became of a row of the list."""

    MADE = "made"
    """A new account, with a one-time password."""
    MAILED = "mailed"
    """A new account, whose one-time password was sent to its address."""
    ADDED = "added"
    """An account that was there before and has verified the address; it takes part now."""
    KNOWN = "known"
    """An account that took part in the contest before."""


@dataclass(frozen=True, slots=True)
class RosterRow:
    """A row of a list."""

    number: int
    """The line of the file on which the row begins, from 1."""
    name: str
    address: str
    outcome: RosterOutcome = RosterOutcome.MADE
    password: str = ""
    """The one-time password, in clear; shown once and stored nowhere. Empty if it was mailed or there is none."""


def mail_is_configured() -> bool:
    """Return whether mails leave the site, and are not only printed in its log."""
    return not settings.EMAIL_BACKEND.endswith(("console.EmailBackend", "dummy.EmailBackend"))


def roster_load(
    *,
    contest: Contest,
    data: bytes,
    actor: User,
    by_mail: bool = False,
    sign_ups_take: Callable[[int], bool] | None = None,
) -> list[RosterRow]:
    """Make everybody in a list a participant of a contest, with new accounts for those who have none.

    An account that has verified the address of a row is made a participant, whatever name the row has. Any other row
    makes a new account under its name; a name of a participant of the contest is left as it is, so that a longer list
    can be sent again.

    Args:
        contest: the contest.
        data: the file: CSV in UTF-8, with a name and perhaps an address in each row.
        actor: the organiser or administrator.
        by_mail: send the one-time passwords to the addresses, where there are any. A password whose mail cannot be sent
            is returned as those without an address are.
        sign_ups_take: gets the number of new accounts, and returns whether the limit of sign-ups allows them all; then
            it has counted them. It is not called for administrators. None: no limit.

    Returns:
        What became of each row, in the order of the file.

    Raises:
        RosterError: the file or some rows cannot be used. Nothing has been changed then.
        InputError: somebody took one of the names meanwhile, the contest is over, or the actor may not make so many
            accounts.
    """
    if contest.is_over:
        raise InputError(_("This contest is over. Nobody can join it any more."))
    rows = roster_read(data=data)
    try:
        with transaction.atomic():
            made = _made(contest, rows)
            _check_may_make(actor, sum(row.outcome == RosterOutcome.MADE for row in made), sign_ups_take)
            counts = [f"{sum(row.outcome == outcome for row in made)} {outcome}" for outcome in RosterOutcome]
            audit_write(actor=actor, act="roster_load", target=f"{contest.slug}: {', '.join(counts)}")
    except IntegrityError as error:
        raise InputError(_("Somebody has taken one of the names just now. Please send the list again.")) from error
    return _mailed(contest, made, actor) if by_mail and mail_is_configured() else made


def _check_may_make(actor: User, count: int, sign_ups_take: Callable[[int], bool] | None) -> None:
    """Check that the actor may make ``count`` new accounts; administrators may make any number.

    The attack: a user makes a contest, and thousands of accounts by lists.

    Raises:
        InputError: sign-up is closed, or ``sign_ups_take`` allows no more accounts.
    """
    if not count or administrates(actor):
        return
    if settings.SIGN_UP_CLOSED:
        raise InputError(
            _(
                "Nobody can sign up here, so a list can only name people who have an account. Please ask an"
                " administrator of the site to send it."
            )
        )
    if sign_ups_take is not None and not sign_ups_take(count):
        sentence = _(
            "This list makes %(count)d accounts, more than may sign up from your network now. Please send fewer"
            " rows an hour, or ask an administrator of the site."
        )
        raise InputError(sentence % {"count": count})


# --- Reading --------------------------------------------------------------------------------------------------------


def roster_read(*, data: bytes) -> list[RosterRow]:
    """Return the rows of a file, without a head, each with a valid name and a valid or empty address (no query).

    Raises:
        RosterError: the file is no such CSV, is too large, or has a name or address twice; sentences name the rows.
    """
    if len(data) > BYTES_MAX:
        raise RosterError([_("The list is larger than %(max)d KiB.") % {"max": BYTES_MAX // 1024}])
    problems: list[str] = []
    rows: list[RosterRow] = []
    found = _cells(_decoded(data))
    if found and _is_head(found[0][1]):
        del found[0]
    for number, cells in found:
        if len(rows) + len(problems) > ROWS_MAX:
            raise RosterError([_("The list has more than %(max)d rows. Please send it in parts.") % {"max": ROWS_MAX}])
        try:
            rows.append(_row(number, cells))
        except ValidationError as error:
            problems.append(_said(number, " ".join(error.messages)))
    problems += _doubled(rows)
    if problems:
        raise RosterError(problems)
    if not rows:
        raise RosterError([_("The list has no row. Write a name, a comma and an address in each line.")])
    return rows


def _decoded(data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = data[: error.start].count(b"\n") + 1
        sentence = _("The text is not UTF-8. Please save the list as “CSV UTF-8”.")
        raise RosterError([_said(number, sentence)]) from error
    if "\x00" in text:
        number = text[: text.index("\x00")].count("\n") + 1
        raise RosterError([_said(number, _("This is no text. Please save the list as “CSV UTF-8”."))])
    return text


def _cells(text: str) -> list[tuple[int, list[str]]]:
    """Return the number of the line and the cells of each row that is not empty.

    The cells are divided by the sign that gives most rows an address in their second cell, or else a second cell.
    """
    first, _line_end, rest = text.partition("\n")
    if told := _EXCEL_SEPARATOR.fullmatch(first):
        return _divided(rest, told[1], line=2)
    whole, broken = [], []
    for delimiter in _DELIMITERS:
        try:
            whole.append(_divided(text, delimiter, line=1))
        except RosterError as error:
            broken.append(error)
    if not whole:
        raise broken[0]

    def fits(rows: list[tuple[int, list[str]]]) -> tuple[int, int]:
        seconds = [cells[1] for _number, cells in rows if len(cells) > 1]
        return sum("@" in cell for cell in seconds), len(seconds)

    return max(whole, key=fits)


def _divided(text: str, delimiter: str, line: int) -> list[tuple[int, list[str]]]:
    """Return the rows of a text as ``_cells`` does, whose first line has the number ``line`` of the file."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows: list[tuple[int, list[str]]] = []
    number = line
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise RosterError(
                [_said(number, _("A quotation mark is never closed, or stands inside a cell."))]
            ) from error
        if cells is None:
            return rows
        cells = [typed(cell) for cell in cells]
        if any(cells):
            rows.append((number, cells))
        number = reader.line_num + line


def _is_head(cells: list[str]) -> bool:
    """Return whether a row is the head of the columns: in the usual words, or in those of any language of the site."""
    name, address = [_head_key(cell) for cell in [*cells, ""][:2]]
    if name not in _NAME_HEADS | _site_heads():
        return False
    # Alone, a word such as "Nick" is rather the first participant's name.
    return address in _ADDRESS_HEADS | _site_heads() or (not address and (name in _NAMES_ALONE or not name.isascii()))


def _head_key(head: str) -> str:
    """Return the letters and digits of a head in lower case: ``E-Mail:`` and ``email`` are the same."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", head).casefold()))


@cache
def _site_heads() -> frozenset[str]:
    """Return the words for the two columns in all languages of the site, ours and Django's, as ``_head_key`` does."""
    heads = set()
    for language, _title in settings.LANGUAGES:
        with override(language):
            heads |= {_head_key(_(word)) for word in ("Name", "User name", "username", "email address")}
    return frozenset(heads)


def _row(number: int, cells: list[str]) -> RosterRow:
    if any(cells[2:]):
        sentence = _("There are %(count)d columns; only a name and an address are read. Please delete the others.")
        raise ValidationError(sentence % {"count": len(cells)})
    name, address = [*cells, ""][:2]
    if not name:
        raise ValidationError(_("The name is missing."))
    if "@" in name:
        raise ValidationError(_("The name stands first, and the address after it."))
    validate_username(name)
    if len(name) < settings.ACCOUNT_USERNAME_MIN_LENGTH or name.lower() in settings.ACCOUNT_USERNAME_BLACKLIST:
        raise ValidationError(_("The name %(name)s cannot be used. Please choose another one.") % {"name": name})
    if address:
        try:
            validate_email(address)
        except ValidationError as error:
            raise ValidationError(_("%(address)s is no e-mail address.") % {"address": address[:100]}) from error
        if len(address) > _ADDRESS_CHARS_MAX:
            raise ValidationError(_("The address is too long."))
    return RosterRow(number, name, address)


def _doubled(rows: list[RosterRow]) -> list[str]:
    """Return a sentence for each row whose name or address stands in an earlier row already, in any case."""
    problems = []
    seen: dict[str, int] = {}
    for row in rows:
        keys = [row.name.lower(), row.address.lower()] if row.address else [row.name.lower()]
        earlier = [(key, seen[key]) for key in keys if key in seen]
        for text, first in earlier[:1]:
            sentence = _("%(text)s stands in row %(first)d already.") % {"text": text, "first": first}
            problems.append(_said(row.number, sentence))
        seen |= dict.fromkeys(keys, row.number)
    return problems


def _said(number: int, sentence: str) -> str:
    return _("Row %(number)d: %(sentence)s") % {"number": number, "sentence": sentence}


# --- Making accounts ------------------------------------------------------------------------------------------------


def _made(contest: Contest, rows: list[RosterRow]) -> list[RosterRow]:
    addresses = {row.address.lower() for row in rows if row.address}
    verified = EmailAddress.objects.annotate(key=Lower("email")).filter(key__in=addresses, verified=True)
    by_address = {address.key: address.user for address in verified.select_related("user") if address.user.is_active}
    names = {row.name.upper() for row in rows}
    taken = User.objects.annotate(key=Upper("username")).filter(key__in=names)
    by_name = {user.key: user for user in taken}
    inside = set(Member.objects.filter(contest=contest).values_list("user", flat=True))
    done, problems = [], []
    new: list[User] = []
    for row in rows:
        user = by_address.get(row.address.lower()) if row.address else None
        namesake = by_name.get(row.name.upper())
        if user is None and namesake is not None and namesake.pk in inside:
            user = namesake
        if user is not None:
            known = user.pk in inside
            inside.add(user.pk)
            if not known:
                Member.objects.create(contest=contest, user=user)
            outcome = RosterOutcome.KNOWN if known else RosterOutcome.ADDED
            done.append(replace(row, name=user.get_username(), outcome=outcome))
        elif namesake is not None:
            sentence = _(
                "The name %(name)s is taken. Please choose another one, or give the address that this account has"
                " verified."
            )
            problems.append(_said(row.number, sentence % {"name": row.name}))
        else:
            password = password_once()
            account = User(username=row.name, email=row.address, password_once=True)
            account.password = password_once_hash(password)
            new.append(account)
            done.append(replace(row, password=password))
    if problems:
        raise RosterError(problems)
    User.objects.bulk_create(new)
    with_address = [user for user in new if user.email]
    EmailAddress.objects.bulk_create(
        EmailAddress(user=user, email=user.email.lower(), verified=False, primary=True) for user in with_address
    )
    Member.objects.bulk_create(Member(contest=contest, user=user) for user in new)
    return done


def _mailed(contest: Contest, rows: list[RosterRow], actor: User) -> list[RosterRow]:
    """Send the one-time passwords by mail, and return all rows; those that were mailed are MAILED, with no password.

    After the first mail that the mail server does not take no more are tried: the user waits for this page.
    """
    done, is_away = [], False
    for row in rows:
        if row.password and row.address and not is_away:
            try:
                _mail(contest, row, actor)
            except MailUnsent:
                is_away = True
            else:
                row = replace(row, outcome=RosterOutcome.MAILED, password="")
        done.append(row)
    return done


def _mail(contest: Contest, row: RosterRow, actor: User) -> None:
    text = _(
        "Hello,\n\n%(organiser)s has made an account for you, to take part in %(contest)s.\n\nYour name: %(name)s\nYour"
        " password, once: %(password)s\n\nPlease sign in at %(url)s; you choose a password of your own there.\n"
    )
    values = {
        "organiser": actor.get_username(),
        "contest": contest,
        "name": row.name,
        "password": row.password,
        "url": public_url("/accounts/login/"),
    }
    subject = _("Your account for %(contest)s") % {"contest": " ".join(str(contest).split())}
    mail_send(kind="roster", address=row.address, subject=subject, text=text % values)
