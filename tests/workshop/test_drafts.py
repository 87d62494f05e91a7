"""A draft that another tab or browser has saved is never overwritten unasked."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import DjangoDbBlocker

from accounts.models import User
from contests.models import Contest
from tests.at_once import while_uncommitted
from tests.ladder.makers import make_user
from tests.matches.makers import make_version
from tests.visitors import signed_in
from workshop.models import Draft
from workshop.services.drafts import NewerDraftError, draft_save

PAGE = "/workshop/games/kakomimasu/"


def save(owner: User, text: str, revision: int = 0, page: str = "a") -> int:
    contest = Contest.objects.get(pk="kakomimasu")
    files = {"main.py": text}
    return draft_save(owner=owner, contest=contest, language="python", files=files, revision=revision, page=page)


def stored() -> str:
    return str(Draft.objects.get().files["main.py"])


@pytest.mark.django_db
def test_an_older_page_does_not_overwrite_a_newer_draft(alice: User) -> None:
    first = save(alice, "one")
    second = save(alice, "two", first, page="b")
    with pytest.raises(NewerDraftError, match="changed in another tab") as refused:
        save(alice, "three", first)
    assert (stored(), refused.value.revision) == ("two", second)
    with pytest.raises(NewerDraftError):
        save(alice, "a page that found no draft", 0, page="c")
    assert save(alice, "two", first) == second, "both have the same text"
    assert save(alice, "three", refused.value.revision) > second, "now it was asked"
    assert stored() == "three"


@pytest.mark.django_db
def test_a_page_overwrites_what_it_has_saved_itself(alice: User) -> None:
    """Two savings of it may be on their way at once; the second does not know the revision of the first."""
    first = save(alice, "one")
    save(alice, "two", first)
    third = save(alice, "three", first)
    assert stored() == "three"
    save(alice, "four", third, page="b")
    with pytest.raises(NewerDraftError):
        save(alice, "five", third)


@pytest.mark.django_db(transaction=True)
def test_of_two_pages_that_save_at_once_one_is_told(alice: User, django_db_blocker: DjangoDbBlocker) -> None:
    first = save(alice, "one")

    def late() -> str:
        try:
            save(alice, "three", first, page="c")
        except NewerDraftError as error:
            return str(error)
        return ""

    assert while_uncommitted(lambda: save(alice, "two", first, page="b"), late, django_db_blocker)
    assert stored() == "two"


@pytest.mark.django_db
def test_the_page_is_told_the_revision_and_whose_it_is(alice: User) -> None:
    make_version("Rival")
    client = signed_in(alice)

    def post(client: Client, text: str, **told: object) -> tuple[int, dict[str, object]]:
        body = {"language": "python", "files": {"main.py": text}, **told}
        answer = client.post(f"{PAGE}draft/", body, content_type="application/json")
        return answer.status_code, answer.json()

    assert post(client, "one", page="0a", reader=alice.pk) == (200, {"revision": 1})
    assert client.get(PAGE).context["viewer"]["workshop"]["revision"] == 1
    status, told = post(client, "two", page="0b", revision=0)
    assert (status, told["revision"], stored()) == (409, 1, "one")
    status, told = post(signed_in(make_user("bob")), "three", reader=alice.pk)
    assert (status, Draft.objects.count()) == (400, 1)
    assert "You are signed in as bob now" in str(told["error"])
    for page in ("no hexadecimal number", "0" * 37, "0" * 36 + "\n"):
        assert post(client, "four", page=page)[0] == 400
