"""Plain English of our own, as much of it as a book needs: the same seed tells the same story.

"·" marks where a word may be broken at a line's end; `plain` takes the marks out."""

from random import Random

WHO = [
    "the har·bour mas·ter", "an old car·pen·ter", "her young·er broth·er", "the bak·er", "every vis·it·or",
    "the town coun·cil", "a trav·el·ler from the north", "the school·teach·er", "his neigh·bour", "the doc·tor",
    "one of the fish·er·men", "no·body", "the keep·er of the light", "the or·gan·ist", "my grand·moth·er", "the judge",
    "a boy with a lan·tern", "the gar·den·er",
]  # fmt: skip
DID = [
    "opened the win·dow", "counted the boats", "wrote a long let·ter", "mended the gar·den wall", "spoke of the win·ter",
    "walked to the mar·ket", "lit the lamp", "for·got the an·swer", "read the news·pa·per aloud",
    "car·ried wa·ter to the hors·es", "remembered the old song", "bought four yards of lin·en", "asked for noth·ing",
    "trust·ed the weath·er", "kept the ac·counts", "learned the names of the stars", "stood at the cor·ner",
    "found the key un·der a stone", "fol·lowed the riv·er",
]  # fmt: skip
WHEN = [
    "be·fore break·fast", "in the ear·ly morn·ing", "with·out a word", "on the way home", "af·ter the ser·vice",
    "all sum·mer", "dur·ing the storm", "at the end of the lane", "with great pa·tience", "as usu·al", "un·til the bell rang",
    "for many years",
]  # fmt: skip
LINKS = [", and", ", but", ", while", "; later", ", although", ", so that"]


def plain(text: str) -> str:
    """The text as its author wrote it."""
    return text.replace("·", "")


class Author:
    """Tells sentences without end; each stands only once in a book, as far as chance has it."""

    def __init__(self, seed: int = 0) -> None:
        self.random = Random(seed)

    def clause(self) -> str:
        return " ".join(self.random.choice(words) for words in (WHO, DID, WHEN))

    def sentence(self) -> str:
        """Of one to three clauses, 6 to 40 words."""
        text = self.clause()
        for _ in range(self.random.choice([0, 0, 1, 1, 2])):
            text += f"{self.random.choice(LINKS)} {self.clause()}"
        return f"{text[0].upper()}{text[1:]}."

    def sentences(self, count: int) -> list[str]:
        return [self.sentence() for _ in range(count)]

    def paragraph(self, sentences: int | None = None) -> str:
        """Of as many sentences, 2 to 6 if that is not said."""
        return " ".join(self.sentences(sentences or self.random.randint(2, 6)))
