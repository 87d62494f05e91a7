"""Forms in other encodings than UTF-8, or with another charset in their headers."""

from __future__ import annotations

import pytest
from django.test import Client
from django.test.client import BOUNDARY, encode_multipart

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("charset", ["latin1", "idna", "undefined", "zlib", "utf-8", "nonsense"])
def test_no_charset_of_a_form_causes_an_internal_error(charset: str) -> None:
    """The attack: with a CSRF cookie the form is decoded before any view, and again by the error page."""
    client = Client(enforce_csrf_checks=True)
    client.cookies["csrftoken"] = "a" * 32
    many_parts = encode_multipart(BOUNDARY, {"login": "Алиса"})
    for body, content_type in [
        (b"login=%D0%90", "application/x-www-form-urlencoded"),
        (many_parts, f"multipart/form-data; boundary={BOUNDARY}"),
    ]:
        answer = client.generic("POST", "/accounts/login/", body, content_type=f"{content_type}; charset={charset}")
        assert answer.status_code == 403, content_type


@pytest.mark.parametrize("charset", ["utf-8", "latin1"])
def test_a_form_is_read_as_utf_8(client: Client, charset: str) -> None:
    content_type = f"application/x-www-form-urlencoded; charset={charset}"
    answer = client.generic("POST", "/accounts/login/", b"login=%D0%90%D0%BB&password=x", content_type=content_type)
    assert answer.context["form"]["login"].value() == "Ал"
