"""A visitor of the site without a browser: cookies, forms with their hidden fields, links."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin

import requests

ANSWER_SECONDS_MAX = 30


class PageFailed(Exception):  # noqa: N818 - reads as what happened
    """A page could not be had, or is not what it should be; one sentence."""


@dataclass(slots=True)
class Form:
    """A form of a page, with what it already holds."""

    action: str
    values: dict[str, str] = field(default_factory=dict)


class Page(HTMLParser):
    """A page as a visitor needs it."""

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
        """Collect the text."""
        self.words.extend(data.split())

    def form_with(self, name: str) -> Form:
        """Return the form that has a field of this name.

        Raises:
            PageFailed: there is none.
        """
        for form in self.forms:
            if name in form.values:
                return form
        raise PageFailed(f"{self.url} has no form with a field “{name}”; it says: {' '.join(self.words)[:500]}")


class Visitor:
    """Somebody who looks at the site and fills in forms, with the cookies of one session."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._session = requests.Session()

    def get(self, path: str) -> requests.Response:
        """Return the answer to a GET.

        Raises:
            PageFailed: no answer, or an error.
        """
        return self._ask("GET", urljoin(self.url, path))

    def page(self, path: str) -> Page:
        """Return a page; raises as ``get``."""
        return Page(self.get(path))

    def submit(self, form: Form, values: dict[str, str], files: dict[str, tuple[str, bytes]] | None = None) -> Page:
        """Fill a form in, send it, and return the page that it leads to; raises as ``get``."""
        data = {**form.values, **values}
        for name in files or {}:
            data.pop(name, None)
        # Browsers say where a form comes from, and the site's protection against forged forms looks at it.
        return Page(self._ask("POST", form.action, data=data, files=files, headers={"Referer": self.url}))

    def _ask(self, method: str, url: str, **content: Any) -> requests.Response:
        try:
            answer = self._session.request(method, url, timeout=ANSWER_SECONDS_MAX, **content)
        except requests.RequestException as error:
            raise PageFailed(f"{url} does not answer ({type(error).__name__}); does the arena run there?") from error
        if not answer.ok:
            words = " ".join(Page(answer).words) if "html" in answer.headers.get("Content-Type", "") else answer.text
            raise PageFailed(f"{url} answers {answer.status_code}: {words[:500]}")
        return answer
