"""The administrators' pages of bots and versions."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import AuditEntry
from ladder.models import BotVersion
from tests.ladder.makers import make_bot, make_user, make_version
from tests.visitors import signed_in
from tests.words import english

pytestmark = pytest.mark.django_db


@pytest.fixture
def admins() -> Client:
    return signed_in(make_user("chief", is_staff=True, is_superuser=True))


@pytest.mark.parametrize(
    ("language", "said"), [("en", "Times are in UTC"), ("ja", "時刻は UTC"), ("ru", "время указано в UTC")]
)
def test_every_page_says_in_which_zone_its_times_are(admins: Client, language: str, said: str) -> None:
    for url in ("", "contests/contest/", "ladder/announcement/add/", "accounts/auditentry/", "accounts/user/"):
        assert said in admins.get(f"/admin/{url}", headers={"Accept-Language": language}).text


@pytest.mark.parametrize("field", ["bundle_digest", "artifact_digest"])
@pytest.mark.parametrize("chars", [12, 64])
def test_versions_are_found_by_their_digests(admins: Client, field: str, chars: int) -> None:
    digest = "5a" * 32
    same = [make_version(make_bot(name), **{field: digest}) for name in ("one", "other")]
    make_version(make_bot("third"))
    page = admins.get("/admin/ladder/botversion/", {"q": digest[:chars]})
    assert set(page.context["cl"].result_list) == set(same)
    assert "or how the digest of an upload" in page.text


def test_a_version_is_withdrawn_and_the_act_is_written_down(admins: Client) -> None:
    active, rejected = make_version(), make_version(make_bot("other"), state=BotVersion.State.REJECTED)
    chosen = {"action": "withdraw", "_selected_action": [active.pk, rejected.pk], "reason": "It is a copy."}
    page = admins.post("/admin/ladder/botversion/", chosen, follow=True).content.decode()
    active.refresh_from_db()
    assert active.state == BotVersion.State.RETIRED
    assert "cannot be withdrawn" in page
    assert AuditEntry.objects.values_list("actor_name", "act", "target").get() == (
        "chief",
        "version_disqualify",
        str(active),
    )
    client = signed_in(active.bot.owner)
    told = client.get(f"/versions/{active.pk}/").text
    assert "An administrator has withdrawn this version. Why: It is a copy." in told


def test_the_owner_of_a_bot_reads_that_it_was_withdrawn_and_not_replaced(admins: Client) -> None:
    version = make_version()
    admins.post("/admin/ladder/bot/", {"action": "withdraw", "_selected_action": [version.bot_id]})
    version.refresh_from_db()
    assert (version.state, english(version.reason)) == ("retired", "An administrator has withdrawn this version.")
    assert "replaced or withdrawn" in Client().get(f"/bots/{version.bot_id}/").text
