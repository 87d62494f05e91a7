"""Lets no process of the pool be forked while another thread of the worker's main process sends.

Who is forked gets every lock as it was just then, but not the thread that would give it back. Kombu takes one at each
look at a part of a connection (``kombu.utils.objects.cached_property``), so whoever is forked in the middle of a
message can send none, ever: its match would neither be known to run nor end, and its worker would think it busy.
"""

from __future__ import annotations

import os
import threading

forks_wait = threading.Lock()
"""Held by a thread while it sends. A fork waits for it, so no more than a few tries to reach the broker fit inside."""

os.register_at_fork(before=forks_wait.acquire, after_in_parent=forks_wait.release, after_in_child=forks_wait.release)
