"""The page of webhooks in a real browser: one is made, tried, turned on again and deleted."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.browsing import expect_fits_and_is_accessible, sign_in
from tests.ladder.makers import make_user
from webhooks.models import Delivery, Hook

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_webhook_is_made_tried_and_deleted_on_an_accessible_page(page: Page) -> None:
    cache.clear()
    make_user("alice")
    sign_in(page)
    page.get_by_role("link", name="alice").click()
    page.get_by_role("link", name="Webhooks").click()
    page.get_by_label("Url").fill(f"https://ci.example/{'banzuke' * 20}")
    page.get_by_label("tournaments").uncheck()
    page.get_by_role("button", name="Make a webhook").click()
    expect(page.get_by_role("status")).to_contain_text("whsec_")
    hook = Hook.objects.get()
    assert hook.groups == ["build", "probation", "contest"]
    page.get_by_role("button", name="Send a test").click()
    expect(page.get_by_role("row", name="test")).to_contain_text("waiting")
    Delivery.objects.update(tries=1, due_at=None, fault="status", status=302)
    Hook.objects.update(off_at=timezone.now())
    page.reload()
    expect(page.get_by_role("row", name="test")).to_contain_text("the answer was not 2xx (302)")
    expect_fits_and_is_accessible(page)
    page.get_by_role("button", name="Turn on again").click()
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("button", name="Delete")).to_have_count(0)
    assert not Hook.objects.exists()
