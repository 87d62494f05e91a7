"""When two names are the same to people, by their letters or by how they look.

The database keeps both: whoever changes what is alike here adds a migration that fills the columns anew.
"""

from __future__ import annotations

import unicodedata
from typing import Any

from django.db import models

KEY_LENGTH_MAX = 120
"""Of a name of 40 characters: without capitals one can become three."""
LOOK_LENGTH_MAX = 160
"""Of a name of 40 characters: without its marks one can become four."""

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
"""Letters that most fonts draw alike, and the one that stands for both (from confusables.txt of UTS 39)."""
_LOOK = str.maketrans(
    {sign: like for signs, likes in _LOOKS for sign, like in zip(signs, likes, strict=True)}
    | {"\ufe0f": None}  # only chooses how an emoji is drawn
)
_STROKES = str.maketrans("I1|ǀ0", "llllO")


def name_key(name: str) -> str:
    """Return what all names have in common that differ in capitals or in the form of their letters alone.

    Made here and not by the database: SQLite knows the capitals of the Latin alphabet only, PostgreSQL those of its
    locale. The folding of the Unicode standard (3.13, caseless matching in the compatibility form).
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def name_look(name: str) -> str:
    """Return what names have in common that look alike though their letters are others.

    The attack: somebody's bot is called like the first of the board, with a Cyrillic letter or an l for an I, and
    takes its fame or its blame. Short of two letters that look like one (rn, m), which few would take for another.
    """
    return unicodedata.normalize("NFKD", name).translate(_LOOK).translate(_STROKES).casefold()


class NameKeyField(models.CharField):  # type: ignore[type-arg]  # it takes none when the site runs
    """A column that always holds the key of the row's ``name``."""

    made = staticmethod(name_key)
    length_max = KEY_LENGTH_MAX

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"max_length": self.length_max, "editable": False, "blank": True, **options})

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        """Return the key to store."""
        key = self.made(model_instance.name)  # type: ignore[attr-defined]  # the models that have this field have names
        setattr(model_instance, self.attname, key)
        return key


class NameLookField(NameKeyField):
    """A column that always holds the look of the row's ``name``."""

    made = staticmethod(name_look)
    length_max = LOOK_LENGTH_MAX
