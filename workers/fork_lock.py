"""Lets no process of the pool be forked while another thread of the worker's main process is in the midst of something.

A forked process gets every lock as it is at that moment, but not the thread that would release it. Kombu takes a lock
whenever it looks at a part of a connection (``kombu.utils.objects.cached_property``). So a process that is forked while
a message is being sent could never send one itself: its match would neither be known to run nor end, and its worker
would think it busy. The same goes for open files: the pipe of a program that is just being started would stay open in
the forked process, and so seem never to end.
"""

from __future__ import annotations

import os
import threading

forks_wait = threading.Lock()
"""Held by a thread while it sends, or starts a program. A fork waits for it, so never send patiently inside.

While the broker is away that is seconds. While it is frozen, alive but silent, each try waits for an answer: half a
minute for a message. Nothing is lost by it, since nobody gets a job then; when the broker answers again, the fork
follows at once."""

os.register_at_fork(before=forks_wait.acquire, after_in_parent=forks_wait.release, after_in_child=forks_wait.release)
