"""The context that the page of the workshop hands to its scripts (``workshop/static/workshop/workshop.js``)."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from contests.models import Contest
from contests.selectors.contests import contest_rules
from matches.viewer import viewer_of_tries
from workshop.selectors.opened import Opened

WORKSHOP_MODULES = ("workshop", "dialog", "drafts", "editor", "tries")
"""The scripts of the workshop, besides those of the viewer and the library below."""
CODEMIRROR = "workshop/vendor/codemirror-6/codemirror.js"

_WORDS = {
    "code_of": _("Program text of {path}"),
    "keys": _("Tab indents. To leave the editor by the keyboard, press Escape, then Tab."),
    "add_title": _("Add a file"),
    "rename_title": _("Rename {path}"),
    "path": _("Name of the file"),
    "path_taken": _("There is a file of this name already. Please choose another name."),
    "delete_title": _("Delete {path}?"),
    "delete": _("Delete"),
    "ok": pgettext_lazy("button", "OK"),
    "kit_title": _("Begin again with the starter kit?"),
    "kit_text": _("All files here are replaced by those of the kit."),
    "kit": _("Begin again"),
    "submit_title": _("Submit as a bot"),
    "submit_text": _("A new name makes a new bot; the name of one of your bots makes its next version."),
    "bot": _("Name of the bot"),
    "submit": _("Submit"),
    "saved": _("Draft saved."),
    "saved_here": _("Draft saved in this browser."),
    "saving": _("Saving the draft…"),
    "not_saved": _(
        "The draft could not be saved because the connection failed. It is tried again at your next change."
    ),
    "sending": _("Sending your program…"),
    "in_line": _("In the queue. Tries before yours: {place}."),
    "in_line_for": _("In the queue. Tries before yours: {place}. Yours begins in about {seconds} s."),
    "next": _("In the queue. Your try is the next one."),
    "building": _("Building your program…"),
    "playing": _("Playing…"),
    "played": _("Played, {turns} turns. Your program: place {rank} of {seats}."),
    "rejected": _("Your program could not be built."),
    "failed": _("The try failed by our fault, not by your program's. Please try again."),
    "fault": _("Your program is out since turn {turn}. {why}"),
    "mark": _("{path}, line {line}: {text}"),
    "connection": _("The connection failed. Please try again."),
    "lost": _("The connection is lost. The page goes on as soon as the site answers."),
    "sign_in": _("You are not signed in any more. Please sign in in another tab, then try again here."),
    "too_often": _("You have tried too often in the last hour. Please wait some minutes."),
    "play_on": _("Play on from turn {turn}"),
}
"""The sentences that the scripts show; the scripts fill in the {braces}."""
_PHRASES = {
    "Find": _("Find"),
    "Replace": _("Replace with"),
    "next": _("next"),
    "previous": _("previous"),
    "all": pgettext_lazy("matches in a text", "all"),
    "match case": _("match case"),
    "regexp": _("regular expression"),
    "by word": _("whole words"),
    "replace": pgettext_lazy("button", "replace"),
    "replace all": _("replace all"),
    "close": pgettext_lazy("button", "close"),
    "current match": _("current match"),
    "on line": _("on line"),
    "Go to line": _("Go to line"),
    "go": pgettext_lazy("button", "go"),
}
"""Words of CodeMirror, which begins with the English ones."""


def workshop_page(
    *, contest: Contest, opened: Opened, bots: list[str], reader: int | None, played: dict[str, int] | None
) -> dict[str, Any]:
    """Return the viewer's context for tries, with what the editor needs as ``workshop`` (no query).

    ``bots`` are the names of the reader's own bots, ``reader`` is the key of the account, which a try needs (None: a
    guest), and ``played`` has the match and the turn from which tries go on (None: from the beginning).
    """
    place = contest.place
    rules, _options = contest_rules(contest=contest)
    of_a_try = {name: reverse(f"workshop:try_{name}", args=[0]) for name in ("live", "replay", "turns")}
    return viewer_of_tries(contest.game, rules.rules_version) | {
        "workshop": {
            "place": place,
            "language": opened.language,
            "files": opened.files,
            "kit": opened.kit,
            "is_kit": opened.is_kit,
            "keeps_draft": opened.version is None,
            "bots": bots,
            "signed_in": reader is not None,
            "reader": reader,
            "revision": opened.revision,
            "played": played,
            "urls": {
                "draft": reverse("workshop:draft", args=[place]),
                "begin": reverse("workshop:try_begin", args=[place]),
                "submit": reverse("workshop:submit", args=[place]),
                "try": reverse("workshop:try", args=[0]),
                **of_a_try,
            },
            "words": {name: str(words) for name, words in _WORDS.items()},
            "phrases": {name: str(words) for name, words in _PHRASES.items()},
        }
    }
