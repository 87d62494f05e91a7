"""The animation that the viewer saves, decoded again in a real Chromium and compared with the board."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from matches.models import Match
from tests.matches.makers import finish_match, finish_random_match, make_match, make_records, make_version
from tests.matches.viewing import LAST, part

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

COMPARED = """async ([base64, page]) => {
  const data = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const decoder = new ImageDecoder({ data, type: "image/gif" });
  await decoder.tracks.ready;
  const frames = decoder.tracks.selectedTrack.frameCount;

  const { fetchReplay } = await import("/static/matches/viewer/replay.js");
  const { Pictures } = await import("/static/matches/viewer/picture.js");
  const { Messages } = await import("/static/matches/viewer/messages.js");
  const options = { messages: new Messages(page.tables), letters: page.letters };
  const [replay, game] = [await fetchReplay(page.replay_json, options), await import(page.module)];
  const root = document.querySelector("[data-viewer='root']");

  let [far, pictures] = [0, null];
  for (const turn of [0, 1, 2, Math.floor(frames / 2), frames - 1]) {
    const { image } = await decoder.decode({ frameIndex: turn });
    // The canvas has dropped a fraction of a pixel.
    pictures ??= new Pictures(root, replay, game, page.words, image.displayWidth + 1);
    const seen = new OffscreenCanvas(pictures.width, pictures.height).getContext("2d");
    seen.drawImage(image, 0, 0);
    image.close();
    const [one, other] = [seen, pictures.draw(turn).getContext("2d")].map((context) =>
      context.getImageData(0, 0, pictures.width, pictures.height).data);
    one.forEach((value, place) => { far = Math.max(far, Math.abs(value - other[place])); });
  }
  return { frames, far, cell: pictures.cell };
}"""
"""Returns the number of frames, the largest difference of a pixel from the viewer's drawing (of 255), pixels a cell."""
WIDE_SEED = 4
"""Its board has 24 columns, the most that there are."""
FAR_MAX = 24
"""The most by which 255 colours may change a pixel. A letter on a wrong ground would differ by more than a hundred."""


def saved(page: Page, match: Match) -> tuple[dict[str, Any], bytes]:
    """Save the animation; returns what ``COMPARED`` finds, and the file."""
    button = page.get_by_role("button", name="Animation")
    with page.expect_download() as download:
        button.press("Enter")
    expect(part(page, "copied")).to_have_text("The animation is made.")
    expect(button).to_be_focused()
    assert download.value.suggested_filename == f"match-{match.pk}.gif"
    data = Path(download.value.path()).read_bytes()
    viewer_page = page.evaluate("() => JSON.parse(document.getElementById('viewer-page').textContent)")
    return page.evaluate(COMPARED, [base64.b64encode(data).decode(), viewer_page]), data


def test_an_animation_of_the_whole_match_is_saved(watch: Callable[..., Page], page: Page) -> None:
    """The palette index of unchanged pixels must be no colour's, else text is hollow from the second frame on."""
    match = finish_match(make_match(make_version("Alpha"), make_version("Beta")))
    page.emulate_media(color_scheme="dark")
    found, data = saved(watch(match), match)
    assert len(data) < 1_000_000
    assert found["frames"] == LAST + 1
    assert found["far"] <= FAR_MAX


def test_an_animation_with_few_colours_is_as_the_board(watch: Callable[..., Page]) -> None:
    match = finish_random_match("attack25")
    assert saved(watch(match), match)[0]["far"] <= FAR_MAX


def test_an_animation_is_wide_enough_to_read_24_columns(watch: Callable[..., Page]) -> None:
    records = make_records("Alpha", "Beta", options={"agents": 2, "turns": 10}, seed=WIDE_SEED)
    match = finish_match(make_match(make_version("Alpha"), make_version("Beta")), records)
    assert records[0]["setting"]["width"] == 24
    found, _ = saved(watch(match), match)
    assert found["cell"] >= 30
    assert found["far"] <= FAR_MAX
