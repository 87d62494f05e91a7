"""Limits on visitors: whom a limit counts, and how much is allowed. All throttles of the site ask here.

One rule holds for all of them. A limit counts the account of a visitor who is signed in. It counts the IP address of
guests, and of everybody for what is done before one is signed in. ``TRUSTED_NETWORKS`` gives the guests of a known
network, such as a school, limits of their own. For an IPv6 address its network (/64) counts (``common.visitors``).
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from functools import cache, wraps
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any, Concatenate, NamedTuple, ParamSpec

from allauth.account import app_settings
from allauth.core import context
from allauth.core.internal import ratelimit
from allauth.core.internal.ratelimit import Rate, parse_rate, parse_rates
from allauth.core.ratelimit import consume_or_429
from django.conf import settings
from django.core.cache import cache as cached
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from common.visitors import NETWORK_BITS, visitor_of

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]

ANONYMOUS = "anon"
"""The limit on requests to the API without a user, in ``API_RATES``."""
_APP = "allauth.account"
_BY_ADDRESS = ("ip", "visitor")
"""Whom rates count that look at IP addresses: all by their address (``ip``), or only guests by it (``visitor``)."""
_RATE = re.compile(r"[1-9][0-9]{0,8}/[smhd]")
_library_rates = ratelimit.get_rates


class Counted(NamedTuple):
    """Whom a limit counts, and how much is allowed at once."""

    source: str
    """Names an account, the guests of a network, or something else whose use is counted."""
    most: int


def visitor_counted(*, request: HttpRequest, name: str) -> Counted:
    """Return whom a limit of ``USER_LIMITS`` and ``NETWORK_LIMITS`` counts, and how much that visitor may have at once.

    It reads the session, so an asynchronous view calls it by ``ask_database``.
    """
    if request.user.is_authenticated:
        return Counted(f"user {request.user.pk}", settings.USER_LIMITS[name])
    network = visitor_of(request)
    return Counted(f"network {network}", network_limit(name=name, network=network))


def network_limit(*, name: str, network: str) -> int:
    """Return how much of what ``NETWORK_LIMITS`` names the guests of a network (``visitor_of``) may have at once."""
    return int(_own_limits(network).get(name, settings.NETWORK_LIMITS[name]))


def anonymous_rate(*, request: HttpRequest) -> str | None:
    """Return the rate of requests to the API that guests of a trusted network have for themselves; None: the usual."""
    own = _own_limits(visitor_of(request)).get(ANONYMOUS)
    return None if own is None else str(own)


def rates_of(*, app: str, action: str, config: dict[str, str] | None = None) -> list[Rate]:
    """Return the rates of an action for the visitor whose request is answered now.

    The app of accounts puts it in the place of the function of allauth with this name and these arguments: so it
    holds for the forms of allauth, too. ``ACCOUNT_RATE_LIMITS`` has the rates.
    """
    request: HttpRequest | None = context.request
    return [_rate_for(request, action, rate) for rate in _library_rates(app=app, action=action, config=config)]


def rates_install() -> None:
    """Make the forms of allauth ask ``rates_of``, too: it has no setting for rates by visitor."""
    ratelimit.get_rates = rates_of


def action_count(*, request: HttpRequest, action: str, key: str | None = None) -> Any:
    """Count an action of a visitor; return what takes it back by its ``rollback``, or None above the limit.

    The request may be a GET. The action is one of ``ACCOUNT_RATE_LIMITS``, which the forms of allauth count as well; if
    its limit is by key, it is counted for ``key``.
    """
    return ratelimit.consume(request, app=_APP, action=action, key=key, limit_get=True)


def seconds_until_free(*, request: HttpRequest, action: str) -> float | None:
    """Return the seconds until a visitor may do an action again; None if none of its limits is reached."""
    waits = []
    for rate in rates_of(app=_APP, action=action):
        tries = cached.get(ratelimit.get_cache_key(request, app=_APP, action=action, rate=rate), [])
        if len(tries) >= rate.amount:
            waits.append(tries[-1] + rate.duration - time.time())
    return max(waits, default=None)


def action_take(*, request: HttpRequest, action: str, count: int) -> bool:
    """Count an action several times at once if its limit (``action_count``) allows that; return whether it does."""
    for rate in ratelimit.get_rates(app=_APP, action=action):
        key = ratelimit.get_cache_key(request, app=_APP, action=action, rate=rate)
        with ratelimit.cache_lock(key) as is_locked:
            now = time.time()
            history = [at for at in cached.get(key, []) if at > now - rate.duration]
            if not is_locked or len(history) + count > rate.amount:
                return False
            cached.set(key, [now] * count + history, rate.duration)
    return True


def rate_limited(action: str, *, method: str = "POST") -> Callable[[View[P]], View[P]]:
    """Decorate a view to answer 429 to a visitor who calls it more often than ``ACCOUNT_RATE_LIMITS`` allows.

    ``action`` is a key of that setting. Only requests of the method ``method`` are limited; GET includes HEAD.
    """
    done_by = (method, "HEAD") if method == "GET" else (method,)  # HEAD costs as much

    def with_limit(view: View[P]) -> View[P]:
        @wraps(view)
        def counted(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if request.method in done_by:
                # Without `limit_get` allauth ignores GET requests.
                too_often: HttpResponseBase | None = consume_or_429(request, action=action, limit_get=True)
                if too_often:
                    return too_often
            return view(request, *args, **kwargs)

        return counted

    return with_limit


def _rate_for(request: HttpRequest | None, action: str, rate: Rate) -> Rate:
    if rate.per not in _BY_ADDRESS:
        return rate
    if rate.per == "visitor" and request is not None and request.user.is_authenticated:
        return Rate(rate.amount, rate.duration, "user")
    own = _own_limits(visitor_of(request)).get(action) if request is not None else None
    chosen = rate if own is None else parse_rate(str(own))
    return Rate(chosen.amount, chosen.duration, "ip")


def _own_limits(network: str) -> Mapping[str, int | str]:
    """Return the limits that ``TRUSTED_NETWORKS`` gives to a visitor: those of the smallest network around it."""
    if not settings.TRUSTED_NETWORKS:
        return {}
    try:
        address = ip_address(network)
    except ValueError:  # the proxy has named no address
        return {}
    around = [text for text in settings.TRUSTED_NETWORKS if address in _network(text)]
    smallest = max(around, key=lambda text: _network(text).prefixlen, default=None)
    return {} if smallest is None else settings.TRUSTED_NETWORKS[smallest]


@cache
def _network(text: str) -> IPv4Network | IPv6Network:
    return ip_network(text)


# --- The check of the setting ---------------------------------------------------------------------------------------


def networks_problems() -> list[str]:
    """Return what is wrong with ``TRUSTED_NETWORKS``, in sentences for the administrator."""
    chosen: Any = settings.TRUSTED_NETWORKS
    if not isinstance(chosen, dict) or not all(isinstance(limits, dict) for limits in chosen.values()):
        return ['TRUSTED_NETWORKS is not of the form {"192.0.2.7": {"listeners": 200, "signup": "500/h"}}.']
    problems = []
    for text, limits in chosen.items():
        problems += _network_problems(text)
        problems += [_limit_problem(text, name, value) for name, value in limits.items()]
    return [problem for problem in problems if problem]


def _network_problems(text: str) -> list[str]:
    try:
        network = ip_network(text)
    except ValueError as error:
        return [f"TRUSTED_NETWORKS names {text}, which is no IP address or network: {error}."]
    if network.version == 6 and network.prefixlen > NETWORK_BITS:
        return [f"TRUSTED_NETWORKS names {text}; an IPv6 network counts as a whole: write its /{NETWORK_BITS}."]
    return []


def _limit_problem(network: str, name: str, value: object) -> str:
    limits: dict[str, str | None] = app_settings.RATE_LIMITS
    rates = [action for action, limit in limits.items() if any(rate.per in _BY_ADDRESS for rate in parse_rates(limit))]
    where = f"TRUSTED_NETWORKS gives {network} the limit {name}"
    if name in settings.NETWORK_LIMITS:
        is_count = isinstance(value, int) and not isinstance(value, bool) and value >= 1
        return "" if is_count else f"{where} as {value!r}; give a whole number from 1 on."
    if name in (ANONYMOUS, *rates):
        is_rate = isinstance(value, str) and _RATE.fullmatch(value)
        return "" if is_rate else f'{where} as {value!r}; give a rate in text such as "500/h", by s, m, h or d.'
    known = ", ".join([*settings.NETWORK_LIMITS, ANONYMOUS, *sorted(rates)])
    return f"{where}, which there is not; there are: {known}."
