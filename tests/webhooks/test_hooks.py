"""Hooks of a user: what may be made, how many, what is sent next, and what the page says of each."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.news_kinds import topic_choices
from common.errors import FieldsError, InputError
from tests.ladder.makers import make_user
from tests.webhooks.makers import built, make_hook
from webhooks.models import Delivery, Hook
from webhooks.selectors.hooks import (
    DELIVERIES_SHOWN,
    deliveries_due,
    deliveries_of,
    delivery_is_due,
    hook_of,
    hooks_of,
)
from webhooks.services.deliveries import AT_ONCE_MAX, delivery_test
from webhooks.services.hooks import HOOKS_MAX, hook_create, hook_delete, hook_resume, hooks_delete_all

pytestmark = pytest.mark.django_db


@pytest.fixture
def alice() -> User:
    return make_user("alice")


# --- Making and deleting ---------------------------------------------------------------------------------------------


def test_groups_are_stored_once_and_in_the_order_of_the_page(alice: User) -> None:
    names = list(dict(topic_choices()))
    hook = hook_create(owner=alice, url="https://ci.example/", groups=[*reversed(names), names[0]])
    assert hook.groups == names
    assert hook.group_names == [str(label) for _value, label in topic_choices()]


@pytest.mark.parametrize(
    ("url", "groups", "fields"),
    [
        ("https://ci.example/", [], ["groups"]),
        ("https://ci.example/", ["build", "weather"], ["groups"]),
        ("http://ci.example/", ["build"], ["url"]),
        ("", [], ["url", "groups"]),
    ],
)
def test_each_fault_is_told_by_its_field(url: str, groups: list[str], fields: list[str], alice: User) -> None:
    with pytest.raises(FieldsError) as refused:
        hook_create(owner=alice, url=url, groups=groups)
    assert list(refused.value.fields) == fields
    assert all(sentence.endswith(".") for sentence in refused.value.fields.values())
    assert not Hook.objects.exists()


def test_a_user_has_at_most_some_hooks_and_others_do_not_count(alice: User) -> None:
    for _ in range(HOOKS_MAX):
        make_hook(owner=alice)
    with pytest.raises(InputError, match=f"You have {HOOKS_MAX} webhooks"):
        make_hook(owner=alice)
    make_hook(owner=make_user("bob"))
    hook_delete(hook=Hook.objects.filter(owner=alice).first() or Hook())
    make_hook(owner=alice)
    assert hooks_of(owner=alice).count() == HOOKS_MAX


def test_nobody_finds_the_hook_of_somebody_else(alice: User) -> None:
    hook = make_hook(owner=alice)
    bob = make_user("bob")
    assert hook_of(owner=alice, pk=hook.pk) == hook
    assert hook_of(owner=bob, pk=hook.pk) is None
    assert hook_of(owner=alice, pk=hook.pk + 1) is None


def test_messages_go_with_their_hook(alice: User) -> None:
    gone, kept = make_hook(owner=alice), make_hook(owner=alice)
    delivery_test(hook=gone)
    delivery_test(hook=kept)
    hook_delete(hook=gone)
    assert [row.hook for row in Delivery.objects.all()] == [kept]


def test_a_disabled_account_loses_its_hooks_and_no_other_does(alice: User) -> None:
    make_hook(owner=alice)
    others = make_hook(owner=make_user("bob"))
    hooks_delete_all(user=alice)
    assert list(Hook.objects.all()) == [others]


def test_what_happened_while_a_hook_was_off_is_not_sent_afterwards(alice: User) -> None:
    hook = make_hook(owner=alice)
    Hook.objects.update(off_at=timezone.now(), failures=20)
    built(hook, "meanwhile")
    hook_resume(hook=hook)
    hook.refresh_from_db()
    assert (hook.off_at, hook.failures) == (None, 0)
    assert not delivery_is_due()
    built(hook, "afterwards")
    assert delivery_is_due()


# --- What is sent next -----------------------------------------------------------------------------------------------


def test_each_hook_has_one_message_on_its_way_the_oldest_first(alice: User) -> None:
    """The attack: a receiver that never answers holds up the messages of others."""
    one, other = make_hook(owner=alice), make_hook(owner=alice)
    first = delivery_test(hook=one)
    delivery_test(hook=one)
    second = delivery_test(hook=other)
    now = timezone.now()
    assert deliveries_due(at=now, limit=AT_ONCE_MAX) == [first, second]
    Delivery.objects.filter(pk=first.pk).update(due_at=now - timedelta(hours=1))
    Delivery.objects.filter(pk=second.pk).update(due_at=now - timedelta(hours=2))
    assert deliveries_due(at=now, limit=AT_ONCE_MAX) == [second, first]
    assert deliveries_due(at=now, limit=1) == [second]


def test_a_message_that_waits_for_its_next_try_is_not_due_yet(alice: User) -> None:
    delivery = delivery_test(hook=make_hook(owner=alice))
    now = timezone.now()
    Delivery.objects.update(due_at=now + timedelta(seconds=10))
    assert not deliveries_due(at=now, limit=AT_ONCE_MAX)
    assert deliveries_due(at=now + timedelta(seconds=10), limit=AT_ONCE_MAX) == [delivery]
    Delivery.objects.update(due_at=None)
    assert not deliveries_due(at=now + timedelta(days=1), limit=AT_ONCE_MAX)


def test_a_hook_that_is_off_gets_tests_alone(alice: User) -> None:
    hook = make_hook(owner=alice)
    built(hook)
    Hook.objects.update(off_at=timezone.now())
    assert not delivery_is_due()
    test = delivery_test(hook=hook)
    assert deliveries_due(at=timezone.now(), limit=AT_ONCE_MAX) == [test]


def test_the_newest_messages_are_shown(alice: User) -> None:
    hook = make_hook(owner=alice)
    made = [delivery_test(hook=hook) for _ in range(DELIVERIES_SHOWN + 2)]
    assert deliveries_of(hook=hook) == made[:1:-1]


# --- The page --------------------------------------------------------------------------------------------------------


def test_the_page_is_for_signed_in_users_and_shows_their_own(alice: User, client: Client) -> None:
    make_hook("https://one.example/path", owner=alice)
    make_hook("https://other.example/", owner=make_user("bob"))
    assert client.get("/hooks/").status_code == 302
    client.force_login(alice)
    page = client.get("/hooks/").text
    assert "https://one.example/path" in page
    assert "other.example" not in page


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "waiting"),
        ({"tries": 1}, "being sent"),
        ({"tries": 1, "is_delivered": True, "status": 204}, "delivered"),
        ({"tries": 1, "fault": "status", "status": 500}, "the answer was not 2xx"),
        ({"tries": 1, "fault": "no_answer"}, "no answer in time"),
        ({"tries": 1, "fault": "unreachable"}, "not reachable"),
        ({"tries": 1, "fault": "certificate"}, "its certificate is not valid"),
        ({"tries": 1, "fault": "private"}, "not a public address"),
    ],
)
def test_the_page_says_what_became_of_a_message(
    fields: dict[str, object], words: str, alice: User, client: Client
) -> None:
    delivery_test(hook=make_hook(owner=alice))
    Delivery.objects.update(**fields)
    client.force_login(alice)
    page = client.get("/hooks/").text
    assert words in page
    assert ("(500)" in page) is (fields.get("status") == 500)


def test_a_hook_that_is_off_can_be_turned_on_and_one_that_is_on_can_be_tested(alice: User, client: Client) -> None:
    hook = make_hook(owner=alice)
    client.force_login(alice)
    assert f"/hooks/{hook.pk}/test/" in client.get("/hooks/").text
    Hook.objects.update(off_at=timezone.now())
    page = client.get("/hooks/").text
    assert f"/hooks/{hook.pk}/resume/" in page
    assert f"/hooks/{hook.pk}/test/" not in page
    assert "too many tries in a row have failed" in page


def test_a_refused_form_keeps_what_was_typed(alice: User, client: Client) -> None:
    client.force_login(alice)
    answer = client.post("/hooks/", {"url": "http://ci.example/<x>", "groups": ["tournament"]})
    assert answer.status_code == 422
    assert "begins with https://" in answer.text
    assert 'value="http://ci.example/&lt;x&gt;"' in answer.text
    chosen = [name for name, _ in topic_choices() if f'value="{name}" checked' in " ".join(answer.text.split())]
    assert chosen == ["tournament"]


def test_a_full_page_has_no_form_for_one_more(alice: User, client: Client) -> None:
    client.force_login(alice)
    assert "New webhook" in client.get("/hooks/").text
    for _ in range(HOOKS_MAX):
        make_hook(owner=alice)
    assert "New webhook" not in client.get("/hooks/").text
    assert client.post("/hooks/", {"url": "https://ci.example/", "groups": ["build"]}).status_code == 422


@pytest.mark.parametrize("act", ["wings", "show"])
def test_an_unknown_act_has_no_url_and_no_act_is_a_link(act: str, alice: User, client: Client) -> None:
    hook = make_hook(owner=alice)
    client.force_login(alice)
    assert client.post(f"/hooks/{hook.pk}/{act}/").status_code == 404
    assert client.get(f"/hooks/{hook.pk}/delete/").status_code == 405
    assert Hook.objects.exists()
