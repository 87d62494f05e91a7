"""Each house bot plays, without a fault, each ruleset and table size that its description lists."""

from __future__ import annotations

from pathlib import Path

import pytest

from banzuke.testing import Setup
from games.housebots import Description, descriptions_of, housebots_for, housebots_of
from games.registry import FOLDER, game_named
from tests.core.setups import registered
from tests.games.bots import test_all
from tests.games.bots.kit import recorded
from tests.own import OWN

pytestmark = pytest.mark.test_all

BOTS = test_all.BOTS
SHORT = {"back_to_the_code": {"rounds": 12}, "kakomimasu": {"turns": 12}}
"""Options that make a match short enough for a test; without them, a match takes a minute."""
OPENLY = {game: (next(iter(game_named(game).rulesets)), game_named(game).players[0]) for game in OWN}
"""The ruleset and the table size that the open contest of a game plays; other tests play these."""
VARIANTS = [setup for setup in registered() if (setup.ruleset, setup.players) != OPENLY[setup.game.name]]
PAGE = Path(__file__).parents[3] / "docs" / "play" / "variants.md"


def able(setup: Setup) -> list[str]:
    """Return the names of the house bots that can play a setup."""
    bots = housebots_for(setup.game.name, ruleset=setup.ruleset, sizes=[setup.players])
    return [bot.description.name for bot in bots]


@pytest.mark.parametrize("setup", VARIANTS, ids=str)
def test_all_bots_of_a_variant_play_it_without_a_fault(setup: Setup, commands: dict[str, str]) -> None:
    game, names = setup.game.name, able(setup)
    assert len(set(names)) >= 2, "A contest of this variant has opponents from the first day."
    options = setup.options | SHORT.get(game, {})
    for start in range(0, len(names), setup.players):
        seated = [names[number % len(names)] for number in range(start, start + setup.players)]
        outcome, _ = recorded(game, [commands[f"{game}/{name}"] for name in seated], seed=7, options=options)
        assert outcome.faults == (None,) * setup.players, seated


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("back_to_the_code", {"rounds": 3}),
        ("kakomimasu", {"board": "F-1", "agents": 2, "turns": 3}),
        ("wondev_woman", {"map": "diamond", "symmetric": True, "java_seed": 5}),
    ],
)
def test_bots_cope_with_the_options_that_they_list(
    game: str, options: dict[str, object], commands: dict[str, str]
) -> None:
    names = [bot.description.name for bot in housebots_for(game, options=options)]
    assert len(names) == len(housebots_for(game))
    for one, other in zip(names, names[1:] + names[:1], strict=True):
        outcome, _ = recorded(game, [commands[f"{game}/{name}"] for name in (one, other)], seed=7, options=options)
        assert outcome.faults == (None, None), (one, other)


@pytest.mark.parametrize("ruleset", ["smash_the_code", "smash_the_code_contest"])
def test_a_search_beats_chance_in_smash_the_code(ruleset: str, commands: dict[str, str]) -> None:
    for seats in (("smasher", "scatter"), ("scatter", "smasher")):
        options = {"ruleset": ruleset}
        outcome, records = recorded("puyo", [commands[f"puyo/{name}"] for name in seats], seed=4, options=options)
        assert outcome.ranks[seats.index("smasher")] == 1
        _, again = recorded("puyo", [commands[f"puyo/{name}"] for name in seats], seed=4, options=options)
        assert again[-1]["hash"] == records[-1]["hash"]


def test_a_rating_is_declared_for_one_ruleset_and_one_table_size() -> None:
    bot = Description(
        "a", "kakomimasu", "python", "", 1500.0, ("present", "2020"), (2, 3), ("turns",), {"2020-3": 1400.0}
    )
    assert bot.rating("present", [2]) == 1500
    assert bot.rating("2020", [3]) == 1400
    assert [bot.rating("present", [2, 3]), bot.rating("2020", [2]), bot.rating("present", [2], ["turns"])] == [None] * 3
    assert bot.plays("2020", 3, ["turns"])
    assert not bot.plays("2020", 4)
    assert not bot.plays("2020", 3, ["agents"])
    assert bot.plays_openly


def test_bots_of_other_rulesets_stay_out_of_the_open_contest() -> None:
    assert {bot.name for bot in descriptions_of("puyo") if not bot.plays_openly} == {"scatter", "smasher"}
    assert {bot.description.name for bot in housebots_for("puyo", ruleset="smash_the_code")} == {"scatter", "smasher"}
    assert "smasher" not in {bot.description.name for bot in housebots_for("puyo")}
    assert len(housebots_for("back_to_the_code", sizes=[2, 3, 4])) == len(housebots_of("back_to_the_code"))
    assert housebots_for("back_to_the_code", options=["width"]) == []


@pytest.mark.parametrize("line", ['rulesets = ["fever"]', "players = [5]", "options = 3", "declared_rating = 'x'"])
def test_a_description_of_what_the_game_has_not_is_refused(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "bots" / "odd"
    folder.mkdir(parents=True)
    (folder / "bot.toml").write_text(f'name = "odd"\ngame = "puyo"\nlanguage = "python"\ntext = ""\n{line}\n')
    monkeypatch.setattr("games.housebots.folder_of", lambda game: tmp_path)
    with pytest.raises(ValueError, match=r"odd/bot\.toml"):
        housebots_of("puyo")
    (folder / "bot.toml").write_text('name = "odd"\ngame = "puyo"\nlanguage = "python"\ntext = ""\n')
    with pytest.raises(ValueError, match="needs a declared_rating"):
        housebots_of("puyo")


@pytest.mark.parametrize("game", OWN)
def test_the_page_of_variants_tells_which_house_bot_plays_what(game: str) -> None:
    """The table of a game is what its bots' descriptions say: copy the expected one into the page after a change."""
    setups = [setup for setup in registered() if setup.game.name == game]
    names = sorted(path.parent.name for path in FOLDER.glob(f"{game}/bots/*/bot.toml"))
    heads = [f"`{setup.ruleset}`, {setup.players}" for setup in setups]
    rows = [[f"`{name}`", *("yes" if name in able(setup) else "-" for setup in setups)] for name in names]
    lines = [["bot", *heads], ["---"] * (1 + len(heads)), *rows]
    assert "\n".join(f"| {' | '.join(cells)} |" for cells in lines) in PAGE.read_text()
