"""Announcements: they are on every page between two times, until a reader dismisses them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import caches
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, DjangoCaptureOnCommitCallbacks, Settings

from accounts.models import AuditEntry
from common.queries.cached import cached_clear
from contests.selectors.visibility import contests_public
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


def test_an_announcement_is_on_every_page_with_its_level_in_words(client: Client) -> None:
    assert "announcement" not in client.get("/").text
    announce(level=Announcement.Level.URGENT)
    for url in ("/", "/matches/", "/games/", "/accounts/login/", "/nowhere/"):
        text = client.get(url).text
        assert 'role="status"' in text, url
        assert "<strong>Important:</strong> The finals begin at noon." in text, url


@pytest.mark.parametrize("text", ["The finals begin at noon in the great hall.", "決勝は正午に始まります。" * 80])
def test_the_dismiss_button_names_the_beginning_of_the_text(client: Client, text: str) -> None:
    """It is cut by characters, not by words, which Japanese does not separate by blanks."""
    announce(text)
    begin = client.get("/").text.partition("the announcement “")[2].partition("”")[0]
    assert begin.endswith("…")
    assert text.startswith(begin.removesuffix("…").rstrip())
    assert len(begin) <= 60


def test_a_future_announcement_appears_in_time_despite_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    later = timezone.now() + HOUR
    shown = announce(shown_from=later, shown_until=later + HOUR)
    assert announcements_current() == []
    monkeypatch.setattr("ladder.selectors.announcements.timezone.now", lambda: later)
    assert announcements_current() == [shown]
    monkeypatch.setattr("ladder.selectors.announcements.timezone.now", lambda: later + HOUR)
    assert announcements_current() == []


def test_announcements_are_escaped_and_urls_become_links(client: Client) -> None:
    announce("<script>alert(1)</script> See https://arena.example/finals.")
    text = client.get("/").text
    assert "<script>alert" not in text
    assert '<a href="https://arena.example/finals"' in text


@pytest.mark.parametrize("cookie", ["{pk}", "999.{pk}.x", "{pk}." + "9" * 300])
def test_a_dismissed_announcement_is_not_shown(client: Client, cookie: str) -> None:
    announcement, other = announce("first"), announce("second")
    client.cookies["dismissed"] = cookie.format(pk=announcement.pk)
    text = client.get("/").text
    assert f'data-announcement="{announcement.pk}"' not in text
    assert f'data-announcement="{other.pk}"' in text


@pytest.mark.parametrize("cookie", ["", "x", ".", "\x7f", "9" * 5_000, "-1", "1e9"])
def test_any_content_of_the_cookie_is_harmless(client: Client, cookie: str) -> None:
    announce()
    assert "The finals" in client.get("/", headers=cookie_header("dismissed", cookie)).text


def test_the_page_cache_distinguishes_dismissed_announcements(client: Client, settings: Settings) -> None:
    settings.CACHES = settings.CACHES | {"pages": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    caches["pages"].clear()
    announcement = announce()
    assert "The finals" in client.get("/games/").text
    client.cookies["dismissed"] = str(announcement.pk)
    page = client.get("/games/")
    assert "The finals" not in page.text
    # Other content of the cookie gives the same cached page.
    client.cookies["dismissed"] = f"77.{announcement.pk}"
    assert client.get("/games/").text == page.text


@pytest.mark.usefixtures("kept")
def test_announcements_cost_no_query(client: Client, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    announce()
    announcements_current()
    contests_public()
    with django_assert_num_queries(0):
        assert "The finals" in client.get("/accounts/login/").text
        assert len(announcements_for(cookies={})) == 1
    cached_clear()
    with django_assert_num_queries(1):
        announcements_for(cookies={})


def test_a_read_before_the_commit_does_not_stay_in_the_cache(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks() as callbacks:
        announcement = announce()
    assert callbacks == [cached_clear]
    with django_capture_on_commit_callbacks() as callbacks:
        announcement_delete(announcement=announcement, actor=None)
    assert callbacks == [cached_clear]


def test_the_audit_log_names_the_author_of_an_announcement() -> None:
    chief = make_user("chief")
    announcement = Announcement(text="The finals begin at noon.")
    announcement_save(announcement=announcement, actor=chief)
    pk = announcement.pk
    announcement_delete(announcement=announcement, actor=chief)
    assert announcements_current() == []
    acts = AuditEntry.objects.filter(actor=chief, target=f"{pk}: The finals begin at noon.")
    assert set(acts.values_list("act", flat=True)) == {"announcement_save", "announcement_delete"}


def test_two_administrators_do_not_overwrite_each_other(client: Client) -> None:
    client.force_login(make_user("chief", is_staff=True, is_superuser=True))
    announcement = announce()
    url = reverse("admin:ladder_announcement_change", args=[announcement.pk])
    form = client.get(url).context["adminform"].form
    begin = timezone.localtime(announcement.shown_from)
    typed = {"text": "The finals begin at one.", "level": "news", "contest": "", "shown_from_0": begin.date()}
    typed |= {"shown_from_1": begin.time(), "shown_until_0": "", "shown_until_1": "", "read": form.initial["read"]}
    announcement.text = "The finals begin at two."
    announcement.save()
    refused = client.post(url, typed)
    announcement.refresh_from_db()
    assert announcement.text == "The finals begin at two."
    assert b"The finals begin at one." in refused.content
    assert b"nothing is overwritten" in refused.content
    again = refused.context["adminform"].form["read"].value()
    assert client.post(url, typed | {"read": again}).status_code == 302
    announcement.refresh_from_db()
    assert announcement.text == "The finals begin at one."


def test_an_announcement_cannot_end_before_it_begins() -> None:
    now = timezone.now()
    with pytest.raises(ValidationError, match="later than the beginning"):
        announce(shown_from=now, shown_until=now - HOUR)


def test_the_api_lists_announcements(client: Client) -> None:
    announcement = announce(level=Announcement.Level.WARNING)
    (row,) = client.get("/api/v1/announcements/").json()
    assert row.pop("shown_from").endswith("Z")
    assert row == {
        "id": announcement.pk,
        "text": announcement.text,
        "level": "warning",
        "contest": None,
        "shown_until": None,
    }
