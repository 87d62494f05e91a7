"""System checks of the settings: a wrong one is reported when a command starts, not when the first match needs it."""

from __future__ import annotations

import re
from collections import Counter
from ipaddress import IPv6Address
from typing import Any

from django.conf import settings
from django.core.checks import Error, register
from django.core.checks import Warning as Caution  # a built-in exception has the name Warning
from django.core.exceptions import ImproperlyConfigured

from arena.settings.environment import host_of
from common.limits import networks_problems
from contests.selectors.contests import limits_installed, packages_problems
from games.registry import game_names, games_broken
from wire.tls import options_fault
from wire.transport import BROKER_SCHEMES, is_url


@register
def games_are_known(**_: Any) -> list[Error]:
    """Check that ``GAMES`` names existing games, each once."""
    if not settings.GAMES:
        return [Error("GAMES names no game; leave it out for all games.", id="arena.E004")]
    unknown = sorted(set(settings.GAMES) - set(game_names()))
    known = ", ".join(game_names())
    return [
        Error(f"GAMES names {name}, but there is no such game; there are: {known}.", id="arena.E003")
        for name in unknown
    ] + [
        Error(f"GAMES names {name} {times} times; name it once.", id="arena.E009")
        for name, times in Counter(settings.GAMES).items()
        if times > 1
    ]


@register
def packages_are_in_order(**_: Any) -> list[Caution]:
    """Name games of installed packages that cannot be used, and house bots that cannot be read: the others go on."""
    return [Caution(sentence, id="arena.W001") for sentence in packages_problems()]


@register
def limits_can_be_given(**_: Any) -> list[Error]:
    """Check that ``BOT_LIMITS`` is well-formed, and that workers can grant its limits and those of the games."""
    chosen = settings.BOT_LIMITS
    if not isinstance(chosen, dict) or not all(isinstance(limits, dict) for limits in chosen.values()):
        return [Error('BOT_LIMITS is not of the form {GAME: {"memory_mib": 512}}.', id="arena.E005")]
    unknown = sorted(set(settings.BOT_LIMITS) - set(settings.GAMES) - games_broken().keys())
    errors = [Error(f"BOT_LIMITS names {game}, which is none of GAMES.", id="arena.E002") for game in unknown]
    for game in (name for name in settings.GAMES if name in game_names()):
        try:
            limits_installed(game=game)
        except ImproperlyConfigured as error:
            errors.append(Error(str(error), id="arena.E001"))
    return errors


@register
def networks_can_be_trusted(**_: Any) -> list[Error]:
    """Check that ``TRUSTED_NETWORKS`` names networks, and limits that there are."""
    return [Error(sentence, id="arena.E012") for sentence in networks_problems()]


@register
def numbers_are_positive(**_: Any) -> list[Error]:
    """Check numbers that would silently keep all matches from being handed out if they were below 1."""
    return [
        Error(f"{name} is {number}; set it to 1 at least.", id="arena.E006")
        for name in ("MATCHES_IN_FLIGHT", "PROCESSES_ASSUMED")
        if (number := getattr(settings, name)) < 1
    ]


@register
def hosts_are_names(**_: Any) -> list[Error]:
    """Check that ``ALLOWED_HOSTS`` holds host names only: an entry that is a URL, or has a port, matches no request."""
    return [
        Error(f"ALLOWED_HOSTS has {host}; write the name alone, as in {example}.", id="arena.E010")
        for host in settings.ALLOWED_HOSTS
        if (example := _host_wanted(host.lower())) != host.lower()
    ]


def _host_wanted(host: str) -> str:
    """Return the host if a request can name it, else how to write it; browsers spell an IPv6 address in one way."""
    if host == host_of(settings.BANZUKE_URL):  # workers use this URL, and write the host as it is spelled there
        return host
    try:
        return f"[{IPv6Address(host.strip('[]'))}]"
    except ValueError:
        return "arena.example" if "/" in host or re.search(r":\d*$", host) else host


@register
def urls_are_valid(**_: Any) -> list[Error]:
    """Check the settings that are URLs. The errors show no URL, since those of the broker hold passwords."""
    errors = [
        Error(f"{name} {fault}", id="arena.E007")
        for name in ("REDIS_URL", "BROKER_PUBLIC_URL")
        # BROKER_PUBLIC_URL names files of the hosts that join, which cannot be checked here.
        if (url := getattr(settings, name)) and (fault := _broker_fault(url, files_here=name == "REDIS_URL"))
    ]
    if not is_url(settings.BANZUKE_URL, "http", "https"):
        errors.append(Error("BANZUKE_URL is no URL of a site; write it as https://arena.example.", id="arena.E008"))
    # PUBLIC_URL is made of the first name in ALLOWED_HOSTS by default, which may be a star.
    if not is_url(settings.PUBLIC_URL, "http", "https") or "*" in settings.PUBLIC_URL:
        errors.append(
            Error("PUBLIC_URL is no URL that mails can name; set it as https://arena.example.", id="arena.E011")
        )
    return errors


def _broker_fault(url: str, *, files_here: bool) -> str:
    """Return what is wrong with a URL of the broker; empty: nothing.

    ``files_here`` says whether the files that its options name must exist on this machine.
    """
    if not is_url(url, *BROKER_SCHEMES):
        return "is no URL of a broker; write it as redis://host:port/0."
    return options_fault(url, files_here=files_here)
