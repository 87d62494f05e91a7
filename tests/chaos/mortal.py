"""A broker that dies and comes back with its data."""

from __future__ import annotations

import dataclasses
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deploy.broker import Broker, broker_await, broker_running


class MortalBroker:
    """A broker that can be killed and started again on its data, under the same URLs."""

    def __init__(self, broker: Broker) -> None:
        self._first = broker
        self._process = broker.process
        self.site_url, self.player_url = broker.site_url, broker.player_url

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def revive(self) -> None:
        with self._first.log.open("ab") as log:
            self._process = subprocess.Popen(self._first.process.args, stdout=log, stderr=log, start_new_session=True)
        broker_await(dataclasses.replace(self._first, process=self._process))

    def restart(self) -> None:
        self.kill()
        self.revive()


@contextmanager
def mortal_broker(folder: Path) -> Iterator[MortalBroker]:
    """Run a broker for one test."""
    with broker_running(folder, site_password="site", player_password="player") as broker:
        mortal = MortalBroker(broker)
        try:
            yield mortal
        finally:
            mortal.kill()
