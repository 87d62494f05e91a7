"""A client of the API of Kakomimasu that makes the calls of the project's published clients, in their order.

It joins, asks for the game until its start is known, sleeps until then, asks once and takes the response for the first
turn. In each turn it sends its actions once, sleeps until the next turn begins by its own clock, and asks until a
response is 200. It sends ``Bearer undefined`` if it has no token, as clients in JavaScript do.
"""

from __future__ import annotations

import time
from typing import Any

import requests

_AGAIN_SECONDS = 0.1
_TIMEOUT_SECONDS = 15


class KakomimasuClient:
    """A program that plays one game."""

    def __init__(self, host: str, *, token: str = "", **wanted: Any) -> None:
        self.host = host.removesuffix("/")
        self._bearer = {"Authorization": f"Bearer {token or 'undefined'}"}
        self._wanted = wanted
        self.place: dict[str, Any] = {}
        """The response to joining."""
        self.game: dict[str, Any] = {}
        """The game as it was told last."""
        self.turns: list[int] = []
        """The turn of each response in the game."""
        self.sent: list[tuple[int, int]] = []
        """For each sending of actions the turn and the HTTP status."""

    def join(self, at: str) -> None:
        """Join ``ai``, ``free`` or a game by its id."""
        answer = self._ask("POST", f"/v1/matches/{at}/players", json=self._wanted, headers=self._bearer)
        assert answer.status_code == 200, answer.text
        self.place = answer.json()

    def play(self, *, turns: int | None = None) -> None:
        """Play to the end, or so many turns."""
        while True:
            self.game = self._told()
            time.sleep(_AGAIN_SECONDS)
            if self.game["startedAtUnixTime"] is not None:
                break
        self._sleep_until(self.game["startedAtUnixTime"])
        self.game = self._told()
        while self.game["status"] == "gaming" and len(self.turns) != turns:
            self.turns.append(self.game["turn"])
            self._act()
            seconds = self.game["operationSec"] + self.game["transitionSec"]
            self._sleep_until(self.game["startedAtUnixTime"] + seconds * self.game["turn"])
            while (answer := self._ask("GET", self._path)).status_code != 200:
                time.sleep(_AGAIN_SECONDS)
            self.game = answer.json()

    @property
    def _path(self) -> str:
        return f"/v1/matches/{self.place['gameId']}"

    def _told(self) -> dict[str, Any]:
        answer = self._ask("GET", self._path)
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.json()
        return told

    def _act(self) -> None:
        """Put agents on the richest cells, and move the others to the right."""
        field, agents = self.game["field"], self.game["players"][self.place["index"]]["agents"]
        rich = sorted(range(len(field["points"])), key=lambda cell: -field["points"][cell])
        actions = []
        for number, agent in enumerate(agents):
            y, x = divmod(rich[number], field["width"])
            told = {"type": "PUT", "x": x, "y": y}
            if agent["x"] != -1:
                told = {"type": "MOVE", "x": agent["x"] + 1, "y": agent["y"]}
            actions.append({"agentId": number, **told})
        answer = self._ask(
            "PATCH", f"{self._path}/actions", json={"actions": actions}, headers={"Authorization": self.place["pic"]}
        )
        self.sent.append((self.game["turn"], answer.status_code))

    def _ask(self, method: str, path: str, **options: Any) -> requests.Response:
        return requests.request(method, f"{self.host}{path}", timeout=_TIMEOUT_SECONDS, **options)

    @staticmethod
    def _sleep_until(unix: float) -> None:
        time.sleep(max(0.0, unix - time.time()))
