"""Makers of public contests with bots and matches, for tests of their time and pages."""

from __future__ import annotations

from typing import Any

from accounts.models import User
from contests.models import Contest, Member
from ladder.models import Bot, BotVersion
from matches.models import Match
from tests.ladder import makers
from tests.matches.makers import finish_match, make_match


def make_contest(slug: str = "spring", **fields: Any) -> Contest:
    """Create a public contest of Kakomimasu without final games; open unless ``state`` is given."""
    row = {"title": slug.title(), "game": "kakomimasu", "state": Contest.State.OPEN, "final_games": 0}
    return Contest.objects.create(slug=slug, **row | fields)


def make_member(contest: Contest, name: str, role: str = Member.Role.PARTICIPANT) -> User:
    """Create a user who is a member of a contest."""
    user = User.objects.filter(username=name).first() or makers.make_user(name)
    Member.objects.create(contest=contest, user=user, role=role)
    return user


def make_entry(contest: Contest, name: str, **fields: Any) -> BotVersion:
    """Create an active version of a new bot in a contest, of an owner of its own."""
    owner = User.objects.filter(username=f"{name} owner").first() or makers.make_user(f"{name} owner")
    bot = Bot.objects.create(owner=owner, contest=contest, game=contest.game, name=name)
    return makers.make_version(bot, **fields)


def play(contest: Contest, *versions: BotVersion) -> Match:
    """Make a rated match of a contest that has been played to its end."""
    match = make_match(*versions)
    Match.objects.filter(pk=match.pk).update(contest=contest)
    match.refresh_from_db()
    return finish_match(match)
