"""What contests and matches do to tournaments: receivers of signals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import structlog
from django.utils.translation import gettext as _

from common.errors import InputError
from tournaments.models import Table, Tournament

log = structlog.get_logger(__name__)


def archive_check(*, contest: str, **_signal: Any) -> None:
    """Refuse to archive a contest, given by its key, before its tournaments are over; receives ``contest_archiving``.

    Raises:
        InputError: a tournament of the contest is neither a draft nor released.
    """
    state = Tournament.State
    found = Tournament.objects.filter(contest=contest).exclude(state__in=(state.DRAFT, state.RELEASED)).first()
    if found is not None:
        raise InputError(
            _("The tournament %(tournament)s is not over. Please play and release it, or delete it, before archiving.")
            % {"tournament": found}
        )


def decided_check(*, matches: Sequence[int], **_signal: Any) -> None:
    """Log a warning for each decided table of which a match became void; a receiver of ``results_void``.

    ``matches`` has the primary keys of the matches.

    A decided table stays as it is: later rounds may have been drawn from it. An organiser may decide a table of the
    newest round otherwise.
    """
    tables = Table.objects.filter(matches__match__in=matches).exclude(outcome="").distinct()
    for pk, tournament in tables.values_list("pk", "round__tournament"):
        log.warning("table_decided_by_void_match", table=pk, tournament=tournament)
