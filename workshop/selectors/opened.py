"""Reads what the workshop opens: the languages and kits of a contest, the reader's draft, an old version."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from accounts.access import Reader
from contests.models import Contest
from core.tars import ArchiveEntry, tar_entries
from exhibitions.selectors.opponents import Opponent, opponents_offered
from games.kits import MARK, PYTHON, kit_files, kit_languages
from jobs.selectors.languages import languages_shown
from ladder.models import BotVersion
from ladder.selectors.bots import bots_own
from ladder.selectors.uploads import upload_bundle
from ladder.selectors.versions import version_of
from workshop.models import Draft

_MAIN = {PYTHON: "main.py"}
"""The entry point by language, for an arena whose workers have not reported their languages yet."""


@dataclass(frozen=True, slots=True)
class Language:
    """A language of a contest."""

    name: str
    title: str
    entry: str
    """The preferred file name of the entry point."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The files that the workshop shows at first."""

    language: str
    files: dict[str, str]
    """Texts by path."""
    kit: dict[str, str]
    """The files to begin again with: the starter kit, or an empty entry point in a language without one."""
    version: BotVersion | None
    """The own version whose files they are; None: they are the draft or the kit."""
    is_kit: bool
    """Whether ``files`` are those of the kit."""
    revision: int
    """The revision of the stored draft in this language, which ``draft_save`` takes to overwrite it; 0: no draft."""
    left_out: tuple[str, ...] = ()
    """Paths of files of the version that an editor cannot show."""


def languages_offered(*, contest: Contest) -> list[Language]:
    """Return the languages in which a bot of a contest may be written (no query for some seconds, then 1)."""
    working = [each for each in languages_shown() if not contest.languages or each.name in contest.languages]
    offered = [Language(each.name, each.title, each.entries[0]) for each in working]
    return offered or [Language(PYTHON, "Python", _MAIN[PYTHON])]


def files_opened(*, contest: Contest, reader: Reader, language: str, version: int) -> Opened:
    """Return what the workshop of a contest opens for a reader (at most 3 queries).

    ``version`` is the key of an own version in this contest; 0, or no such version: the draft or the kit is opened. The
    language is that of the version, else ``language``, else that of the draft that was changed last, else Python, else
    the contest's first one: whichever comes first among the contest's languages.

    Raises:
        InputError: the file store does not have the version any more, or its examination refuses it.
        StoreAway: the file store cannot be read now.
    """
    offered = {each.name: each for each in languages_offered(contest=contest)}
    own = Draft.objects.filter(owner=reader.pk, contest=contest) if reader.is_authenticated else ()
    drafts = {each.language: each for each in own}  # the one that was changed last first
    found = version_of(pk=version, owner=reader) if version else None
    if found is not None and found.bot.contest_id != contest.pk:
        found = None
    wanted = (found.language if found else "", language, *drafts, PYTHON, *offered)
    name = next(each for each in wanted if each in offered)
    kit, draft = _kit(contest, offered[name]), drafts.get(name)
    revision = draft.revision if draft else 0
    if found is None:
        texts = (draft.files if draft else {}) or kit
        return Opened(name, _sorted(texts, offered[name]), kit, None, is_kit=draft is None, revision=revision)
    files, left_out = _texts(tar_entries(upload_bundle(version=found)))
    shown = _sorted(files or kit, offered[name])
    return Opened(name, shown, kit, found, is_kit=not files, revision=revision, left_out=left_out)


def opponents_in_workshop(*, contest: Contest, reader: Reader, bot: int) -> tuple[list[Opponent], list[BotVersion]]:
    """Return bots to try against (at most 3 queries): some of the contest, the strongest first, and the reader's own.

    The bot whose primary key is ``bot`` is among the first in any case, if it plays.
    """
    own = BotVersion.objects.filter(bot__in=bots_own(reader=reader), bot__contest=contest)
    active = own.filter(state=BotVersion.State.ACTIVE).select_related("bot").defer("log").order_by("bot__name")
    mine = list(active) if reader.is_authenticated else []
    others = opponents_offered(contest=contest, bot=bot)
    known = {each.pk for each in mine}
    return [each for each in others if each.version.pk not in known], mine


def bot_names(*, contest: Contest, reader: Reader) -> list[str]:
    """Return the names of a reader's own bots in a contest, the newest first (1 query)."""
    if not reader.is_authenticated:
        return []
    return list(bots_own(reader=reader).filter(contest=contest).order_by("-pk").values_list("name", flat=True))


def _kit(contest: Contest, language: Language) -> dict[str, str]:
    if language.name not in kit_languages(contest.game):
        return {language.entry: ""}
    files = kit_files(contest.game, language.name)
    # README and mark are for a bot's folder at home.
    return _sorted({path: text.decode() for path, text in files.items() if path not in ("README.md", MARK)}, language)


def _sorted(files: dict[str, str], language: Language) -> dict[str, str]:
    """Return files by path, the entry point first: a beginner looks for it."""
    return dict(sorted(files.items(), key=lambda file: (file[0] != language.entry, file[0])))


def _texts(files: Iterable[ArchiveEntry]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the texts among files, by path, and the paths of the other files."""
    texts: dict[str, str] = {}
    left_out: list[str] = []
    for file in files:
        try:
            text = file.data.decode()
        except UnicodeDecodeError:
            text = "\0"
        if "\0" in text:
            left_out.append(file.name)
        else:
            texts[file.name] = text
    return texts, tuple(left_out)
