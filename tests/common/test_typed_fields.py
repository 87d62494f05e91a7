"""No form and no request of the API stores characters that nobody sees."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
from django import forms
from django.conf import settings
from django.contrib import admin
from django.db import models
from django.test import Client, RequestFactory
from django.utils.module_loading import import_string
from rest_framework import serializers

from accounts.admin_parts import ListAdmin
from accounts.forms import TypedMixin
from accounts.models import User
from tests.ladder.makers import make_user

HIDDEN = "\ufeffA\u200bb\u2060c\u00ad"
EMPTY = "\u200b \u00ad\u2800"
"""A title that nobody sees."""


def subclasses(kind: type) -> Iterator[type[Any]]:
    for each in kind.__subclasses__():
        yield each
        yield from subclasses(each)


def our_modules(pattern: str) -> Iterator[str]:
    for path in settings.BASE_DIR.glob(pattern):
        if path.parts[len(settings.BASE_DIR.parts)] not in ("tests", "data"):
            yield str(path.relative_to(settings.BASE_DIR).with_suffix("")).replace("/", ".").removesuffix(".__init__")


def test_each_text_of_a_form_is_taken_without_invisible_characters() -> None:
    for name in [*our_modules("*/*forms.py"), *our_modules("*/views/*.py"), *our_modules("*/admin*.py")]:
        import_module(name)
    found = 0
    for form in subclasses(forms.BaseForm):
        if form.__module__.startswith(("allauth.", "django.")) or issubclass(form, TypedMixin):
            continue
        for name, field in form.base_fields.items():
            if isinstance(field, forms.CharField) and field.strip and not form.__module__.startswith("accounts."):
                assert field.to_python(HIDDEN) == "Abc", f"{form.__name__}.{name}"
                assert field.to_python(EMPTY) == "", f"{form.__name__}.{name}"
                found += 1
    assert found > 20
    for form in settings.ACCOUNT_FORMS.values():
        assert issubclass(import_string(form), TypedMixin)


def test_each_text_of_a_request_to_the_api_is_taken_without_invisible_characters() -> None:
    used = set()
    for name in our_modules("api/views/*.py"):
        module = import_module(name)
        text = Path(str(module.__file__)).read_text()
        used |= {
            attrgetter(found)(module)
            for found in re.findall(r"(?:body=|query=|checked\()([\w.]+(?:Serializer|Query))", text)
        }
    found = 0
    for kind in used:
        for name, field in kind().fields.items():
            if type(field).__name__ in ("CharField", "TextField") and field.trim_whitespace:
                assert field.run_validation(HIDDEN) == "Abc", f"{kind.__name__}.{name}"
                if not field.allow_blank:
                    with pytest.raises(serializers.ValidationError):
                        field.run_validation(EMPTY)
                found += 1
    assert found > 15


def test_texts_that_administrators_edit_are_taken_without_invisible_characters() -> None:
    request = RequestFactory().get("/")
    request.user = User(is_superuser=True, is_staff=True)
    for model, page in admin.site._registry.items():
        for column in model._meta.get_fields():
            if isinstance(column, models.CharField | models.TextField) and not column.choices and column.editable:
                field = page.formfield_for_dbfield(column, request)
                if (
                    isinstance(page, ListAdmin)
                    and page.has_change_permission(request)
                    and type(field) is forms.CharField
                ):
                    pytest.fail(f"{model.__name__}.{column.name}")


@pytest.mark.django_db
def test_a_name_is_found_that_was_pasted_with_invisible_characters(client: Client) -> None:
    make_user("alice")
    sent = {"login": "\ufeffali\u200bce", "password": "correct horse"}
    assert client.post("/accounts/login/", sent).status_code == 302
    assert client.get("/mine/").status_code == 200


@pytest.mark.django_db
def test_a_password_is_taken_as_it_was_typed(client: Client) -> None:
    User.objects.create_user(username="bob", password="two\u200bwords ")
    assert client.post("/accounts/login/", {"login": "bob", "password": "twowords"}).status_code == 200
    assert client.post("/accounts/login/", {"login": "bob", "password": "two\u200bwords "}).status_code == 302
