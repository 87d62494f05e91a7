"""A wrong setting is reported in a sentence that names it."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from arena.settings.environment import Environment
from wire.logs import is_json


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("BOT_LIMITS", {"puyo": {"memory_mib": 99_999}}, "BOT_LIMITS for puyo cannot be given: Expected `int` <= 4096"),
        ("BOT_LIMITS", {"chess": {}}, "BOT_LIMITS names chess, which is none of GAMES."),
        ("GAMES", ["puyo", "chess"], "GAMES names chess, but there is no such game; there are: attack25, "),
        ("GAMES", [], "GAMES names no game"),
        ("GAMES", ["puyo", "attack25", "puyo"], "GAMES names puyo 2 times; name it once."),
        ("BOT_LIMITS", {"puyo": 512}, "BOT_LIMITS is not of the form"),
        ("TRUSTED_NETWORKS", {"192.0.2.7": 40}, "TRUSTED_NETWORKS is not of the form"),
        ("TRUSTED_NETWORKS", {"school": {"tables": 9}}, "TRUSTED_NETWORKS names school, which is no IP address or net"),
        ("TRUSTED_NETWORKS", {"192.0.2.7/24": {}}, "TRUSTED_NETWORKS names 192.0.2.7/24, which is no IP address or ne"),
        ("TRUSTED_NETWORKS", {"2001:db8::7": {}}, "TRUSTED_NETWORKS names 2001:db8::7; an IPv6 network counts as a wh"),
        (
            "TRUSTED_NETWORKS",
            {"192.0.2.7": {"pupils": 9}},
            "TRUSTED_NETWORKS gives 192.0.2.7 the limit pupils, which there is not; there are: requests, listeners, ",
        ),
        (
            "TRUSTED_NETWORKS",
            {"::/64": {"tables": "9"}},
            "TRUSTED_NETWORKS gives ::/64 the limit tables as '9'; give",
        ),
        (
            "TRUSTED_NETWORKS",
            {"::/64": {"anon": 900}},
            "TRUSTED_NETWORKS gives ::/64 the limit anon as 900; give",
        ),
        ("MATCHES_IN_FLIGHT", 0, "MATCHES_IN_FLIGHT is 0; set it to 1 at least."),
        ("REDIS_URL", "127.0.0.1:6379", "REDIS_URL is no URL of a broker"),
        ("BROKER_PUBLIC_URL", "redis://host:many/0", "BROKER_PUBLIC_URL is no URL of a broker"),
        ("REDIS_URL", "rediss://host/0?ssl_ca_certs=/no/ca.pem", "REDIS_URL names the file /no/ca.pem as ssl_ca_certs"),
        ("BROKER_PUBLIC_URL", "rediss://host/0?tls=1", "BROKER_PUBLIC_URL has tls behind its ?, which is none of"),
        ("BANZUKE_URL", "arena.example", "BANZUKE_URL is no URL of a site"),
        ("PUBLIC_URL", "arena.example", "PUBLIC_URL is no URL that mails can name"),
        ("PUBLIC_URL", "https://*", "PUBLIC_URL is no URL that mails can name"),
        ("ALLOWED_HOSTS", ["https://arena.example"], "ALLOWED_HOSTS has https://arena.example; write the name alone"),
        ("ALLOWED_HOSTS", ["arena.example:443"], "ALLOWED_HOSTS has arena.example:443;"),
        ("ALLOWED_HOSTS", ["2001:db8::2"], "ALLOWED_HOSTS has 2001:db8::2; write the name alone, as in [2001:db8::2]."),
        ("ALLOWED_HOSTS", ["[2001:DB8:0::2]"], "ALLOWED_HOSTS has [2001:DB8:0::2]; write the name alone, as in [2001:"),
    ],
)
def test_an_invalid_setting_is_named(settings: Settings, name: str, value: Any, words: str) -> None:
    setattr(settings, name, value)
    (wrong,) = run_checks()
    assert wrong.is_serious()
    assert wrong.msg.startswith(words)


@pytest.mark.parametrize("value", [None, ""], ids=["left out", "empty"])
def test_a_missing_variable_is_named_or_has_its_default(monkeypatch: pytest.MonkeyPatch, value: str | None) -> None:
    for name in ("SECRET_KEY", "ALLOWED_HOSTS", "GAMES"):
        monkeypatch.delenv(name, raising=False) if value is None else monkeypatch.setenv(name, value)
    assert Environment().list("GAMES", default=["puyo"]) == ["puyo"]
    with pytest.raises(ImproperlyConfigured, match="ALLOWED_HOSTS is not set"):
        Environment().list("ALLOWED_HOSTS")
    with pytest.raises(ImproperlyConfigured, match="SECRET_KEY is not set"):
        Environment().str("SECRET_KEY")


def test_a_secret_may_begin_with_a_dollar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "$HOME is no variable")
    assert Environment().str("SECRET_KEY") == "$HOME is no variable"


def test_an_unknown_log_format_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOG_FORMAT", "jsno")
    with pytest.raises(ImproperlyConfigured, match="LOG_FORMAT cannot be read: jsno is none of json, columns"):
        Environment()("LOG_FORMAT", cast=is_json, default=True)


@pytest.mark.parametrize(
    ("var", "url", "server"),
    [
        ("DATABASE_URL", "mysql://u:pw@host/n", "database"),
        ("DATABASE_URL", "postgresql://u:pw@host:many/n", "database"),
        ("DATABASE_URL", "sqlite:////tmp/x", "database"),
        ("EMAIL_URL", "pop3://u:pw@mail.example", "mail server"),
    ],
)
def test_an_invalid_url_of_a_server_is_reported_without_its_password(
    monkeypatch: pytest.MonkeyPatch, var: str, url: str, server: str
) -> None:
    monkeypatch.setenv(var, url)
    read = {"DATABASE_URL": Environment().postgresql, "EMAIL_URL": Environment().mail}[var]
    with pytest.raises(ImproperlyConfigured, match=f"{var} is no URL of a {server}; write") as error:
        read(var)
    assert "pw" not in str(error.value)


def test_ip_addresses_and_wildcards_are_allowed_hosts(settings: Settings) -> None:
    settings.BANZUKE_URL = "http://[2001:db8:0::2]:8000"
    settings.ALLOWED_HOSTS = ["10.0.0.1", "[::1]", "[2001:DB8::2:1]", "[2001:db8:0::2]", ".arena.example", "*"]
    assert run_checks() == []


def test_a_variable_of_the_wrong_type_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MATCHES_IN_FLIGHT", "many")
    with pytest.raises(ImproperlyConfigured, match=r"^MATCHES_IN_FLIGHT is no whole number\.$"):
        Environment().int("MATCHES_IN_FLIGHT")
    monkeypatch.setenv("BOT_LIMITS", "{")
    with pytest.raises(ImproperlyConfigured, match="BOT_LIMITS cannot be read: Expecting property name"):
        Environment().json("BOT_LIMITS", default={})
