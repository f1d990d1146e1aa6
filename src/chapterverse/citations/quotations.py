"""Quotations in a text, whatever its marks."""

import re
from collections.abc import Iterator

_QUOTED = re.compile(
    r"“(?P<curly>[^”“]*)(?:[”“]|$)|„(?P<low>[^“”]*)(?:[“”]|$)|(?<!\w)»(?P<inward>[^«»]*)(?:[«»]|$)|«(?P<angled>[^»]*)(?:»|$)"
    r"|\"(?P<straight>[^\"]*)(?:\"|$)|[‟″〝＂](?P<prime>[^‟″”〞＂\"]*)(?:[‟″”〞＂\"]|$)|‹(?P<thin>[^›]*)(?:›|$)|›(?P<outward>[^‹]*)(?:‹|$)"
    r"|[「『《〈⟪⟨﴾﴿❝〔【](?P<corner>[^」』》〉⟫⟩﴾﴿❞〕】]*)(?:[」』》〉⟫⟩﴾﴿❞〕】]|$)|(?<!\w)[‚‘‛](?P<single>.+?)[’‘](?!\w)"
    r"|(?<!\w)['′](?P<plain>.+?)['′](?!\w)|`+(?P<ticks>[^`]+)(?:`+|$)|(?<![\w*])\*+(?P<stars>[^*\s][^*]*)\*+|(?<!\w)_+(?P<italics>[^_]+)_+(?!\w)"
    r"|^\s*>(?P<block>.+)$",
    re.MULTILINE | re.DOTALL,
)


def quoted_spans(text: str) -> Iterator[tuple[tuple[int, int], str]]:
    """The span of each quotation with its marks, and what is quoted."""
    return ((found.span(), found[found.lastgroup or 0]) for found in _QUOTED.finditer(text))


PLACE = re.compile(r"\b(pages?|chapters?|p\.|ch\.)\s*#?(?P<label>\d+|[ivxlc]+)\b", re.IGNORECASE)
