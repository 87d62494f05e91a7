"""Record the matches anew."""

from core.replay import encode
from tests.core.golden import golden
from tests.core.setups import registered

for setup in registered():
    golden(setup).write_bytes(encode(setup.match()))
