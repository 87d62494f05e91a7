"""Frame times of Puyo Puyo at a table: ``python -m tests.bench.puyo_frames [--seconds N] [--phone]``.

A match against random answers is played in headless Chromium, by random keys in the page. The script prints how many
milliseconds lie between two frames: the median, the time below which 95 and 99 % are, and the longest.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import threading

import django
from playwright.sync_api import sync_playwright

from tests.exhibitions.table_server import TableServer

GOAL_MS = 20
"""95 % of all frames are to take less."""
PLAY = """seconds => new Promise(resolve => {
  const keys = ["ArrowLeft", "ArrowRight", "ArrowDown", "x", "z", " "];
  const press = setInterval(() => {
    const key = keys[Math.floor(Math.random() * keys.length)];
    document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
    setTimeout(() => document.body.dispatchEvent(new KeyboardEvent("keyup", {key, bubbles: true})), 60);
  }, 90);
  const times = [];
  const begin = performance.now();
  let before = begin;
  requestAnimationFrame(function next(now) {
    times.push(now - before);
    before = now;
    if (now - begin < seconds * 1000) return requestAnimationFrame(next);
    clearInterval(press);
    resolve(times.slice(1));
  });
})"""


def main() -> None:
    """Play, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--phone", action="store_true", help="390 x 844 at three device pixels a pixel, not 1440 x 900")
    given = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings.test")
    django.setup()
    server = TableServer("puyo")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    width, height, scale = (390, 844, 3) if given.phone else (1440, 900, 1)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium-headless-shell"), args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": width, "height": height}, device_scale_factor=scale)
        page.goto(f"http://127.0.0.1:{server.server_port}/?seed=5")
        page.get_by_role("button", name="Start").click()
        times = page.evaluate(PLAY, given.seconds)
        browser.close()
    cuts = statistics.quantiles(times, n=100)
    verdict = "reached" if cuts[94] < GOAL_MS else "missed"
    sys.stdout.write(
        f"{len(times)} frames: median {cuts[49]:.1f} ms, 95 % below {cuts[94]:.1f} ms ({verdict}), "
        f"99 % below {cuts[98]:.1f} ms, longest {max(times):.1f} ms\n"
    )


if __name__ == "__main__":
    main()
