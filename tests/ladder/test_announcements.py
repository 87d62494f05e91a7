"""Announcements stand on every page for their time, and a reader who has dismissed one sees it no more."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import caches
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, DjangoCaptureOnCommitCallbacks, Settings

from accounts.models import AuditEntry
from common.queries.cached import cached_clear
from ladder.models import Announcement
from ladder.selectors.announcements import announcements_current, announcements_for
from ladder.services.announcements import announcement_delete, announcement_save
from tests.ladder.makers import cookie_header, make_user

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def announce(text: str = "The finals begin at noon.", **fields: Any) -> Announcement:
    announcement = Announcement(text=text, **fields)
    announcement.full_clean()
    announcement_save(announcement=announcement, actor=None)
    return announcement


def test_it_stands_on_every_page_with_its_level_in_words(client: Client) -> None:
    announce(level=Announcement.Level.URGENT)
    for address in ("/", "/matches/", "/games/", "/accounts/login/", "/nowhere/"):
        text = client.get(address).text
        assert 'role="status"' in text, address
        assert "<strong>Important:</strong> The finals begin at noon." in text, address


@pytest.mark.parametrize("text", ["The finals begin at noon in the great hall.", "決勝は正午に始まります。" * 80])
def test_its_button_names_it_in_short(client: Client, text: str) -> None:
    """Words are no measure for Japanese, which has no blanks between them."""
    announce(text)
    begin = client.get("/").text.partition("the announcement “")[2].partition("”")[0]
    assert begin.endswith("…")
    assert text.startswith(begin.removesuffix("…").rstrip())
    assert len(begin) <= 60


def test_without_one_no_page_says_anything_of_it(client: Client) -> None:
    assert "announcement" not in client.get("/").text


def test_it_is_shown_for_its_time() -> None:
    now = timezone.now()
    announce("over", shown_from=now - 2 * HOUR, shown_until=now - HOUR)
    announce("to come", shown_from=now + HOUR)
    shown = announce("now", shown_from=now - HOUR, shown_until=now + HOUR)
    assert announcements_current() == [shown]


def test_it_comes_at_its_moment_though_it_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    later = timezone.now() + HOUR
    shown = announce(shown_from=later, shown_until=later + HOUR)
    assert announcements_current() == []
    monkeypatch.setattr("ladder.selectors.announcements.timezone.now", lambda: later)
    assert announcements_current() == [shown]
    monkeypatch.setattr("ladder.selectors.announcements.timezone.now", lambda: later + HOUR)
    assert announcements_current() == []


def test_text_is_text_and_addresses_are_links(client: Client) -> None:
    announce("<script>alert(1)</script> See https://arena.example/finals.")
    text = client.get("/").text
    assert "<script>alert" not in text
    assert '<a href="https://arena.example/finals"' in text


@pytest.mark.parametrize("cookie", ["{pk}", "999.{pk}.x", "{pk}." + "9" * 300])
def test_who_has_dismissed_it_sees_it_no_more(client: Client, cookie: str) -> None:
    announcement, other = announce("first"), announce("second")
    client.cookies["dismissed"] = cookie.format(pk=announcement.pk)
    text = client.get("/").text
    assert f'data-announcement="{announcement.pk}"' not in text
    assert f'data-announcement="{other.pk}"' in text


@pytest.mark.parametrize("cookie", ["", "x", ".", "\x7f", "9" * 5_000, "-1", "1e9"])
def test_a_cookie_may_say_anything(client: Client, cookie: str) -> None:
    announce()
    assert "The finals" in client.get("/", headers=cookie_header("dismissed", cookie)).text


def test_a_kept_page_is_not_shown_to_who_has_dismissed(client: Client, settings: Settings) -> None:
    settings.CACHES = settings.CACHES | {"pages": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    caches["pages"].clear()
    announcement = announce()
    assert "The finals" in client.get("/games/").text
    client.cookies["dismissed"] = str(announcement.pk)
    page = client.get("/games/")
    assert "The finals" not in page.text
    # Whatever else the cookie says, it is the same page.
    client.cookies["dismissed"] = f"77.{announcement.pk}"
    assert client.get("/games/").text == page.text


@pytest.mark.usefixtures("kept")
def test_it_costs_no_query(client: Client, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    announce()
    announcements_current()
    with django_assert_num_queries(0):
        assert "The finals" in client.get("/accounts/login/").text
        assert len(announcements_for(cookies={})) == 1
    cached_clear()
    with django_assert_num_queries(1):
        announcements_for(cookies={})


def test_what_others_read_before_the_commit_is_not_kept(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks() as callbacks:
        announcement = announce()
    assert callbacks == [cached_clear]
    with django_capture_on_commit_callbacks() as callbacks:
        announcement_delete(announcement=announcement, actor=None)
    assert callbacks == [cached_clear]


def test_it_is_written_down_who_said_it() -> None:
    chief = make_user("chief")
    announcement = Announcement(text="The finals begin at noon.")
    announcement_save(announcement=announcement, actor=chief)
    pk = announcement.pk
    announcement_delete(announcement=announcement, actor=chief)
    assert announcements_current() == []
    acts = AuditEntry.objects.values_list("actor", "act", "target")
    assert set(acts) == {
        (chief.pk, "announcement_save", f"{pk}: The finals begin at noon."),
        (chief.pk, "announcement_delete", f"{pk}: The finals begin at noon."),
    }


def test_a_long_one_is_named_by_its_beginning() -> None:
    named = str(Announcement(text="The arena rests. " * 10))
    assert named.startswith("The arena rests.")
    assert named.endswith("…")
    assert len(named) <= 60


def test_it_cannot_end_before_it_begins() -> None:
    now = timezone.now()
    with pytest.raises(ValidationError, match="later than the beginning"):
        announce(shown_from=now, shown_until=now - HOUR)


def test_programs_read_it_too(client: Client) -> None:
    announcement = announce(level=Announcement.Level.WARNING)
    assert client.get("/api/v1/announcements/").json() == [
        {
            "id": announcement.pk,
            "text": "The finals begin at noon.",
            "level": "warning",
            "shown_from": announcement.shown_from.isoformat().replace("+00:00", "Z"),
            "shown_until": None,
        }
    ]
