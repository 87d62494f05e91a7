"""Records a random match of each set of rules and number of players: ``python tests/record.py``."""

from pathlib import Path

from banzuke_tron import Tron

from banzuke.sdk import encode
from banzuke.testing import setups_of

folder = Path(__file__).parent / "golden"
folder.mkdir(exist_ok=True)
for setup in setups_of(Tron()):
    (folder / f"{setup}.replay").write_bytes(encode(setup.match()))
