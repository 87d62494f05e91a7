"""Serializers of games, boards, bots and versions."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.serializers import fields
from common.words.messages import sentence_of
from contests.models import SLUG_LENGTH_MAX, Contest
from games.registry import game_named
from jobs.models import WorkingLanguage
from ladder.leagues import NAMES, league_name
from ladder.models import Bot, BotVersion
from ladder.selectors.boards import BoardRow, version_place, version_rank
from ladder.selectors.ratings import interval_of, rating_of, rating_provisional
from ladder.words.advice import probation_advice, version_advice
from ladder.words.progress import FINAL_STATES, progress_steps
from matches.selectors.probations import probation_faults
from matches.selectors.rank_waits import match_pace, rank_wait
from rating.fit import interval

NAME_CHARS = 40


class GameSerializer(serializers.Serializer[Any]):
    """The open contest of a game of this arena."""

    name = serializers.CharField(source="slug", help_text="As in URLs.")
    title = serializers.CharField(source="__str__")
    rules_version = fields.ComputedText(
        lambda contest: game_named(contest.game).rules_version, help_text="Version of the rules that workers play now."
    )
    players = fields.ComputedRows(
        lambda contest: game_named(contest.game).players,
        child=serializers.IntegerField(),
        help_text="Allowed numbers of players; the first is the ladder's.",
    )
    rulesets = fields.ComputedDict(
        lambda contest: game_named(contest.game).rulesets,
        child=serializers.DictField(),
        help_text="Options by name; the first are the ladder's.",
    )
    limits = fields.LimitsField()
    state = serializers.ChoiceField(
        choices=Contest.State.choices,
        help_text="Paused: no new matches are made. Frozen: no bots are taken either.",
    )
    uploads_until = serializers.DateTimeField(
        source="entries_until",
        allow_null=True,
        help_text="When it stops taking bots; matches go on after that, until it is frozen. Null: never.",
    )
    reason = serializers.CharField(help_text="Why it is paused or frozen.")


class BoardRowSerializer(serializers.Serializer[BoardRow]):
    """One version's row on a board."""

    rank = serializers.IntegerField(allow_null=True, help_text=fields.RANK_HELP)
    rank_best = serializers.IntegerField(source="rating.rank_best", allow_null=True)
    rank_worst = serializers.IntegerField(source="rating.rank_worst", allow_null=True)
    provisional = serializers.BooleanField(help_text=fields.PROVISIONAL_HELP)
    bot = serializers.IntegerField(source="version.bot_id")
    name = serializers.CharField(source="version.bot.name")
    owner = serializers.CharField(source="version.bot.owner.username")
    team = serializers.CharField(source="version.bot.team.name", allow_null=True, help_text=fields.TEAM_HELP)
    is_house = serializers.BooleanField(source="version.bot.is_house")
    version = serializers.IntegerField(source="version.pk")
    number = serializers.IntegerField(source="version.number")
    language = serializers.CharField(source="version.language")
    state = serializers.ChoiceField(source="version.state", choices=BotVersion.State.choices)
    league = serializers.CharField(help_text="Empty until its rating is sure enough, and on small boards.")
    rating = serializers.FloatField(source="rating.rating", help_text="Elo points.")
    interval = serializers.FloatField(help_text=fields.INTERVAL_HELP)
    games = serializers.IntegerField(source="rating.games")


class BoardSerializer(serializers.Serializer[Any]):
    """A page of a board."""

    newer = serializers.CharField(help_text="Send it as `before` for the page above; empty on the first page.")
    older = serializers.CharField(help_text="Send it as `after` for the page below; empty on the last page.")
    rows = BoardRowSerializer(many=True, help_text="Sorted by rating; at the end those without a rated match.")


class BoardQuery(serializers.Serializer[Any]):
    """Filters and page of a board."""

    name = fields.TextField(required=False, max_length=NAME_CHARS, help_text="Part of the bot's name.")
    owner = fields.TextField(required=False, max_length=150)
    language = fields.TextField(required=False, max_length=20)
    league = serializers.ChoiceField(required=False, choices=NAMES)
    after = fields.TextField(required=False, max_length=60, help_text="`older` of the page above.")
    before = fields.TextField(required=False, max_length=60, help_text="`newer` of the page below.")


class OverallRowSerializer(serializers.Serializer[Any]):
    """One owner's row on the board over all games."""

    rank = serializers.IntegerField()
    owner = serializers.CharField()
    points = serializers.FloatField()
    ranks = serializers.ListField(
        child=serializers.IntegerField(allow_null=True), help_text="In each game, in the order of the games."
    )
    provisional = serializers.ListField(
        child=serializers.BooleanField(), help_text="For each of these ranks, whether it is uncertain."
    )


class LanguageSerializer(fields.RowSerializer[WorkingLanguage]):
    """A programming language that bots may be written in."""

    entries = serializers.ListField(child=serializers.CharField())
    suffixes = serializers.ListField(child=serializers.CharField())

    class Meta:
        model = WorkingLanguage
        fields = ["name", "title", "version", "libraries", "entries", "suffixes"]


class VersionSerializer(fields.RowSerializer[BotVersion]):
    """A version of a bot, with the fields that everybody may see."""

    rating = serializers.FloatField(source="rating.rating", allow_null=True, help_text="Elo points.")
    interval = fields.ComputedFloat(
        lambda version: interval_of(rating) if (rating := rating_of(version)) else None,
        allow_null=True,
        help_text=fields.INTERVAL_HELP,
    )
    games = serializers.IntegerField(source="rating.games", allow_null=True)

    class Meta:
        model = BotVersion
        fields = ["id", "number", "state", "language", "created_at", "activated_at", "rating", "interval", "games"]


class BotSerializer(fields.RowSerializer[Bot]):
    """A bot with its newest versions."""

    owner = serializers.CharField(source="owner.username")
    team = serializers.CharField(source="team.name", allow_null=True, help_text=fields.TEAM_HELP)
    contest = serializers.CharField(source="contest_id")
    league = fields.ComputedText(lambda bot: league_name(bot.league_placed), help_text=fields.LEAGUE_HELP)
    versions = VersionSerializer(
        source="newest_versions", many=True, help_text="The newest; then the one that plays, if it is older."
    )

    class Meta:
        model = Bot
        fields = [
            *("id", "name", "contest", "game", "owner", "team", "league", "is_house", "declared_rating"),
            *("created_at", "versions"),
        ]


class RatingPointsQuery(serializers.Serializer[Any]):
    """The version whose ratings over time are asked for."""

    version = fields.NumberField(
        "Only this version's points, by its number: 7 for v7. They are less thinned than those of all.",
        least=1,
        most=2**31 - 1,
        default=None,
    )


class RatingPointSerializer(serializers.Serializer[Any]):
    """One point of a bot's rating over time."""

    version = serializers.IntegerField()
    games = serializers.IntegerField()
    rating = serializers.FloatField()
    interval = fields.ComputedFloat(lambda point: interval(point.standard_error), help_text=fields.INTERVAL_HELP)
    at = serializers.DateTimeField()


class StepSerializer(serializers.Serializer[Any]):
    """One step from upload to board, and how far a version is with it."""

    title = serializers.CharField()
    state = serializers.ChoiceField(choices=["waiting", "busy", "done", "bad"])


class FaultSerializer(serializers.Serializer[Any]):
    """A fault that put a version on probation; the match has its evidence."""

    match = serializers.IntegerField(source="match_id")
    verdict = serializers.CharField()


def _advice(version: BotVersion) -> str:
    """Return what to do about a rejection or a probation."""
    return probation_advice() if version.state == BotVersion.State.PROBATION else version_advice(version=version)


class OwnVersionSerializer(VersionSerializer):
    """A version, with the fields that only its owner may see."""

    bot = serializers.IntegerField(source="bot_id")
    contest = serializers.CharField(source="bot.contest_id")
    game = serializers.CharField(source="bot.game")
    name = serializers.CharField(source="bot.name")
    steps = fields.ComputedRows(
        progress_steps, child=StepSerializer(), help_text="Checked, built, check match, active."
    )
    is_final = fields.ComputedFlag(
        lambda version: version.state in FINAL_STATES, help_text="Whether its state no longer changes by itself."
    )
    sentence = fields.ComputedText(
        lambda version: sentence_of(version.reason, version.bot.game),
        help_text="The cause of a rejection in one sentence.",
    )
    advice = fields.ComputedText(_advice, help_text="What to do about a rejection or a probation.")
    faults = fields.ComputedRows(
        lambda version: probation_faults(version=version),
        child=FaultSerializer(),
        help_text="Why it is on probation, newest first; otherwise empty.",
    )
    rank = fields.ComputedNumber(
        lambda version: version_rank(version=version), allow_null=True, help_text=fields.RANK_HELP
    )
    provisional = fields.ComputedFlag(
        lambda version: (rating := rating_of(version)) is not None and rating_provisional(rating),
        help_text=fields.PROVISIONAL_HELP,
    )
    rank_wait = fields.ComputedText(
        lambda version: rank_wait(version=version),
        help_text="Why it has no rank, or a provisional one for want of matches, and for about how long; else empty.",
    )
    match_pace = fields.ComputedText(
        lambda version: match_pace(version=version),
        help_text="Why it starts just one match a day; empty if it starts more or does not play.",
    )
    place = fields.ComputedNumber(
        lambda version: version_place(version=version),
        allow_null=True,
        help_text="Its rank; without one, its row on the board.",
    )

    class Meta(VersionSerializer.Meta):
        extra_kwargs = {
            "received_at": {"help_text": "When the upload reached the site, which counts for a deadline."},
            "sent_digest": {"help_text": "SHA-256 of the file as it was sent; empty if none was sent."},
        }
        fields = [
            *("bot", "contest", "game", "name", *VersionSerializer.Meta.fields),
            *("upload_name", "received_at", "sent_digest", "steps", "is_final", "step"),
            *("verdict", "sentence", "advice", "faults", "log"),
            *("rank", "provisional", "rank_wait", "match_pace", "place"),
        ]


class EnterSerializer(serializers.Serializer[Any]):
    """The other contest in which a version is to be entered, and the name of its bot there."""

    contest = fields.TextField(max_length=SLUG_LENGTH_MAX, help_text="Key of the contest.")
    name = fields.TextField(max_length=NAME_CHARS, help_text="The bot's name there; a new name makes a new bot.")


class UploadSerializer(fields.OfContestSerializer):
    """An upload: a new bot, or a new version of a bot."""

    name = fields.TextField(max_length=NAME_CHARS, help_text="The bot's name; a new name makes a new bot.")
    upload = serializers.FileField(max_length=120, help_text="A zip or tar file, or one source file.")
    language = fields.LanguageField(max_length=20, help_text="Empty: by file names.")


class QuotaSerializer(serializers.Serializer[Any]):
    """How much of the upload quota a user has used, and its limits."""

    bots = serializers.IntegerField()
    bots_max = serializers.IntegerField()
    versions_hour = serializers.IntegerField()
    versions_hour_max = serializers.IntegerField()
    bytes = serializers.IntegerField()
    bytes_max = serializers.IntegerField()


class AccountSerializer(serializers.Serializer[Any]):
    """The caller's account."""

    username = serializers.CharField()
    is_staff = serializers.BooleanField()
    unread = serializers.IntegerField(help_text="How many notifications are new.")
    quota = QuotaSerializer()
    bots = BotSerializer(many=True)


class FirstGamesSerializer(serializers.Serializer[Any]):
    """Progress of a new version's first matches."""

    played = serializers.IntegerField()
    goal = serializers.IntegerField()
    seconds = serializers.FloatField(allow_null=True, help_text="Estimate until all are played; null: see `problem`.")
    problem = serializers.CharField(help_text="Why there is no estimate; empty otherwise.")
