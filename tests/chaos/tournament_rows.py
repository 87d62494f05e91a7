"""``python -m tests.chaos.tournament_rows make PLANS | dump``: makes and starts tournaments, and reads their tables.

A program of its own, since it uses the arena's settings and database. PLANS is a JSON object: the stages of each
tournament, and how many bots play in it. Triggers of PostgreSQL note each decision of a table, by any process.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import Any

import django

CONTEST = "kakomimasu"
EVENTS = """
CREATE TABLE table_events (event text, row bigint);
CREATE FUNCTION table_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        INSERT INTO table_events VALUES ('deleted', OLD.id);
    ELSIF NEW.outcome <> '' AND (TG_OP = 'INSERT' OR OLD.outcome = '') THEN
        INSERT INTO table_events VALUES ('decided', NEW.id);
    ELSIF TG_OP = 'UPDATE' AND OLD.outcome <> '' AND OLD IS DISTINCT FROM NEW THEN
        INSERT INTO table_events VALUES ('changed', OLD.id);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER table_event AFTER INSERT OR UPDATE OR DELETE ON tournaments_table
    FOR EACH ROW EXECUTE FUNCTION table_event();
CREATE FUNCTION seat_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        INSERT INTO table_events VALUES ('seat deleted', OLD.id);
    ELSIF OLD.points IS NOT NULL AND OLD IS DISTINCT FROM NEW THEN
        INSERT INTO table_events VALUES ('points changed', OLD.table_id);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER seat_event AFTER UPDATE OR DELETE ON tournaments_tableseat
    FOR EACH ROW EXECUTE FUNCTION seat_event();
"""


def make(plans: dict[str, Any]) -> None:
    """Make bots, and start a tournament for each plan in a contest that is paused, so that nothing else is played."""
    from django.db import connection

    from accounts.models import User
    from contests.models import Contest
    from core.tars import ArchiveEntry, tar_of
    from jobs.files.storage import ARTIFACTS, file_store
    from tests.ladder.makers import make_bot, make_rating, make_version
    from tournaments.models import Tournament
    from tournaments.services.entries import entrant_enter
    from tournaments.services.tournaments import (
        tournament_create,
        tournament_draw,
        tournament_open,
        tournament_start,
    )

    with connection.cursor() as cursor:
        cursor.execute(EVENTS)
    Contest.objects.filter(pk=CONTEST).update(state=Contest.State.PAUSED)
    admin = User.objects.create(username="organiser", is_staff=True)
    bots = []
    for number in range(1, max(plan["bots"] for plan in plans.values()) + 1):
        program = tar_of([ArchiveEntry("main.py", f"print({number})\n".encode())])
        digest = file_store(store=ARTIFACTS, chunks=[program], max_bytes=len(program)).digest
        bots.append(make_bot(f"bot {number}", User.objects.create(username=f"user{number}")))
        version = make_version(bots[-1], artifact_digest=digest, bundle_digest=digest, entry="main.py")
        make_rating(version, 2_000.0 - number)
    for slug, plan in plans.items():
        tournament = tournament_create(
            contest=CONTEST,
            slug=slug,
            actor=admin,
            title=slug,
            stages=plan["stages"],
            entry=Tournament.Entry.LIST,
            results=plan["results"],
        )
        tournament_open(tournament=tournament.pk, actor=admin)
        for bot in bots[: plan["bots"]]:
            entrant_enter(tournament=tournament.pk, bot=bot.pk, actor=admin)
        tournament_draw(tournament=tournament.pk, actor=admin)
    # At last, so that all of them begin at about the same time.
    for tournament in Tournament.objects.order_by("pk"):
        tournament_start(tournament=tournament.pk, actor=admin)


def dump() -> dict[str, Any]:
    """Return the tournaments with all that follows from their matches, and what happened to their rows."""
    from django.db import connection
    from django.db.models import Count
    from msgspec import to_builtins

    from matches.models import Attempt, Match, Result
    from tournaments.models import Table, TableMatch, Tournament
    from tournaments.selectors.loading import tournament_whole

    with connection.cursor() as cursor:
        cursor.execute("SELECT event, row FROM table_events")
        events = cursor.fetchall()
    whole = {row.slug: tournament_whole(tournament=row) for row in Tournament.objects.order_by("pk")}
    decided = Counter(row for event, row in events if event == "decided")
    results = Result.objects.values("match").annotate(count=Count("pk")).filter(count__gt=1)
    return {
        "tournaments": {
            slug: {
                "state": told.tournament.state,
                "lots": told.tournament.lots,
                "stages": to_builtins(told.stages),
                "entrants": to_builtins(told.entrants),
                "decided": to_builtins(told.decided),
                "places": [[row.number, row.place] for row in told.rows.values()],
            }
            for slug, told in whole.items()
        },
        "tables": Table.objects.count(),
        "decided once": sum(count == 1 for count in decided.values()),
        "decided again": sum(count > 1 for count in decided.values()),
        "changed": [[event, row] for event, row in events if event != "decided"],
        "results twice": len(results),
        "matches": dict(Match.objects.order_by().values_list("state").annotate(Count("pk"))),
        "matches outside": Match.objects.filter(table_match=None).count(),
        "places of void matches": TableMatch.objects.filter(attempt__gt=0).count(),
        "attempts": dict(Attempt.objects.order_by().values_list("ending").annotate(Count("pk"))),
    }


def main() -> None:
    """Do the act that the first argument names."""
    django.setup()
    if sys.argv[1] == "make":
        make(json.loads(sys.argv[2]))
    else:
        sys.stdout.write(json.dumps(dump()))


if __name__ == "__main__":
    main()
