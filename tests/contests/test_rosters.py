"""Lists of participants: accounts made in bulk, one-time passwords, and what is wrong with bad lists."""

from __future__ import annotations

import csv
import io
import re

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.core import mail
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from accounts.models import AuditEntry, User
from accounts.one_time import password_once, password_once_hash
from common.errors import InputError
from contests.models import Contest, Member
from contests.services.people import organiser_add
from contests.services.rosters import ROWS_MAX, RosterError, RosterRow, roster_load
from tests.contests.makers import make_contest
from tests.ladder.makers import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def contest() -> Contest:
    return make_contest()


@pytest.fixture
def teacher(contest: Contest) -> User:
    user = make_user("teacher")
    organiser_add(contest=contest.slug, user=user, actor=None)
    return user


def load(contest: Contest, text: str | bytes, **options: bool) -> list[RosterRow]:
    data = text if isinstance(text, bytes) else text.encode()
    return roster_load(contest=contest, data=data, actor=User.objects.get(username="teacher"), **options)


@pytest.mark.parametrize(
    "text",
    [
        "anna,anna@school.example\nben\n",
        "\ufeffName;Address\r\nanna;anna@school.example\r\n\r\nben;\r\n",
        'username\temail\n"anna"\tanna@school.example\nben\t\n',
        "Login,Email\nanna,anna@school.example\nben,\n",
        "\n\n氏名,メール\nanna,anna@school.example\nben\n",
        "ユーザー名；,メールアドレス：\nanna,anna@school.example\nben\n",
        "Имя пользователя;Адрес электронной почты\nanna;anna@school.example\nben\n",
        "sep=;\r\nName;E-Mail\r\nanna;anna@school.example\r\nben;\r\n",
        '"sep=|"\nanna|anna@school.example\nben\n',
        "ben\nanna;anna@school.example\n",
        "\ufeff\u200bUser-Name\nanna\u200b\n\u2060ben\n",
        "Name*,mail\n\u00adanna,anna@\u200bschool.example\nben\n",
    ],
)
def test_accounts_are_made_that_take_part(contest: Contest, teacher: User, text: str) -> None:
    rows = sorted(load(contest, text), key=lambda row: row.name)
    assert [(row.name, row.outcome) for row in rows] == [("anna", "made"), ("ben", "made")]
    assert all(User.objects.get(username=row.name).check_password(row.password) for row in rows)
    assert set(User.objects.filter(password_once=True).values_list("username", flat=True)) == {"anna", "ben"}
    assert Member.objects.filter(contest=contest, role="participant").count() == 2
    assert list(EmailAddress.objects.values_list("email", "verified")) in ([("anna@school.example", False)], [])
    assert "2 made" in AuditEntry.objects.get(act="roster_load").target


def test_a_longer_list_can_be_sent_again_and_verified_addresses_find_their_accounts(
    contest: Contest, teacher: User
) -> None:
    zoe = make_user("zoe")
    EmailAddress.objects.create(user=zoe, email="zoe@home.example", verified=True)
    load(contest, "anna\n")
    rows = load(contest, "ANNA\nsomebody,Zoe@home.example\nben\n")
    assert [(row.name, row.outcome, bool(row.password)) for row in rows] == [
        ("anna", "known", False),
        ("zoe", "added", False),
        ("ben", "made", True),
    ]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("anna\nANNA\n", ["Row 2: anna stands in row 1 already."]),
        ("anna,a@x.example\nben,A@x.example\n", ["Row 2: a@x.example stands in row 1 already."]),
        ("anna,a@x.example,7b\n", ["Row 1: There are 3 columns; only a name and an address are read."]),
        ("a@x.example,anna\n", ["Row 1: The name stands first"]),
        (",a@x.example\n", ["Row 1: The name is missing."]),
        ("anna,nowhere\n", ["Row 1: nowhere is no e-mail address."]),
        ("アンナ\n", ["Row 1: Please choose a user name of up to 30 letters"]),
        ("house\na\n", ["Row 1: The name house cannot be used.", "Row 2: The name a cannot be used."]),
        ("teacher2\nzoe\n", ["Row 2: The name zoe is taken."]),
        ("sep=;\n\nname;mail\nzoe;\n", ["Row 4: The name zoe is taken."]),
        ("Nick\nzoe\n", ["Row 2: The name zoe is taken."]),
        ("", ["The list has no row."]),
        ("name,address\n", ["The list has no row."]),
        ("anna\n田中".encode("shift_jis"), ["Row 2: The text is not UTF-8."]),
        ("anna\nb\x00n", ["Row 2: This is no text."]),
        ('anna\n"ben\n', ["Row 2: A quotation mark is never closed"]),
        ("anna\n" * (ROWS_MAX + 2), [f"The list has more than {ROWS_MAX} rows."]),
        (b"a" * 300_000, ["The list is larger than 256 KiB."]),
    ],
)
def test_what_is_wrong_is_said_by_its_row_and_nothing_is_half_made(
    contest: Contest, teacher: User, text: str | bytes, sentences: list[str]
) -> None:
    make_user("zoe")
    with pytest.raises(RosterError) as caught:
        load(contest, text)
    assert len(caught.value.sentences) == len(sentences)
    assert all(said.startswith(wanted) for said, wanted in zip(caught.value.sentences, sentences, strict=True))
    assert User.objects.filter(username__in=["anna", "ben", "teacher2"]).count() == 0
    assert Member.objects.count() == 1


def test_mailed_passwords_are_not_shown(contest: Contest, teacher: User) -> None:
    rows = load(contest, "anna,anna@school.example\nben\n", by_mail=True)
    assert [(row.outcome, bool(row.password)) for row in rows] == [("mailed", False), ("made", True)]
    (sent,) = mail.outbox
    assert sent.to == ["anna@school.example"]
    found = re.search(r"once: (\S+)", str(sent.body))
    assert found
    assert User.objects.get(username="anna").check_password(found[1])


def test_a_mail_server_that_is_away_leaves_the_passwords_on_the_page(
    contest: Contest, teacher: User, settings: Settings
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    rows = load(contest, "anna,anna@school.example\nben,ben@school.example\n", by_mail=True)
    assert all(row.password and row.outcome == "made" for row in rows)


def test_the_page_shows_the_passwords_once_or_gives_them_as_a_file(
    client: Client, contest: Contest, teacher: User
) -> None:
    client.force_login(teacher)
    url = "/contests/spring/people/list/"
    page = client.post(url, {"list": SimpleUploadedFile("class.csv", b"anna\n"), "answer": "page"})
    (password,) = re.findall(r'class="password">([^<]+)<', page.content.decode())
    assert User.objects.get(username="anna").check_password(password)
    assert "no-store" in page["Cache-Control"]
    answer = client.post(url, {"list": SimpleUploadedFile("class.csv", b"-ben\n"), "answer": "csv"})
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert [(row["name"], row["outcome"]) for row in rows] == [(" -ben", "made")]
    bad = client.post(url, {"list": SimpleUploadedFile("class.csv", b"carl,x\n"), "answer": "page"})
    assert bad.status_code == 422
    assert "Row 1: x is no e-mail address." in bad.content.decode()


def test_only_organisers_see_the_page(client: Client, contest: Contest, teacher: User) -> None:
    anna = make_user("anna")
    Member.objects.create(contest=contest, user=anna)
    client.force_login(anna)
    assert client.get("/contests/spring/people/").status_code == 404
    assert client.post("/contests/spring/people/list/").status_code == 404
    assert client.post("/contests/spring/people/add/", {"name": "anna", "role": "organiser"}).status_code == 404
    client.force_login(teacher)
    assert "anna" in client.get("/contests/spring/people/").content.decode()


def test_a_list_makes_accounts_like_sign_up(
    contest: Contest, teacher: User, client: Client, settings: Settings
) -> None:
    """The attack: a user makes a contest, and six thousand accounts an hour by lists."""
    cache.clear()
    settings.ACCOUNT_RATE_LIMITS = {"signup": "3/h/ip"}
    client.force_login(teacher)

    def sent(*names: str) -> HttpResponse:
        upload = SimpleUploadedFile("list.csv", "\n".join(names).encode())
        return client.post(f"/contests/{contest.slug}/people/list/", {"list": upload, "answer": "page"})  # type: ignore[return-value]

    assert sent("anna", "ben").status_code == 200
    assert sent("anna", "ben", "carl").status_code == 200, "who has an account is none of the sign-ups"
    refused = sent("dora")
    assert refused.status_code == 422
    assert "more than may sign up from your network" in refused.text  # type: ignore[attr-defined]
    assert not User.objects.filter(username="dora").exists()
    User.objects.filter(pk=teacher.pk).update(is_staff=True)
    assert sent("dora").status_code == 200, "administrators make as many as they like"


def test_lists_make_no_accounts_while_sign_up_is_closed(contest: Contest, teacher: User, settings: Settings) -> None:
    settings.SIGN_UP_CLOSED = True
    known = make_user("anna")
    EmailAddress.objects.create(user=known, email="anna@school.example", verified=True, primary=True)
    assert load(contest, "anna,anna@school.example")[0].outcome == "added"
    with pytest.raises(InputError, match="Nobody can sign up here"):
        load(contest, "anna,anna@school.example\nben")
    assert not User.objects.filter(username="ben").exists()
    User.objects.filter(pk=teacher.pk).update(is_staff=True)
    assert load(contest, "ben")[0].outcome == "made"


# --- One-time passwords ---------------------------------------------------------------------------------------------


def test_a_one_time_password_is_changed_before_anything_else(client: Client, contest: Contest, teacher: User) -> None:
    (row,) = load(contest, "anna\n")
    signed = client.post("/accounts/login/", {"login": "anna", "password": row.password})
    assert signed.status_code == 302
    for url in ("/", "/contests/spring/", "/upload/"):
        assert client.get(url)["Location"] == "/accounts/password/change/"
    assert client.post("/contests/spring/team/", {"name": "Castle"}).status_code == 302
    assert client.get("/api/v1/me/").status_code == 403
    form = {"oldpassword": row.password, "password1": row.password, "password2": row.password}
    assert "another password" in client.post("/accounts/password/change/", form).content.decode()
    form |= {"password1": "a battery staple", "password2": "a battery staple"}
    assert client.post("/accounts/password/change/", form)["Location"] == "/upload/"
    assert client.get("/contests/spring/").status_code == 200
    assert not User.objects.get(username="anna").password_once


def test_a_one_time_password_makes_no_token(client: Client, contest: Contest, teacher: User) -> None:
    """The attack: somebody who finds the sheet of paper makes a token that outlives the password."""
    (row,) = load(contest, "anna\n")
    sent = {"username": "anna", "password": row.password}
    answer = client.post("/api/v1/login/", sent, content_type="application/json")
    assert answer.status_code == 422
    assert "password of your own" in answer.content.decode()


def test_one_time_passwords_are_quick_to_hash_and_hashed_slowly_at_the_first_sign_in(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]
    password = password_once()
    user = User.objects.create(username="anna", password=password_once_hash(password), password_once=True)
    assert re.fullmatch(r"[a-z2-9]{4}(-[a-z2-9]{4}){2}", password)
    assert "$10000$" in user.password
    assert user.check_password(password)
    assert f"${PBKDF2PasswordHasher.iterations}$" in User.objects.get().password
    assert User.objects.get().password_once
