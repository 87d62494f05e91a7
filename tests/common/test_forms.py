"""Moments that people type in their own zone: in forms, and in browsers, around the changes of clocks."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django import forms
from playwright.sync_api import Browser, Locator, expect
from pytest_django.live_server_helper import LiveServer

from common.forms import LocalMomentField
from contests.models import Contest
from tests.browsing import sign_in
from tests.contests.makers import make_contest
from tests.ladder.makers import make_user

NINE = datetime(2026, 12, 1, 9, tzinfo=UTC)


class AForm(forms.Form):
    until = LocalMomentField(label="Until", required=False)


def typed(until: str, zone: str | None = None) -> AForm:
    return AForm({"until": until} | ({"until_zone": zone} if zone is not None else {}))


@pytest.mark.parametrize(
    ("until", "zone", "moment"),
    [
        ("2026-12-01T18:00", "Asia/Tokyo", "2026-12-01T09:00:00+00:00"),
        ("2026-12-01T09:00:30", "UTC", "2026-12-01T09:00:30+00:00"),
        (" 2026-12-01 09:00", None, "2026-12-01T09:00:00+00:00"),
        ("2026-12-01T18:00+09:00", "Europe/Moscow", "2026-12-01T09:00:00+00:00"),
        # The last and the first minute on both sides of changes of clocks.
        ("2026-03-29T00:59", "Europe/London", "2026-03-29T00:59:00+00:00"),
        ("2026-03-29T02:00", "Europe/London", "2026-03-29T01:00:00+00:00"),
        ("2026-11-01T00:59", "America/New_York", "2026-11-01T04:59:00+00:00"),
        ("2026-11-01T02:00", "America/New_York", "2026-11-01T07:00:00+00:00"),
        ("2026-04-05T02:00", "Australia/Lord_Howe", "2026-04-04T15:30:00+00:00"),
    ],
)
def test_a_moment_is_read_in_its_zone(until: str, zone: str | None, moment: str) -> None:
    form = typed(until, zone)
    assert form.is_valid(), form.errors
    assert form.cleaned_data["until"] == datetime.fromisoformat(moment)
    assert form.cleaned_data["until"].tzinfo == UTC


@pytest.mark.parametrize(
    ("until", "zone", "why"),
    [
        ("2026-03-29T01:30", "Europe/London", "2026-03-29 01:30 does not exist in Europe/London"),
        ("2026-03-08T02:00", "America/New_York", "does not exist in America/New_York"),
        ("2011-12-30T12:00", "Pacific/Apia", "does not exist"),  # a whole day was left out
        ("2026-11-01T01:59", "America/New_York", "2026-11-01 01:59 comes twice in America/New_York"),
        ("2026-04-05T01:30", "Australia/Lord_Howe", "comes twice"),  # by half an hour
        ("2026-12-01T18:00", "Mars/Olympus", "does not know the time zone Mars/Olympus. Choose UTC."),
        ("2026-12-01T18:00", "../../etc/passwd", "does not know the time zone"),
        ("soon", "UTC", "soon is no time"),
        ("2026-12-01", "UTC", "is no time"),
        ("0001-01-01T00:00", "Asia/Tokyo", "is no time"),
        ("9999-12-31T23:59", "America/New_York", "is no time"),
    ],
)
def test_what_is_no_moment_or_two_is_refused_with_a_sentence(until: str, zone: str, why: str) -> None:
    assert why in str(typed(until, zone).errors["until"])


def test_an_empty_field_is_no_moment() -> None:
    assert typed("", "Asia/Tokyo").is_valid()
    form = AForm({})
    assert form.is_valid()
    assert form.cleaned_data["until"] is None
    assert "required" in str(LocalRequired({"until": "", "until_zone": "UTC"}).errors["until"])


class LocalRequired(forms.Form):
    until = LocalMomentField()


def test_a_form_starts_in_utc_and_shows_a_refused_value_as_it_was_typed() -> None:
    page = str(AForm(initial={"until": NINE}))
    assert '<label for="id_until">' in page
    assert 'value="2026-12-01T09:00:00"' in page
    assert 'data-at="2026-12-01T09:00:00+00:00"' in page
    assert page.count("<option") == page.count('<option value="UTC" selected>') == 1
    page = str(typed("2026-03-29T01:30", "Europe/London"))
    assert 'value="2026-03-29T01:30"' in page
    assert '<option value="Europe/London" selected>' in page
    assert "data-at" not in page
    assert not AForm({"until": "2026-12-01T18:00", "until_zone": "Asia/Tokyo"}, initial={"until": NINE}).has_changed()


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("zone", "moment", "shown", "chosen"),
    [
        ("Asia/Tokyo", "2026-12-01T09:00:00Z", "2026-12-01T18:00:00", "Asia/Tokyo"),
        ("America/New_York", "2026-11-01T05:30:00Z", "2026-11-01T05:30:00", "UTC"),  # comes twice
        ("America/New_York", "2026-11-01T07:00:30Z", "2026-11-01T02:00:30", "America/New_York"),
    ],
)
def test_browsers_offer_the_zone_of_their_reader(
    browser: Browser, live_server: LiveServer, zone: str, moment: str, shown: str, chosen: str
) -> None:
    make_user("root", is_staff=True)
    at = datetime.fromisoformat(moment)
    make_contest(entries_until=at)
    with browser.new_context(base_url=live_server.url, timezone_id=zone, locale="en") as context:
        page = context.new_page()
        sign_in(page, "root")

        def save() -> None:
            page.get_by_role("button", name="Save").click()

        def show() -> tuple[Locator, Locator]:
            page.goto("/contests/spring/desk/settings/")
            return page.get_by_label("Bots are taken until"), page.locator("[name=entries_until_zone]")

        field, zones = show()
        expect(zones).to_have_value(chosen)
        assert datetime.fromisoformat(field.input_value()) == datetime.fromisoformat(shown)
        save()
        expect(page.get_by_role("link", name="Settings")).to_be_visible()
        assert Contest.objects.get(slug="spring").entries_until == at, "what nobody changed stays"
        field, zones = show()
        zones.select_option(zone)
        field.fill("2027-03-24T12:00")
        save()
        expect(page.get_by_text("2027-03-24 12:00 GMT").first).to_be_visible()
        field, zones = show()
        zones.select_option(zone)
        field.fill("2027-03-14T02:30")
        save()
        if zone == "America/New_York":
            expect(page.get_by_text("2027-03-14 02:30 does not exist in America/New_York")).to_be_visible()
            expect(zones).to_have_value(zone)
            expect(field).to_have_value("2027-03-14T02:30")
