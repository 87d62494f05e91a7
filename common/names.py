"""Keys by which names are compared: equal for names that people take for the same one.

Columns of the database hold these keys. A change of the functions here needs a migration that computes the columns
again.
"""

from __future__ import annotations

import unicodedata
from typing import Any

from django.db import models

KEY_LENGTH_MAX = 120
"""Longest ``name_key`` of a name of 40 characters: case folding makes up to three characters of one."""
LOOK_LENGTH_MAX = 160
"""Longest ``name_look`` of a name of 40 characters: decomposition makes up to four characters of one."""

_LOOKS = (
    ("АВЕЅІЈКМНОРСТУХӀԚԜаеѕіјорсухһӏԁԛԝ", "ABESIJKMHOPCTYXIQWaesijopcyxhldqw"),  # Cyrillic
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγινορυ", "ABEZHIKMNOPTYXayivopu"),  # Greek
    ("ՕՏՍօոսհ", "OSUonuh"),  # Armenian
    ("ᎠᎡᎢᎥᎪᎫᎬᎳᎷᎻᎽᏀᏃᏏᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏴ", "DRTiAJEWMHYGZbRWSVSLCPKdB"),  # Cherokee
    ("ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ", "BPDTGKJCZFNLSRVHWXYAEIOU"),  # Lisu
    ("ⲀⲂⲎⲒⲔⲘⲚⲞⲢⲤⲦⲨⲬⲟⲣⲥ", "ABHIKMNOPCTYXopc"),  # Coptic
    ("へ一二八力卜口囗夕工", "ヘーニハカトロロタエ"),  # a hiragana and kanji like katakana
    ("ıɑɡ", "iag"),
)
"""Letters, and those that replace them because most fonts draw both alike (from confusables.txt of UTS 39)."""
_LOOK = str.maketrans(
    {letter: like for letters, likes in _LOOKS for letter, like in zip(letters, likes, strict=True)}
    | {"\ufe0f": None}  # a variation selector, which only chooses how an emoji is drawn
)
_STROKES = str.maketrans("I1|ǀ0", "llllO")


def name_key(name: str) -> str:
    """Return the key of a name: equal for names that differ only in case or in compatibility forms of letters.

    This is the compatibility caseless matching of the Unicode standard (3.13). The database cannot do it: SQLite folds
    the case of ASCII letters only, PostgreSQL that of its locale.
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def name_look(name: str) -> str:
    """Return the look of a name: equal for names that look alike although their letters differ.

    The attack: somebody names a bot like the first of the board, with a Cyrillic letter or an l for an I, so that
    people take one for the other. Two letters that look like one (rn and m) count as different.
    """
    return unicodedata.normalize("NFKD", name).translate(_LOOK).translate(_STROKES).casefold()


class NameKeyField(models.CharField):  # type: ignore[type-arg]  # it takes none when the site runs
    """A column that holds ``name_key`` of the row's ``name``, computed whenever the row is saved."""

    derive = staticmethod(name_key)
    length_max = KEY_LENGTH_MAX

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"max_length": self.length_max, "editable": False, "blank": True, **options})

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        """Compute the key, set it on the row, and return it."""
        key = self.derive(model_instance.name)  # type: ignore[attr-defined]  # the models that have this field have names
        setattr(model_instance, self.attname, key)
        return key


class NameLookField(NameKeyField):
    """A column that holds ``name_look`` of the row's ``name``, computed whenever the row is saved."""

    derive = staticmethod(name_look)
    length_max = LOOK_LENGTH_MAX
