"""The falling pair of the browser, ``games/puyo/viewer/falling.js``, against the table of the rules."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from games.puyo.placements import PLACEMENTS, SPAWN, SPAWN_HEIGHT, reachable
from games.viewers import viewer_folders

SCRIPT = Path(__file__).with_name("falling_reached.mjs")


def test_falling_pair_comes_to_exactly_the_reachable_placements() -> None:
    if shutil.which("node") is None:
        pytest.skip("needs node: apt-get install nodejs")
    rng = np.random.default_rng(1)
    walls = np.indices((4,) * 6).reshape(6, -1) + 10  # lower columns are no obstacle
    columns = np.concatenate([walls, rng.integers(0, 14, (6, 300))], axis=1)
    columns = columns[:, columns[SPAWN] <= SPAWN_HEIGHT]
    module = viewer_folders()["puyo"] / "falling.js"
    ran = subprocess.run(
        ["node", str(SCRIPT), str(module)],
        input=json.dumps(columns.T.tolist()),
        capture_output=True,
        text=True,
        check=True,
    )
    allowed = reachable(columns).T
    expected = [[f"{x} {r}" for (x, r), may in zip(PLACEMENTS, each, strict=True) if may] for each in allowed]
    assert json.loads(ran.stdout) == expected
