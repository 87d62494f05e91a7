"""Starter kits on the site: each guide offers those in the languages of this arena."""

from __future__ import annotations

import io
import re
import zipfile
from http import HTTPStatus

import pytest
from django.test import Client

from games.kits import kit_files
from jobs.models import WorkingLanguage
from tests.own import OWN

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("game", OWN)
def test_a_guide_offers_the_kits_of_this_arena(client: Client, game: str) -> None:
    page = client.get(f"/games/{game}/guide/").content.decode()
    assert "kits/" not in page
    for position, (name, title) in enumerate([("cpp", "C++"), ("ruby", "Ruby")]):
        WorkingLanguage.objects.create(name=name, title=title, version="1", entries=[], suffixes=[], position=position)
    page = client.get(f"/games/{game}/guide/").content.decode()
    assert f"/games/{game}/kits/cpp.zip" in page
    assert "ruby.zip" not in page


def test_a_kit_is_a_zip_that_can_be_uploaded_as_it_is(client: Client) -> None:
    answer = client.get("/games/puyo/kits/python.zip")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="puyo_python.zip"'
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == kit_files("puyo", "python")
        assert "main.py" in archive.namelist()


@pytest.mark.parametrize("game", OWN)
def test_a_kit_names_the_page_with_the_rules(client: Client, game: str) -> None:
    readme = kit_files(game, "python")["README.md"].decode()
    (url,) = re.findall(r"`(/\S+)`", readme)
    assert client.get(url).status_code == HTTPStatus.OK
    assert f"banzuke play {game} ." in readme


@pytest.mark.parametrize("path", ["puyo/kits/cobol.zip", "chess/kits/python.zip"])
def test_an_unknown_kit_is_not_found(client: Client, path: str) -> None:
    assert client.get(f"/games/{path}").status_code == HTTPStatus.NOT_FOUND
