"""Serializers of games, boards, bots and versions."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.serializers.fields import TextField
from api.serializers.rows import RowSerializer
from common.words.messages import sentence_of
from contests.models import SLUG_LENGTH_MAX, Contest
from contests.selectors.contests import bot_limits
from games.registry import game_named
from jobs.models import WorkingLanguage
from jobs.selectors.languages import languages_all
from ladder.leagues import NAMES, league_name
from ladder.models import Bot, BotVersion
from ladder.selectors.boards import BoardRow, version_place, version_rank
from ladder.selectors.bots import HistoryPoint
from ladder.selectors.ratings import interval_of, rating_of, rating_provisional
from ladder.words.advice import probation_advice, version_advice
from ladder.words.progress import FINAL_STATES, progress_steps
from matches.selectors.probations import probation_faults
from matches.selectors.rank_waits import match_pace, rank_wait
from rating import interval

NAME_CHARS = 40


class SentenceField(serializers.CharField):
    """A message that the database stores, answered as a sentence in the caller's language; empty if there is none."""

    def to_representation(self, value: Any) -> str:
        """Return the sentence."""
        return sentence_of(value)


class GameSerializer(serializers.Serializer[Any]):
    """The open contest of a game of this arena."""

    name = serializers.CharField(source="slug", help_text="As in URLs.")
    title = serializers.CharField(source="__str__")
    rules_version = serializers.SerializerMethodField()
    players = serializers.SerializerMethodField(help_text="Allowed numbers of players; the first is the ladder's.")
    rulesets = serializers.SerializerMethodField(help_text="Options by name; the first are the ladder's.")
    limits = serializers.SerializerMethodField(help_text="What each bot may use, besides time.")
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

    def get_rules_version(self, contest: Contest) -> str:
        """Return the version of the rules that workers play now."""
        return game_named(contest.game).rules_version

    def get_players(self, contest: Contest) -> list[int]:
        """Return the allowed numbers of players."""
        return list(game_named(contest.game).players)

    def get_rulesets(self, contest: Contest) -> dict[str, dict[str, Any]]:
        """Return the options of the game's rulesets, by name of the ruleset."""
        return dict(game_named(contest.game).rulesets)

    def get_limits(self, contest: Contest) -> dict[str, int]:
        """Return the limits by name; the names end in the unit, such as ``memory_mib``."""
        limits = bot_limits(contest=contest)
        return {name: getattr(limits, name) for name in limits.__struct_fields__}


class BoardRowSerializer(serializers.Serializer[BoardRow]):
    """One version's row on a board."""

    rank = serializers.IntegerField(allow_null=True, help_text="From 1; null before the first rated match.")
    rank_best = serializers.IntegerField(source="rating.rank_best", allow_null=True)
    rank_worst = serializers.IntegerField(source="rating.rank_worst", allow_null=True)
    provisional = serializers.BooleanField(
        help_text="Whether the rating is uncertain: below 20 matches, or an interval above 100."
    )
    bot = serializers.IntegerField(source="version.bot_id")
    name = serializers.CharField(source="version.bot.name")
    owner = serializers.CharField(source="version.bot.owner.username")
    team = serializers.CharField(source="version.bot.team.name", allow_null=True, help_text="Null: its owner alone.")
    is_house = serializers.BooleanField(source="version.bot.is_house")
    version = serializers.IntegerField(source="version.pk")
    number = serializers.IntegerField(source="version.number")
    language = serializers.CharField(source="version.language")
    state = serializers.ChoiceField(source="version.state", choices=BotVersion.State.choices)
    league = serializers.CharField(help_text="Empty until its rating is sure enough, and on small boards.")
    rating = serializers.FloatField(source="rating.rating", help_text="Elo points.")
    interval = serializers.FloatField(help_text="Half the width of the rating's interval.")
    games = serializers.IntegerField(source="rating.games")


class BoardSerializer(serializers.Serializer[Any]):
    """A page of a board."""

    newer = serializers.CharField(help_text="Send it as `before` for the page above; empty on the first page.")
    older = serializers.CharField(help_text="Send it as `after` for the page below; empty on the last page.")
    rows = BoardRowSerializer(many=True, help_text="Sorted by rating; at the end those without a rated match.")


class BoardQuery(serializers.Serializer[Any]):
    """Filters and page of a board."""

    name = TextField(required=False, max_length=NAME_CHARS, help_text="Part of the bot's name.")
    owner = TextField(required=False, max_length=150)
    language = TextField(required=False, max_length=20)
    league = serializers.ChoiceField(required=False, choices=NAMES)
    after = TextField(required=False, max_length=60, help_text="`older` of the page above.")
    before = TextField(required=False, max_length=60, help_text="`newer` of the page below.")


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


class LanguageSerializer(RowSerializer[WorkingLanguage]):
    """A programming language that bots may be written in."""

    entries = serializers.ListField(child=serializers.CharField())
    suffixes = serializers.ListField(child=serializers.CharField())

    class Meta:
        model = WorkingLanguage
        fields = ["name", "title", "version", "libraries", "entries", "suffixes"]


class VersionSerializer(RowSerializer[BotVersion]):
    """A version of a bot, with the fields that everybody may see."""

    rating = serializers.FloatField(source="rating.rating", allow_null=True, help_text="Elo points.")
    interval = serializers.SerializerMethodField(help_text="Half the width of the rating's interval.")
    games = serializers.IntegerField(source="rating.games", allow_null=True)

    class Meta:
        model = BotVersion
        fields = ["id", "number", "state", "language", "created_at", "activated_at", "rating", "interval", "games"]

    def get_interval(self, version: BotVersion) -> float | None:
        """Return half the width of the rating's interval."""
        rating = rating_of(version)
        return interval_of(rating) if rating else None


class BotSerializer(RowSerializer[Bot]):
    """A bot with its newest versions."""

    owner = serializers.CharField(source="owner.username")
    team = serializers.CharField(source="team.name", allow_null=True, help_text="Null: its owner alone.")
    contest = serializers.CharField(source="contest_id")
    league = serializers.SerializerMethodField()
    versions = VersionSerializer(
        source="newest_versions", many=True, help_text="The newest; then the one that plays, if it is older."
    )

    class Meta:
        model = Bot
        fields = [
            "id",
            "name",
            "contest",
            "game",
            "owner",
            "team",
            "league",
            "is_house",
            "declared_rating",
            "created_at",
            "versions",
        ]

    def get_league(self, bot: Bot) -> str:
        """Return the name of the bot's league; empty if it is in none."""
        return league_name(bot.league_placed)


class RatingPointsQuery(serializers.Serializer[Any]):
    """Which version's ratings over time."""

    version = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=2**31 - 1,
        default=None,
        help_text="Only this version's points, by its number: 7 for v7. They are less thinned than those of all.",
    )


class RatingPointSerializer(serializers.Serializer[Any]):
    """One point of a bot's rating over time."""

    version = serializers.IntegerField()
    games = serializers.IntegerField()
    rating = serializers.FloatField()
    interval = serializers.SerializerMethodField(help_text="Half the width of the rating's interval.")
    at = serializers.DateTimeField()

    def get_interval(self, point: HistoryPoint) -> float:
        """Return half the width of the rating's interval."""
        return interval(point.standard_error)


class StepSerializer(serializers.Serializer[Any]):
    """One step from upload to board, and how far a version is with it."""

    title = serializers.CharField()
    state = serializers.ChoiceField(choices=["waiting", "busy", "done", "bad"])


class FaultSerializer(serializers.Serializer[Any]):
    """A fault that put a version on probation; the match has its evidence."""

    match = serializers.IntegerField(source="match_id")
    verdict = serializers.CharField()


class OwnVersionSerializer(VersionSerializer):
    """A version, with the fields that only its owner may see."""

    bot = serializers.IntegerField(source="bot_id")
    contest = serializers.CharField(source="bot.contest_id")
    game = serializers.CharField(source="bot.game")
    name = serializers.CharField(source="bot.name")
    steps = serializers.SerializerMethodField(help_text="Checked, built, check match, active.")
    is_final = serializers.SerializerMethodField(help_text="Whether its state no longer changes by itself.")
    sentence = serializers.SerializerMethodField(help_text="The cause of a rejection in one sentence.")
    advice = serializers.SerializerMethodField(help_text="What to do about a rejection or a probation.")
    faults = serializers.SerializerMethodField(help_text="Why it is on probation, newest first; otherwise empty.")
    rank = serializers.SerializerMethodField(help_text="From 1; null before the first rated match.")
    provisional = serializers.SerializerMethodField(
        help_text="Whether the rating is uncertain: below 20 matches, or an interval above 100."
    )
    rank_wait = serializers.SerializerMethodField(
        help_text="Why it has no rank, or a provisional one for want of matches, and for about how long; else empty."
    )
    match_pace = serializers.SerializerMethodField(
        help_text="Why it starts just one match a day; empty if it starts more or does not play."
    )
    place = serializers.SerializerMethodField(help_text="Its rank; without one, its row on the board.")

    class Meta(VersionSerializer.Meta):
        extra_kwargs = {
            "received_at": {"help_text": "When the upload reached the site, which counts for a deadline."},
            "sent_digest": {"help_text": "SHA-256 of the file as it was sent; empty if none was sent."},
        }
        fields = [
            *(
                "bot",
                "contest",
                "game",
                "name",
                *VersionSerializer.Meta.fields,
                "upload_name",
                "received_at",
                "sent_digest",
                "steps",
                "is_final",
                "step",
            ),
            *("verdict", "sentence", "advice", "faults", "log"),
            *("rank", "provisional", "rank_wait", "match_pace", "place"),
        ]

    @extend_schema_field(StepSerializer(many=True))
    def get_steps(self, version: BotVersion) -> Any:
        """Return the steps from upload to board, each with its state."""
        return StepSerializer(progress_steps(version), many=True).data

    def get_is_final(self, version: BotVersion) -> bool:
        """Return True when the version's state no longer changes by itself."""
        return version.state in FINAL_STATES

    def get_sentence(self, version: BotVersion) -> str:
        """Return the cause of a rejection in the caller's language."""
        return sentence_of(version.reason, version.bot.game)

    def get_advice(self, version: BotVersion) -> str:
        """Return what to do about a rejection or a probation."""
        if version.state == BotVersion.State.PROBATION:
            return probation_advice()
        return version_advice(version=version)

    @extend_schema_field(FaultSerializer(many=True))
    def get_faults(self, version: BotVersion) -> Any:
        """Return the faults of a version on probation."""
        return FaultSerializer(probation_faults(version=version), many=True).data

    def get_rank(self, version: BotVersion) -> int | None:
        """Return the version's rank; None before its first rated match."""
        return version_rank(version=version)

    def get_provisional(self, version: BotVersion) -> bool:
        """Return True when the version's rating is uncertain, and False when it has no rating yet."""
        rating = rating_of(version)
        return rating is not None and rating_provisional(rating)

    def get_rank_wait(self, version: BotVersion) -> str:
        """Return a sentence on why the version has no rank, or a provisional one for want of matches; else empty."""
        return rank_wait(version=version)

    def get_match_pace(self, version: BotVersion) -> str:
        """Return a sentence on why the version starts just one match a day; empty if it starts more."""
        return match_pace(version=version)

    def get_place(self, version: BotVersion) -> int | None:
        """Return the version's place among all that play; None if it does not play."""
        return version_place(version=version)


def contest_of(sent: dict[str, Any], *, required: bool) -> dict[str, Any]:
    """Return validated values with ``contest`` instead of ``game``, which names the open contest of a game.

    Raises:
        ValidationError: both are there and differ, or neither is, where ``required``.
    """
    rest = {name: value for name, value in sent.items() if name != "game"}
    if "game" not in sent:
        if required and "contest" not in sent:
            raise serializers.ValidationError({"contest": [_("Please name the contest.")]})
        return rest
    if sent.get("contest", sent["game"]) != sent["game"]:
        raise serializers.ValidationError({"game": [_("Please send the contest alone; it says which game it is.")]})
    return {**rest, "contest": sent["game"]}


def language_known(name: str) -> str:
    """Return the name of a language, or an empty text.

    Raises:
        ValidationError: this arena does not offer the language.
    """
    known = [language.name for language in languages_all()]
    if name and name not in known:
        sentence = _("The language {name} is not known here. Known are: {known}.")
        raise serializers.ValidationError(sentence.format(name=repr(name), known=", ".join(known)))
    return name


class EnterSerializer(serializers.Serializer[Any]):
    """The other contest in which a version is entered."""

    contest = TextField(max_length=SLUG_LENGTH_MAX, help_text="Key of the contest.")
    name = TextField(max_length=NAME_CHARS, help_text="The bot's name there; a new name makes a new bot.")


class UploadSerializer(serializers.Serializer[Any]):
    """An upload: a new bot, or a new version of a bot."""

    contest = TextField(required=False, max_length=SLUG_LENGTH_MAX, help_text="Key of the contest.")
    game = serializers.ChoiceField(required=False, choices=[])
    name = TextField(max_length=NAME_CHARS, help_text="The bot's name; a new name makes a new bot.")
    upload = serializers.FileField(max_length=120, help_text="A zip or tar file, or one source file.")
    language = TextField(required=False, allow_blank=True, default="", max_length=20, help_text="Empty: by file names.")

    def validate_language(self, name: str) -> str:
        """Return the language's name, or an empty text.

        Raises:
            ValidationError: this arena does not offer the language. The upload is refused here, so that it does not
                count for the user's quota.
        """
        return language_known(name)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the fields; the choices of ``game`` are this arena's games."""
        fields = super().get_fields()
        fields["game"] = serializers.ChoiceField(
            required=False, choices=settings.GAMES, help_text="Instead of `contest`: the game's open contest."
        )
        return fields

    def validate(self, sent: dict[str, Any]) -> dict[str, Any]:
        """Return the values with ``contest``, also if the caller has sent ``game``."""
        return contest_of(sent, required=True)


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
