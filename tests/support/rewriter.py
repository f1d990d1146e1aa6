"""What a language model that does as it is told says when it is asked for variants."""

import re

from tests.support.language_servers import Asked, Reply, says


def sentence_in(asked: Asked) -> str:
    """The sentence that variants are asked of."""
    [sentence] = re.findall(r"^\w+ sentence begins\n(.*)\n\w+ sentence ends$", asked.material, re.MULTILINE)
    return str(sentence)


def variants_of(sentence: str) -> dict[str, str]:
    """Of the sentence's words all, half and none, with others for the rest."""
    words = sentence.split()
    half = [word if place % 2 else f"blah{place}" for place, word in enumerate(words)]
    return {"level1": f"Indeed {sentence}", "level2": " ".join(half), "level3": " ".join(f"blah{n}" for n in range(len(words)))}


def rewrites(asked: Asked) -> Reply:
    """Variants as they should be."""
    return says(variants_of(sentence_in(asked)))
