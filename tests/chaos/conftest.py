"""A site with a managing worker, on a broker that may be killed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from tests.chaos.mortal import MortalBroker, mortal_broker
from tests.chaos.parts import HEARD_QUEUE
from tests.managing import managing_worker


@pytest.fixture(scope="module")
def own_broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MortalBroker]:
    """A broker that only these tests use."""
    with mortal_broker(tmp_path_factory.mktemp("broker")) as broker:
        yield broker


@pytest.fixture
def site(site_url: str, own_broker: MortalBroker, settings: Settings) -> Iterator[MortalBroker]:
    """A site that answers, and its managing worker, in threads of the test; yields their broker, empty."""
    settings.GAMES = []  # no pairing: the tests choose the matches
    with managing_worker(own_broker.site_url, HEARD_QUEUE):
        yield own_broker
