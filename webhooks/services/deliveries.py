"""Makes deliveries of notifications, sends them, and turns off hooks that fail."""

from __future__ import annotations

import asyncio
import ssl
from collections import defaultdict
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.models import Notification
from accounts.news_kinds import NewsKind
from jobs.celery_app import app
from jobs.coordination import redis_lock
from webhooks.messages import message_body, message_headers
from webhooks.models import Delivery, Hook
from webhooks.news import HOOK_OFF
from webhooks.selectors.hooks import deliveries_due
from webhooks.sending import SECONDS_MAX, NoHttp, NotPublic, is_taken, message_post

RETRY_SECONDS = (10, 60, 600, 3_600, 6 * 3_600)
"""How long after a try that failed the next one comes; after the last of them a message is given up."""
FAILURES_MAX = 20
"""After so many tries in a row that failed, a hook is turned off."""
KEPT_DAYS = 30
AT_ONCE_MAX = 50
"""How many messages are sent at the same time, each to another hook."""

Fault = Delivery.Fault

log = structlog.get_logger(__name__)


def deliveries_create(*, kind: NewsKind, events: Collection[tuple[str, int]], **_: Any) -> None:
    """Make a delivery of each new notification to the hooks of its reader that want it; a receiver of ``notified``.

    ``events`` are the occasion and the reader's key of each; one that was there already is not sent again. 1 query
    where no reader has a hook, and 3 where some have.
    """
    if kind.topic is None:
        return
    readers = {reader for _occasion, reader in events}
    hooks: dict[int, list[Hook]] = defaultdict(list)
    for hook in Hook.objects.filter(owner__in=readers, off_at=None):
        if kind.topic.name in hook.groups:
            hooks[hook.owner_id].append(hook)
    if not hooks:
        return
    occasions = {occasion for occasion, reader in events if reader in hooks}
    told = Notification.objects.filter(kind=kind.name, occasion__in=occasions, reader__in=hooks)
    Delivery.objects.bulk_create(
        [
            Delivery(hook=hook, notification_id=pk)
            for pk, occasion, reader in told.values_list("pk", "occasion", "reader")
            if (occasion, reader) in events
            for hook in hooks[reader]
        ],
        ignore_conflicts=True,
    )


def deliveries_send_in_turn() -> None:
    """Send what is due, unless another process does so now."""
    with redis_lock(app, "webhooks", seconds_max=6 * SECONDS_MAX, rest=0) as is_mine:
        if is_mine:
            deliveries_send()


def deliveries_send() -> int:
    """Send the messages that are due, ``AT_ONCE_MAX`` at most, all at the same time; return how many were delivered.

    The attack: a user's receiver accepts connections and never answers. It holds up nobody: each hook has one message
    on its way at a time, and a batch takes ``SECONDS_MAX`` at most.
    """
    now = timezone.now()
    claimed = [delivery for delivery in deliveries_due(at=now, limit=AT_ONCE_MAX) if _claim(delivery, now)]
    bodies = [message_body(delivery) for delivery in claimed]
    outcomes = asyncio.run(_post_all(claimed, bodies, now))
    for delivery, (status, fault) in zip(claimed, outcomes, strict=True):
        _record(delivery, status, fault)
    return sum(fault == "" for _status, fault in outcomes)


def _claim(delivery: Delivery, now: datetime) -> bool:
    """Count a try before it is made, and return whether this process is to make it.

    So neither a second process sends the message, too, nor the next one after this process has died over it.
    """
    last = delivery.notification is None or delivery.tries >= len(RETRY_SECONDS)
    again = None if last else now + timedelta(seconds=RETRY_SECONDS[delivery.tries])
    same = Delivery.objects.filter(pk=delivery.pk, tries=delivery.tries, due_at=delivery.due_at)
    return bool(same.update(tries=F("tries") + 1, due_at=again, tried_at=now))


class _Lookups(ThreadPoolExecutor):
    """Threads that look up host names.

    The attack: names whose servers answer slowly hold all of asyncio's few threads, so that no other name is looked up,
    and hold up the whole batch, since asyncio waits for its threads at the end.
    """

    def shutdown(self, *_args: Any, **_kwargs: Any) -> None:
        """Wait for no lookup: its message has failed by then."""
        super().shutdown(wait=False, cancel_futures=True)


async def _post_all(
    deliveries: Sequence[Delivery], bodies: Sequence[bytes], now: datetime
) -> list[tuple[int | None, str]]:
    asyncio.get_running_loop().set_default_executor(_Lookups(AT_ONCE_MAX))
    return await asyncio.gather(*(_post(*message, now) for message in zip(deliveries, bodies, strict=True)))


async def _post(delivery: Delivery, body: bytes, now: datetime) -> tuple[int | None, str]:
    """Return the status of the answer, and the fault; an empty one if the message was taken."""
    headers = message_headers(delivery, body=body, at=now)
    try:
        status = await message_post(delivery.hook.url, headers=headers, body=body)
    except NotPublic:
        return None, Fault.PRIVATE
    except TimeoutError:
        return None, Fault.NO_ANSWER
    except ssl.SSLError:
        return None, Fault.CERTIFICATE
    except (OSError, NoHttp, UnicodeError):  # UnicodeError: a host name that no resolver knows
        return None, Fault.UNREACHABLE
    return status, "" if is_taken(status) else Fault.STATUS


@transaction.atomic
def _record(delivery: Delivery, status: int | None, fault: str) -> None:
    row = Delivery.objects.filter(pk=delivery.pk)
    if not fault:
        row.update(is_delivered=True, due_at=None, status=status, fault="")
        Hook.objects.filter(pk=delivery.hook_id).update(failures=0)
        return
    row.update(status=status, fault=fault)
    if delivery.notification is not None:
        Hook.objects.filter(pk=delivery.hook_id).update(failures=F("failures") + 1)
        _turn_off(delivery.hook_id)


def _turn_off(pk: int) -> None:
    """Turn off a hook that has failed too often, give up its messages, and notify its owner."""
    now = timezone.now()
    if not Hook.objects.filter(pk=pk, off_at=None, failures__gte=FAILURES_MAX).update(off_at=now):
        return
    Delivery.objects.filter(hook=pk).update(due_at=None)
    hook = Hook.objects.select_related("owner").get(pk=pk)
    Notification.objects.create(
        reader=hook.owner,
        kind=HOOK_OFF.name,
        occasion=f"hook {pk} {now.isoformat()}",
        values={"hook": pk, "host": hook.host, "failures": hook.failures},
        mail_due=hook.owner.mail_language != "",
    )
    log.info("hook_off", hook=pk)


def deliveries_forget() -> None:
    """Delete deliveries that are older than ``KEPT_DAYS``."""
    Delivery.objects.filter(created_at__lt=timezone.now() - timedelta(days=KEPT_DAYS)).delete()


def delivery_test(*, hook: Hook) -> Delivery:
    """Make a test message to a hook, which is sent within seconds and never repeated; return its delivery."""
    return Delivery.objects.create(hook=hook)
