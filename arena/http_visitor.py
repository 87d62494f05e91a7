"""A small HTTP client that visits pages as a browser does: cookies, forms with their hidden fields, links."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin

import requests

ANSWER_SECONDS_MAX = 30


class PageFailed(Exception):  # noqa: N818 - reads as what happened
    """A page could not be fetched, or is not as expected. ``str(error)`` is a sentence."""


@dataclass(slots=True)
class Form:
    """A form of a page: the URL that it is sent to, and the values of its fields."""

    action: str
    values: dict[str, str] = field(default_factory=dict)


class Page(HTMLParser):
    """A fetched page: its forms, links and words."""

    def __init__(self, answer: requests.Response) -> None:
        super().__init__()
        self.url = answer.url
        self.forms: list[Form] = []
        self.links: list[str] = []
        self.words: list[str] = []
        self.feed(answer.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect forms, their fields, and links."""
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append(Form(urljoin(self.url, given.get("action", ""))))
        elif tag in ("input", "select", "textarea") and self.forms and "name" in given:
            self.forms[-1].values[given["name"]] = given.get("value", "")
        elif tag == "a" and "href" in given:
            self.links.append(urljoin(self.url, given["href"]))

    def handle_data(self, data: str) -> None:
        """Append the words of a piece of text to ``words``; the HTML parser calls this."""
        self.words.extend(data.split())

    def form_with(self, name: str) -> Form:
        """Return the form that has a field of this name; raise PageFailed if none has."""
        for form in self.forms:
            if name in form.values:
                return form
        raise PageFailed(f"{self.url} has no form with a field “{name}”; it says: {' '.join(self.words)[:500]}")


class Visitor:
    """A client with the cookies of one session, which fetches pages and sends forms."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.session = requests.Session()

    def get(self, path: str) -> requests.Response:
        """Send a GET request and return the response; raise PageFailed if there is none, or if it is an error."""
        return self._ask("GET", urljoin(self.url, path))

    def page(self, path: str) -> Page:
        """Fetch a page and parse it; raise PageFailed as ``get`` does."""
        return Page(self.get(path))

    def submit(self, form: Form, values: dict[str, str], files: dict[str, tuple[str, bytes]] | None = None) -> Page:
        """Fill in a form, send it, and return the page that it leads to; raise PageFailed as ``get`` does.

        ``values`` and ``files`` (pairs of file name and content) are by the names of the fields.
        """
        data = {**form.values, **values}
        for name in files or {}:
            data.pop(name, None)
        # Browsers send the page of a form as its referrer, which the site's CSRF protection checks.
        return Page(self._ask("POST", form.action, data=data, files=files, headers={"Referer": self.url}))

    def _ask(self, method: str, url: str, **content: Any) -> requests.Response:
        try:
            answer = self.session.request(method, url, timeout=ANSWER_SECONDS_MAX, **content)
        except requests.RequestException as error:
            raise PageFailed(f"{url} does not answer ({type(error).__name__}); does the arena run there?") from error
        if not answer.ok:
            words = " ".join(Page(answer).words) if "html" in answer.headers.get("Content-Type", "") else answer.text
            raise PageFailed(f"{url} answers {answer.status_code}: {words[:500]}")
        return answer
