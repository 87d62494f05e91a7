"""Is a new bot better than an old one? Plays pairs of matches, seats swapped on equal seeds, until it is known.

Two tests run side by side: is NEW better by 20 Elo points rather than equal, is it worse by 20 rather than equal; each
errs in at most 5 of 100 cases. The exit status is 0 if NEW is better, else 1.

NEW and OLD play alone. Where the ladder's tables have more seats, let a league tell, too.
"""

from __future__ import annotations

import argparse
from itertools import count, islice, takewhile

from tqdm import tqdm

from banzuke.arguments import game_name, options_chosen
from banzuke.bots import bot_ready, with_distinct_names
from banzuke.commands.options import add_matches
from banzuke.faults import faults_text
from banzuke.isolation import sandbox_opened
from banzuke.pool import Setting, matches_played, pairings_left, results_known, stoppable
from banzuke.results import Key, Result, ResultLog, result_log_opened
from banzuke.text import UserError, say
from core.arguments import positive
from games.registry import game_named, game_names
from rating.paired import GAMES_MAX, PairedVerdict, State, pair_score, verdict

NEW, OLD = 0, 1
SEATS = ((NEW, OLD), (OLD, NEW))
"""The two matches of a pair."""
SENTENCES = {
    State.BETTER: "{new} is better than {old}",
    State.WORSE: "{new} is worse than {old}",
    State.NO_DIFFERENCE: "No difference between {new} and {old} was found",
    State.RUNNING: "It is not known yet whether {new} is better than {old}",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``sprt``."""
    parser.add_argument("game", type=game_name, choices=game_names())
    parser.add_argument("new")
    parser.add_argument("old")
    parser.add_argument("--games-max", type=_games, default=GAMES_MAX, help="end after these (default: %(default)s)")
    add_matches(parser)


def _games(text: str) -> int:
    number = positive(text)
    if number < len(SEATS):
        raise argparse.ArgumentTypeError(f"matches are played in pairs: it must be at least {len(SEATS)}")
    return number


def run(arguments: argparse.Namespace) -> int:
    """Play until the test ends, and print its verdict."""
    options = options_chosen(arguments, game_named(arguments.game), len(SEATS))
    with sandbox_opened(arguments.sandbox) as backend:
        bots = with_distinct_names(
            bot_ready(word, game=arguments.game, backend=backend) for word in (arguments.new, arguments.old)
        )
    if bots[NEW].digest == bots[OLD].digest:
        raise UserError("Both are the same program: there is nothing to test.")
    setting = Setting(arguments.game, options, bots, arguments.sandbox)
    with result_log_opened(arguments.log) as log:
        try:
            stopped = _play(setting, log, arguments)
        except (KeyboardInterrupt, UserError):  # a second Ctrl-C, or no more can be played
            if log.results:
                _print_verdict(log, setting, arguments)
            raise
        found = _print_verdict(log, setting, arguments)
    return 130 if stopped else int(found.state != State.BETTER)


def _print_verdict(log: ResultLog, setting: Setting, arguments: argparse.Namespace) -> PairedVerdict:
    """Print the verdict and the faults, and return the verdict."""
    found, done = _verdict_so_far(log, setting, arguments)
    sentence = SENTENCES[found.state].format(new=setting.bots[NEW].name, old=setting.bots[OLD].name)
    if found.pairs:
        spread = f"{found.elo:+.0f} Elo, 95 % between {found.elo_low:+.0f} and {found.elo_high:+.0f}"
        pairs = " ".join(map(str, found.counts))
        sentence += f": {spread}, after {found.games} matches. Pairs by points 0 to 1: {pairs}."
    else:
        sentence += ": no pair of matches has ended."
    say(f"{sentence}\n{faults_text(setting, list(done.values()))}".rstrip())
    return found


def _play(setting: Setting, log: ResultLog, arguments: argparse.Namespace) -> bool:
    """Play until the test ends; return whether the user ended it."""
    found, done = _verdict_so_far(log, setting, arguments)
    bar = tqdm(desc="sprt", total=arguments.games_max, initial=found.games, unit=" games", disable=None)
    with stoppable() as stop, bar:
        pairings = pairings_left(setting, seeds=count(arguments.first_seed), seatings=SEATS, done=set(done))
        if found.state == State.RUNNING:
            for result in matches_played(
                setting, lambda most: islice(pairings, most), parallel=arguments.parallel, stop=stop
            ):
                log.add(result)
                found, _ = _verdict_so_far(log, setting, arguments)
                bar.set_postfix_str(f"{found.elo:+.0f} Elo, LLR {found.llr_better:+.2f} {found.llr_worse:+.2f}")
                bar.update()
                if found.state != State.RUNNING:
                    break
        return stop.asked


def _verdict_so_far(
    log: ResultLog, setting: Setting, arguments: argparse.Namespace
) -> tuple[PairedVerdict, dict[Key, Result]]:
    """Return the verdict of the complete pairs in the order of their seeds, up to a gap, and all results by key."""
    new, old = (bot.digest for bot in setting.bots)
    done = {result.key: result for result in results_known(setting, log)}
    pairs = ([done.get((seed, (new, old))), done.get((seed, (old, new)))] for seed in count(arguments.first_seed))
    scores = [
        pair_score(first.ranks, second.ranks[::-1]) for first, second in takewhile(all, pairs) if first and second
    ]
    return verdict(scores, games_max=arguments.games_max), done
