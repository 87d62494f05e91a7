"""What views share: forms that show why a service refuses them, buttons, held answers, limits of single visitors."""

from __future__ import annotations

import asyncio
import threading
from http import HTTPStatus
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.http import HttpRequest, HttpResponse, QueryDict
from django.test import RequestFactory
from django.utils.functional import lazystr
from django.utils.translation import activate, get_language
from structlog.testing import capture_logs

from common.credentials import credentials
from common.edits import EditedError
from common.errors import FieldsError, InputError, StoreAway
from common.forms import EditForm, SentForm, TextField, posted
from common.held import held, hold
from common.shortcuts import act_told, form_page, store_away_as_503
from common.text import is_row_number
from common.threads import PAGES, STREAMS, ask_database, in_thread
from common.visitors import visitor_at


class NameForm(SentForm):
    """A name that a service may refuse."""

    refused_at = "name"
    name = TextField(max_length=10)


class PlainForm(SentForm):
    """A form of which no field is named as that of refusals."""

    name = TextField()


class ChangeForm(EditForm):
    """A name of a row that others may change."""

    name = TextField(label="Name", max_length=10)


def sent(**fields: str) -> QueryDict:
    data = QueryDict(mutable=True)
    data.update(fields)
    return data


def refusing(error: Exception) -> Any:
    def save() -> str:
        raise error

    return save


def a_request(**data: str) -> HttpRequest:
    """Return a POST request with a place for messages."""
    request = RequestFactory().post("/", data)
    request.session = SessionStore()
    request._messages = FallbackStorage(request)  # type: ignore[attr-defined]  # as the middleware does
    return request


def told(request: HttpRequest) -> list[tuple[str, str]]:
    return [(message.level_tag, str(message)) for message in get_messages(request)]


# --- Forms ----------------------------------------------------------------------------------------------------------


def test_a_service_gets_what_was_typed_and_its_result_is_returned() -> None:
    form = NameForm(sent(name=" Ha\u200bna "))
    assert form.saved(lambda: form.cleaned_data["name"]) == "Hana"
    assert not form.wrong


def test_nothing_is_saved_of_a_form_that_was_not_sent_or_is_wrong() -> None:
    for form in (NameForm(), NameForm(sent()), NameForm(sent(name="x" * 11)), NameForm(sent(name="\u200b"))):
        assert form.saved(refusing(AssertionError("it must not be called"))) is None
        assert form.wrong is form.is_bound


def test_a_refusal_stands_at_its_field_or_above_all() -> None:
    form = NameForm(sent(name="Hana"))
    assert form.saved(refusing(InputError("It is taken."))) is None
    assert (form.wrong, form.errors) == (True, {"name": ["It is taken."]})
    plain = PlainForm(sent(name="Hana"))
    plain.saved(refusing(InputError("It is closed.")))
    assert plain.non_field_errors() == ["It is closed."]


def test_a_fault_of_ours_is_no_refusal() -> None:
    form = NameForm(sent(name="Hana"))
    with pytest.raises(ZeroDivisionError):
        form.saved(refusing(ZeroDivisionError()))
    assert not form.wrong


def test_who_changes_an_edited_row_is_told_and_may_send_it_once_more() -> None:
    form = ChangeForm(sent(name="Hana", read="old"))
    assert form.saved(refusing(EditedError(["name", "hidden"], "new"))) is None
    first, second = form.non_field_errors()
    assert first.startswith("This was changed in the meantime")
    assert second == "Changed: Name."
    assert (form["read"].value(), form["name"].value()) == ("new", "Hana")
    other = ChangeForm(sent(name="Hana"))
    other.saved(refusing(InputError("It is closed.")))
    assert other.non_field_errors() == ["It is closed."]


def test_the_page_of_a_refused_form_has_a_status_of_its_own() -> None:
    request = RequestFactory().get("/")
    right, wrong = NameForm(), NameForm(sent())
    for form, status in ((right, HTTPStatus.OK), (wrong, HTTPStatus.UNPROCESSABLE_ENTITY)):
        answer = form_page(request, "common/_pages.html", form, page=None)
        assert answer.status_code == status


def test_several_faults_are_one_sentence_after_the_other_without_repetition() -> None:
    error = FieldsError({"a": "One.", "b": "Two.", "c": "One."})
    assert (str(error), error.fields) == ("One. Two.", {"a": "One.", "b": "Two.", "c": "One."})
    assert isinstance(error, InputError)


# --- Buttons --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("act", "is_done", "messages"),
    [
        (lambda: "It is done.", True, [("success", "It is done.")]),
        (lambda: None, True, []),
        (lambda: 5, True, []),
        (lambda: "", True, []),
        (lambda: lazystr("It is done."), True, [("success", "It is done.")]),
        (lambda: lazystr(""), True, []),
        (refusing(InputError("It is over.")), False, [("error", "It is over.")]),
    ],
)
def test_a_button_tells_what_was_done_or_why_not(act: Any, is_done: bool, messages: list[tuple[str, str]]) -> None:
    request = a_request()
    assert act_told(request, act) is is_done
    assert told(request) == messages


def test_a_typed_text_loses_what_nobody_sees() -> None:
    request = a_request(reason=" \ufeffso\u00ad ")
    assert (posted(request, "reason"), posted(request, "other")) == ("so", "")


@pytest.mark.django_db
def test_a_store_that_is_away_is_a_page_that_says_so(client: Any) -> None:
    @store_away_as_503
    def view(request: HttpRequest, *, fails: bool) -> HttpResponse:
        if fails:
            raise StoreAway("Bots cannot be read just now.")
        return HttpResponse("here")

    request = client.get("/").wsgi_request
    assert view(request, fails=False).content == b"here"
    answer = view(request, fails=True)
    assert (answer.status_code, b"Bots cannot be read just now." in answer.content) == (503, True)
    assert view.__name__ == "view"


# --- Waiting --------------------------------------------------------------------------------------------------------


def test_an_answer_that_is_not_held_is_sent_at_once() -> None:
    asyncio.run(held(HttpResponse()))


@pytest.mark.django_db(transaction=True)
def test_a_held_answer_waits_until_it_has_happened() -> None:
    asked = []
    response = HttpResponse()
    hold(response, until=lambda: len(asked) == 2 or bool(asked.append(1)), seconds=600)
    asyncio.run(held(response))
    assert len(asked) == 2


@pytest.mark.django_db(transaction=True)
def test_a_held_answer_is_sent_when_its_time_is_over() -> None:
    response = HttpResponse()
    hold(response, until=lambda: False, seconds=0)
    asyncio.run(held(response))


@pytest.mark.django_db(transaction=True)
def test_a_held_answer_is_sent_when_nobody_can_tell() -> None:
    response = HttpResponse()
    hold(response, until=refusing(OSError("The database is away.")), seconds=600)
    with capture_logs() as logs:
        asyncio.run(held(response))
    assert [line["event"] for line in logs] == ["held_response_unknown"]


def test_a_function_runs_in_a_thread_of_its_kind_and_leaves_no_language_there() -> None:
    def where(language: str, *, more: str) -> tuple[str, str | None, str]:
        before = get_language()
        activate(language)
        return threading.current_thread().name.partition("_")[0], before, more

    usual = get_language()
    for language in ("ja", "ru", "ja"):
        assert asyncio.run(in_thread(PAGES, where, language, more="x")) == ("page", usual, "x")
        assert asyncio.run(in_thread(STREAMS, where, language, more="y")) == ("stream", usual, "y")


@pytest.mark.django_db(transaction=True)
def test_what_a_function_raises_comes_back() -> None:
    with pytest.raises(ZeroDivisionError):
        asyncio.run(ask_database(lambda: 1 // 0))
    assert asyncio.run(ask_database(max, 1, 2)) == 2


# --- Visitors -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "visitor"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::"),
        ("2001:db8:1:3::1", "2001:db8:1:3::"),
        ("unknown", "unknown"),
        ("", ""),
    ],
)
def test_a_network_of_a_provider_is_one_visitor(address: str, visitor: str) -> None:
    assert visitor_at(address) == visitor


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ("Bearer abc", "abc"),
        ("bearer  abc ", "abc"),
        (" BEARER a b", "a b"),
        ("Basic abc", ""),
        ("Bearer", ""),
        ("Bearerabc", ""),
        ("", ""),
    ],
)
def test_a_scheme_is_read_in_any_case(header: str, found: str) -> None:
    assert credentials(header=header, scheme="Bearer") == found


@pytest.mark.parametrize(
    ("text", "is_key"),
    [
        *(("0", True), ("7", True), ("9" * 18, True), ("9" * 19, False), ("", False), ("-1", False)),
        *(("1.0", False), (" 1", False), ("１", False), ("²", False), ("1e3", False)),
    ],
)
def test_a_key_of_a_row_is_written_in_few_digits(text: str, is_key: bool) -> None:
    assert is_row_number(text) is is_key
