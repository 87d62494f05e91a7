"""A real provider of OpenID Connect, in a process of its own."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import requests
from playwright.sync_api import Page
from pytest_django import Settings

from tests.waiting import wait_until


@dataclass
class OpenIDProvider:
    """A running provider, which knows only sites that are registered, and users that tests make."""

    url: str
    process: subprocess.Popen[bytes]

    def register(self, settings: Settings, site_url: str) -> None:
        """Register the site, and have it offer this provider under the name *School*."""
        asked = {"redirect_uris": [f"{site_url}/accounts/openid/callback/"]}
        client = requests.post(f"{self.url}/oauth2/clients", json=asked, timeout=10).json()
        settings.SIGN_IN_OPENID = {
            "url": self.url,
            "client_id": client["client_id"],
            "secret": client["client_secret"],
            "name": "School",
        }

    def user(self, sub: str, **claims: object) -> None:
        """Create or change a user of the provider, whose number there is ``sub``."""
        requests.put(f"{self.url}/users/{sub}", json=claims, timeout=10).raise_for_status()


@contextmanager
def openid_running(folder: Path) -> Iterator[OpenIDProvider]:
    """Run a provider, which writes its log into a folder."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "oidc_provider_mock", "--port", str(port), "--require-registration", "true"]
    log = folder / "provider.log"
    with log.open("wb") as output, subprocess.Popen(command, stdout=output, stderr=output) as process:
        running = OpenIDProvider(f"http://127.0.0.1:{port}", process)
        try:
            wait_until(lambda: answers(running.url), log.read_text)
            yield running
        finally:
            process.kill()


def answers(url: str) -> bool:
    """Return whether a provider answers."""
    try:
        return requests.get(f"{url}/.well-known/openid-configuration", timeout=10).ok
    except requests.ConnectionError:
        return False


def agree(page: Page, sub: str) -> None:
    """Sign in on the provider's page, as a user whose number there is ``sub``."""
    page.get_by_placeholder("sub").fill(sub)
    page.get_by_role("button", name="Authorize").click()
