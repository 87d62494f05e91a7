"""Names of stages, rounds and tables, stages in whole sentences, and numbers as readers write them."""

from __future__ import annotations

import pytest
from django.utils import translation

from formats.model import Format, Stage, TieBreak
from tournaments.titles import group_title, part_title, round_title, stage_sentences, stage_title, table_title
from tournaments.words import FORMAT_TITLES, TIE_BREAK_WORDS, points_words

LANGUAGES = ("en", "ja", "ru")
ROBIN, SWISS, SINGLE, DOUBLE = Format

OF_FOUR = Stage(SINGLE, table_size=4)


@pytest.mark.parametrize(
    ("stage", "title"),
    [
        (Stage(SWISS, rounds=1), "Swiss, 1 round"),
        (Stage(SWISS, rounds=7), "Swiss, 7 rounds"),
        (Stage(ROBIN), "Round robin"),
        (Stage(ROBIN, groups=4), "Round robin, 4 groups"),
        (Stage(SINGLE), "Single elimination"),
        (Stage(DOUBLE), "Double elimination"),
    ],
)
def test_the_name_of_a_stage_says_what_is_special(stage: Stage, title: str) -> None:
    assert stage_title(stage) == title


@pytest.mark.parametrize(
    ("stage", "sentences"),
    [
        (Stage(ROBIN), ["Every bot meets every other one.", "A table plays matches on one seed, from every seat."]),
        (
            Stage(ROBIN, groups=2, cycles=3, goes_on=1),
            [
                "In each of 2 groups, every bot meets every other one.",
                "They meet 3 times.",
                "A table plays matches on one seed, from every seat.",
                "The first 1 goes on to the next stage.",
            ],
        ),
        (
            Stage(SWISS, rounds=5, table_size=4, best_of=2, goes_on=8),
            [
                "In each of 5 rounds, bots with about equal points meet, and no two of them meet twice.",
                "4 bots play at a table.",
                "A table plays 2 encounters: matches on one seed, from every seat.",
                "The first 8 go on to the next stage.",
            ],
        ),
        (
            Stage(SINGLE, best_of=3, third_place=True),
            [
                "The winner of a table goes on, the others are out.",
                "The losers of the semi-finals play for the third place.",
                "A table plays the best of 3 encounters: matches on one seed, from every seat.",
            ],
        ),
        (
            Stage(DOUBLE),
            ["Who has lost two tables is out.", "A table plays matches on one seed, from every seat."],
        ),
    ],
    ids=lambda value: value.format if isinstance(value, Stage) else "",
)
def test_a_stage_is_told_in_whole_sentences(stage: Stage, sentences: list[str]) -> None:
    assert stage_sentences(stage) == sentences


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("format_", Format)
def test_every_format_has_a_name_and_sentences_in_every_language(format_: Format, language: str) -> None:
    stage = Stage(format_, rounds=3, groups=2, goes_on=4)
    with translation.override(language):
        assert str(FORMAT_TITLES[format_])
        assert all(sentence and "%" not in sentence for sentence in stage_sentences(stage))
        assert "%" not in stage_title(stage)


@pytest.mark.parametrize(
    ("tables", "part", "first"),
    [
        (1, "Final", "Final"),
        (2, "Semi-finals", "Semi-final 1"),
        (4, "Quarter-finals", "Quarter-final 1"),
        (8, "Round of 16", "Round of 16, table 1"),
        (64, "Round of 128", "Round of 128, table 1"),
    ],
)
def test_rounds_of_a_knockout_are_named_by_how_many_are_left(tables: int, part: str, first: str) -> None:
    stage = Stage(SINGLE)
    assert part_title(stage=stage, group="", number=3, tables=tables) == part
    assert table_title(stage=stage, group="", number=3, tables=tables, index=1) == first


def test_larger_tables_have_no_semi_finals() -> None:
    assert part_title(stage=OF_FOUR, group="", number=1, tables=4) == "Round 1"
    assert table_title(stage=OF_FOUR, group="", number=2, tables=2, index=2) == "Round 2, table 2"
    assert table_title(stage=OF_FOUR, group="", number=3, tables=1, index=1) == "Final"


def test_the_match_for_the_third_place_has_a_name_of_its_own() -> None:
    stage = Stage(SINGLE, third_place=True)
    assert part_title(stage=stage, group="third", number=3, tables=1) == "Match for the third place"
    assert table_title(stage=stage, group="third", number=3, tables=1, index=1) == "Match for the third place"


@pytest.mark.parametrize(
    ("group", "number", "tables", "title"),
    [
        ("winners", 1, 8, "Winners' round 1"),
        ("winners", 2, 4, "Winners' round 2"),
        ("winners", 4, 2, "Winners' round 3"),
        ("winners", 6, 1, "Winners' final"),
        ("losers", 2, 4, "Losers' round 1"),
        ("losers", 3, 4, "Losers' round 2"),
        ("losers", 7, 1, "Losers' round 6"),
        ("final", 8, 1, "Final"),
        ("reset", 9, 1, "Second final"),
    ],
)
def test_the_two_sides_of_a_double_elimination_count_their_own_rounds(
    group: str, number: int, tables: int, title: str
) -> None:
    """The winners' bracket plays in round 1 and in all even ones, the losers' bracket from round 2 on."""
    stage = Stage(DOUBLE)
    assert part_title(stage=stage, group=group, number=number, tables=tables) == title
    named = table_title(stage=stage, group=group, number=number, tables=tables, index=1)
    assert named == (title if tables == 1 else f"{title}, table 1")


def test_other_formats_number_rounds_groups_and_tables() -> None:
    stage = Stage(ROBIN, groups=2)
    assert part_title(stage=stage, group="B", number=1, tables=2) == group_title("B") == "Group B"
    assert part_title(stage=Stage(SWISS, rounds=3), group="", number=2, tables=4) == round_title(2) == "Round 2"
    assert table_title(stage=stage, group="B", number=1, tables=2, index=2) == "Group B, table 2"
    assert table_title(stage=Stage(SWISS, rounds=3), group="", number=1, tables=4, index=3) == "Table 3"


@pytest.mark.parametrize(
    ("points", "words"),
    [(2.0, "2"), (1.5, "1.5"), (2 / 3, "0.67"), (0.0, "0"), (-1.5, "−1.5"), (12.0, "12"), (1.999, "2")],
)
def test_points_have_two_decimals_at_most_and_a_true_minus(points: float, words: str) -> None:
    assert points_words(points) == words


def test_points_have_the_decimal_sign_of_the_language() -> None:
    with translation.override("ru"):
        assert points_words(1.5) == "1,5"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_tie_break_has_words_and_the_signs_are_those_of_the_field(language: str) -> None:
    assert set(TIE_BREAK_WORDS) == set(TieBreak)
    signs = [words.short for words in TIE_BREAK_WORDS.values()]
    assert len(set(signs)) == len(signs)
    assert (TIE_BREAK_WORDS[TieBreak.BUCHHOLZ].short, TIE_BREAK_WORDS[TieBreak.SONNEBORN_BERGER].short) == ("BH", "SB")
    with translation.override(language):
        for words in TIE_BREAK_WORDS.values():
            assert str(words.title)
            assert str(words.sentence)[-1] in ".。"
