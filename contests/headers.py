"""Headers of pages of contests that are not public: proxies are to keep no copy, search engines not to list them."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_cache_control
from django.utils.deprecation import MiddlewareMixin

from contests.models import Contest


def page_contest_set(request: HttpRequest, contest: Contest) -> None:
    """Store on a request the contest that its page belongs to; the caller has checked that the reader may see it."""
    request.contest = contest  # type: ignore[attr-defined]


def page_contest(request: HttpRequest) -> Contest | None:
    """Return the contest that the page of a request belongs to; None if it belongs to none."""
    found: Contest | None = getattr(request, "contest", None)
    return found


class ContestHeaders(MiddlewareMixin):
    """Middleware that adds the headers to each response for which ``page_contest_set`` was called."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Keep proxies from caching what members alone may see, and search engines from listing what no list names.

        The attack: an unlisted contest is not linked from anywhere, but a search engine that reads its members' mail or
        browser history finds it, and then everybody does.
        """
        contest = page_contest(request)
        if contest is None:
            return response
        if not contest.is_for_everybody and "no-store" not in response.get("Cache-Control", ""):
            patch_cache_control(response, private=True)  # takes "public" out
        if contest.visibility != Contest.Visibility.PUBLIC:
            response["X-Robots-Tag"] = "noindex"
        return response
