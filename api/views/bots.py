"""API views of bots and of the caller's account."""

from __future__ import annotations

from http import HTTPStatus

from django.utils.translation import gettext as _
from rest_framework.exceptions import NotFound
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request

from accounts.access import Reader
from accounts.selectors.notifications import unread_count
from api.base import REFUSED, PagedApi, Resource, SignedInApi, created, described, found_or_404
from api.serializers.ladder import (
    AccountSerializer,
    BotSerializer,
    RatingPointSerializer,
    RatingPointsQuery,
    VersionSerializer,
)
from api.serializers.matches import ChallengeSerializer, MatchSerializer
from api.serializers.opponents import ComparisonSerializer, OpponentsQuery, OpponentsSerializer
from ladder.models import Bot
from ladder.selectors.bots import bot_for_reader, bot_is_own, bot_rating_points, bot_shown_version, bots_of, versions_of
from ladder.selectors.quotas import quota_of
from ladder.selectors.ratings import rating_of
from ladder.services.bots import bot_delete
from matches.selectors.filters import MatchFilter
from matches.selectors.matches import matches_list
from matches.selectors.opponents import comparison, opponents_page
from matches.services.challenges import challenge_start


class AccountApi(SignedInApi):
    """GET: the caller's account."""

    @described(AccountSerializer)
    def get(self, request: Request) -> object:
        """Show your account, your bots, and what you may still upload."""
        user = self.user
        return {
            "username": user.username,
            "is_staff": user.is_staff,
            "unread": unread_count(reader=user),
            "quota": quota_of(owner=user),
            "bots": bots_of(owner=user),
        }


class BotApi(Resource):
    """Views of one bot."""

    permission_classes = [IsAuthenticatedOrReadOnly]

    @described(BotSerializer)
    def show(self, request: Request, pk: int) -> object:
        """Show a bot with its newest versions and their ratings."""
        return _bot(pk, self.reader)

    @described(None, status=HTTPStatus.NO_CONTENT, problems=[REFUSED])
    def remove(self, request: Request, pk: int) -> None:
        """Delete a bot of yours of which no version was ever accepted.

        Refused within an hour of its last upload, and while a version waits for its check.
        """
        bot = _bot(pk, self.reader)
        bot_delete(bot=found_or_404(bot if bot_is_own(bot=bot, reader=self.reader) else None))

    @described(RatingPointSerializer(many=True), query=RatingPointsQuery)
    def rating(self, request: Request, pk: int) -> object:
        """Show a bot's rating over time, version after version; a long history is thinned evenly."""
        query = self.query()
        return bot_rating_points(bot=_bot(pk, self.reader), version=query["version"])

    @described(OpponentsSerializer, query=OpponentsQuery)
    def opponents(self, request: Request, pk: int) -> object:
        """Show a bot's results against each opponent, and the results that the ratings predict."""
        query = self.query()
        bot = _bot(pk, self.reader)
        shown = bot_shown_version(bot=bot)
        rating = rating_of(shown) if shown else None
        page = opponents_page(
            bot=bot, rating=rating.rating if rating else None, sort=query["sort"], number=str(query["page"])
        )
        if page.number != query["page"]:
            # The selector returns the last page for a number that is too high; a program that asks for pages until one
            # is empty would never end.
            raise NotFound(_("There is no such page; `pages` says how many there are."))
        return {"page": page.number, "pages": page.paginator.num_pages, "rows": page.object_list}

    @described(ComparisonSerializer)
    def compare(self, request: Request, pk: int, other: int) -> object:
        """Compare two bots of one contest: ratings, their matches against each other, opponents that both have met."""
        first, second = _bot(pk, self.reader), _bot(other, self.reader)
        if first == second or first.contest_id != second.contest_id:
            raise NotFound(_("Please compare two different bots of the same contest."))
        return comparison(first=first, second=second)

    @created(MatchSerializer(many=True), body=ChallengeSerializer, limit="challenge")
    def challenge(self, request: Request, pk: int) -> object:
        """Have a bot of yours play against this one, on one seed from both seats; unrated, for everybody to see.

        While a challenge between the two is being played, its matches are answered and no others are started.
        """
        opponent, bot = _bot(pk, self.reader), _bot(self.sent()["bot"], self.reader)
        return challenge_start(owner=self.user, bot=bot, opponent=opponent)


class BotListsApi(Resource, PagedApi):
    """Views of lists of a bot's versions and matches."""

    @described(VersionSerializer(many=True))
    def versions(self, request: Request, pk: int) -> object:
        """List all versions of a bot, newest first."""
        return versions_of(bot=_bot(pk, self.reader))

    @described(MatchSerializer(many=True))
    def matches(self, request: Request, pk: int) -> object:
        """List a bot's matches, newest first."""
        return matches_list(chosen=MatchFilter(bot_id=_bot(pk, self.reader).pk), reader=self.reader)


def _bot(pk: int, reader: Reader) -> Bot:
    return found_or_404(bot_for_reader(pk=pk, reader=reader))
