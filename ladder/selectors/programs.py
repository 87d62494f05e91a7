"""Which bots have the same program: of one owner, and of several."""

from __future__ import annotations

from ladder.models import Bot
from ladder.selectors.bots import LIVE_STATES


def bot_with_program(*, bot: Bot, digest: str) -> Bot | None:
    """Return another bot of the same owner and game that plays with an upload, or soon will, or None (1 query).

    House bots are left out, on both sides: an arena has the ones that it has.

    Args:
        bot: the one that the upload is for.
        digest: of the upload.
    """
    if bot.is_house:
        return None
    others = Bot.objects.filter(owner=bot.owner_id, game=bot.game, is_house=False).exclude(pk=bot.pk)
    return others.filter(versions__bundle_digest=digest, versions__state__in=LIVE_STATES).order_by("pk").first()
