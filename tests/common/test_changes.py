"""The settings of a row: which columns they are, and what a change of them may not be."""

from __future__ import annotations

import pytest

from common.changes import columns_faults, row_changed, settings_of
from common.edits import EditedError, edit_mark
from contests.models import Contest
from contests.validation import FIELDS
from tournaments.models import Tournament
from tournaments.validation import FIELDS as TOURNAMENT_FIELDS


def test_settings_are_the_editable_columns_but_the_named() -> None:
    assert {"title", "final_by", "replays_kept"} < set(FIELDS)
    assert not {"slug", "game", "state", "reason", "final_stage", "board_digest", "created_at"} & set(FIELDS)
    assert not {"id", "contest", "lots", "state", "drawn_at"} & set(TOURNAMENT_FIELDS)
    assert "state" in settings_of(Tournament, without=["slug"])


def test_a_change_is_made_of_a_copy() -> None:
    row = Contest(slug="spring", game="kakomimasu", title="Spring")
    mark = edit_mark(row=row, names=FIELDS)
    changed = row_changed(row=row, names=FIELDS, fields={"title": "Autumn", "bots_max": 2}, mark=mark)
    assert (row.title, row.bots_max, changed.title, changed.bots_max) == ("Spring", None, "Autumn", 2)
    with pytest.raises(EditedError):
        row_changed(row=changed, names=FIELDS, fields={"title": "Winter"}, mark=mark)
    with pytest.raises(TypeError, match="Contest has no setting state"):
        row_changed(row=row, names=FIELDS, fields={"state": "open"}, mark="")


def test_columns_tell_their_faults_by_name() -> None:
    row = Contest(slug="spring", game="kakomimasu", title="x" * 101, prizes="a\0b", visibility="secret")
    faults = columns_faults(row=row, names=["title", "prizes", "description", "bots_max", "limits"])
    assert set(faults) == {"title", "prizes"}
    assert "100" in faults["title"]
    assert "NUL" in faults["prizes"]
    assert set(columns_faults(row=row, names=["visibility"])) == {"visibility"}
