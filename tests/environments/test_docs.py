"""The examples in docs/play/environments.md work as described, and its table is that of the games."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from environments.matches import Matches
from games.registry import game_named, game_names

TEXT = (Path(__file__).parents[2] / "docs/play/environments.md").read_text()


def test_the_examples_hold() -> None:
    examples = "\n".join(re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, "docs/play/environments.md", None, 0)
    report: list[str] = []
    result = doctest.DocTestRunner().run(test, out=report.append)
    assert result.attempted > 10
    assert result.failed == 0, "".join(report)


def test_the_table_has_the_shapes_of_the_games() -> None:
    table = TEXT.split("| game | players |")[1].split("\n\n")[0]
    names = {game_named(name).title: name for name in game_names()}
    for title, players, *told in re.findall(r"^\| (.+) \| (\d) \| (.+) \| (.+) \|$", table, re.MULTILINE):
        matches = Matches(names[title], int(players), None)
        agents = f"{matches.agents[0]} agents of " if matches.agents else ""
        seen = " x ".join(map(str, matches.observation_space()["observation"].shape or ()))
        assert told == [seen, f"{agents}{matches.width}"], title
