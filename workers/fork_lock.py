"""A lock that keeps the pool from forking while another thread of the worker's main process sends or starts programs.

A forked process inherits every lock in its present state, but not the thread that would release it. Kombu takes a lock
whenever it reads a part of a connection (``kombu.utils.objects.cached_property``). So a process that is forked while a
message is being sent could never send one itself: its match would send no heartbeat and no result, and the worker would
count the process as busy. Open files are inherited, too: the pipe of a program that is just being started would stay
open in the forked process, and a reader of the pipe would never see its end.
"""

from __future__ import annotations

import os
import threading

fork_lock = threading.Lock()
"""A thread holds it while it sends a message or starts a program; a fork waits for it.

Never send with long retries while holding it. A send takes seconds while the broker is away, and half a minute while
the broker is frozen, that is, connected but silent. A fork that is late does no harm then, since no jobs arrive."""

os.register_at_fork(before=fork_lock.acquire, after_in_parent=fork_lock.release, after_in_child=fork_lock.release)
