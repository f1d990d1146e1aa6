"""What form a language model's comment may have: the kinds of advice, our own words for each, and signs of what is no advice.

A comment is a question about the text, an instruction for it, or a remark on it, in a language of the text or in English. It
speaks not of itself, offers no words to copy in, and says nothing of what only the student knows."""

import re
from collections.abc import Collection
from enum import StrEnum

from chapterverse.core.words import word_set

OURS = "en"  # the language of our own comments


class Advice(StrEnum):
    """What a comment is for; of a closed list."""

    QUESTION = "question"
    REASON = "reason"
    EXAMPLE = "example"
    DETAIL = "detail"
    EXPLANATION = "explanation"
    SOURCE = "source"
    OTHER_SIDE = "other_side"
    LINK = "link"
    ORDER = "order"
    WORDING = "wording"
    EVIDENCE = "evidence"
    STRENGTH = "strength"


OWN_WORDS = {
    Advice.REASON: "Why is this so? You could give a reason for it in a sentence of your own.",
    Advice.EXAMPLE: "Have you seen or read about something that shows this? You could add it as an example.",
    Advice.DETAIL: "What would your reader want to know about this? You could say more about who, where or when.",
    Advice.EXPLANATION: "What do you mean by this? You could explain it in a sentence of your own.",
    Advice.SOURCE: "How do you know this? You could say where you read, heard or saw it.",
    Advice.OTHER_SIDE: "What would somebody say who does not agree with you here? You could name it, and then answer it.",
    Advice.LINK: "How does this go together with what stands before it? You could say it in a few words.",
    Advice.ORDER: "Is this the best place for this? You could read your text with it in another place.",
    Advice.WORDING: "Does this say exactly what you mean? You could read it aloud and try other words.",
}
"""What is shown where a comment's own words may not be: true of any sentence, as it only asks. None for what would claim
something, as praise does."""


def has_form(kind: Advice | None, text: str, *, cites: bool, about: bool) -> bool:
    """Whether a comment of that kind may have this text. cites: evidence; about: it names words of the essay."""
    asks = text.rstrip().endswith("?")
    match kind:
        case Advice.QUESTION | Advice.OTHER_SIDE:
            return "?" in text
        case Advice.STRENGTH:
            return not asks
        case Advice.EVIDENCE:
            return cites
        case Advice.WORDING:
            return about
        case _:
            return True


# The commonest words of each language that the model of comments has learned from.
LANGUAGES = {
    "en": word_set("""
    the of and to a in is that it was for on are as with his they at be this have from or had by but what some we can out
    other were all there when up use your how an each she which do their if will way about then them would could
    should not you why who does more than my me i here its so no too only very well good also into one say put give
    add
    """),
    "de": word_set("""
    der die das und ist nicht ein eine einen einem einer dem den des zu von mit auf für im in es sich auch als an du dein
    deine deinen dir wie was warum wer wenn so aber oder noch nur kann könnte hier sie er wir ich hat sind bei nach
    aus dass dann mehr sehr wird würde gut
    """),
    "fr": word_set("""
    le la les de des du un une et est que qui dans pour pas ne se ce cette sur avec tu ton ta tes te il elle on en au aux
    plus par mais ou où comme quoi pourquoi comment ici bien très sont je nous être l d c s j n qu as es fait
    """),
    "es": word_set("""
    el la los las de del un una y es que en no se por con para su tu tus te al lo como más pero o si qué cómo por quién
    dónde muy aquí este esta eso ser son está ha has me le bien mejor
    """),
    "it": word_set("""
    il lo la i gli le di del della dei un una e è che in non si per con su tuo tua tuoi ti al come più ma o se chi cosa
    perché dove molto qui questo questa sono ha hai anche una l d c bene
    """),
    "pt": word_set("""
    o a os as de do da dos das um uma e é que em no na não se por com para seu sua teu tua ao como mais mas ou quem onde
    muito aqui este esta isso são está tens tu te bem melhor
    """),
    "nl": word_set("""
    de het een en is niet van in op te dat die voor met je jij jouw zijn er aan als ook maar of hoe wat waarom wie waar
    hier dit deze nog kun kan zou wel dan meer goed uit bij ik
    """),
    "pl": word_set("""
    i w z na nie się to jest że do o jak co ale czy po za od dla ten ta twój twoja twoje ci cię tu tak już przez gdzie kto
    dlaczego jeśli być są był tego tej tym bardzo dobrze może a bo
    """),
    "tr": word_set("""
    bir ve bu da de için ile ne o çok ama gibi daha sen senin sana seni mi mı mu mü var yok neden nasıl kim nerede olarak
    olan en şu ki ya veya burada iyi değil her sonra önce
    """),
    "ru": word_set("""
    и в не на что с по это как а то все он она но из за у от к о так же бы ты твой твоя твоё твои тебя тебе здесь почему
    где кто когда если для или уже только ещё есть был были его их до очень хорошо
    """),
    "uk": word_set("""
    і й в у не на що з по це як а то все він вона але із за від до о так же б би ти твій твоя твоє твої тебе тобі тут чому
    де хто коли якщо для або вже тільки ще є був були його їх дуже добре та
    """),
    "ar": word_set("""
    في من على أن إن لا ما هل هذا هذه ذلك التي الذي عن مع كل كان قد إلى أو ثم كيف لماذا أين هو هي أنت لك لم لن بعد قبل عند
    بين هنا لأن إذا يا
    """),
}
FEW, MANY = 3, 6  # words of a sentence from which on its language is asked for, and from which on it must be recognised
DOUBT = 1  # common words by which another language may lead: some are words of both
COPIED = 4  # words after a colon that may be meant to be copied
_WORD = re.compile(r"[^\W\d_]+")


def language_of(text: str) -> str:
    """The language with most of its common words in the text, the first of equals; empty if there is none."""
    counts = _common_words(text)
    best = max(counts, key=counts.__getitem__)
    return best if counts[best] else ""


def _common_words(text: str) -> dict[str, int]:
    words = _WORD.findall(text.lower())
    return {name: sum(word in its for word in words) for name, its in LANGUAGES.items()}


def is_in_one_of(sentence: str, languages: Collection[str]) -> bool:
    """Whether the sentence is in one of the languages, as far as its common words tell; True for a few words."""
    number = len(_WORD.findall(sentence))
    if number < FEW:
        return True
    counts = _common_words(sentence)
    mine = max((counts.get(name, 0) for name in languages), default=0)
    other = max(count for name, count in counts.items() if name not in languages) if len(languages) < len(counts) else 0
    recognised = mine > 0 or number < MANY or (not other and any(name != OURS for name in languages))
    return recognised and mine + DOUBT >= other


_OF_ITSELF = re.compile(r"\b(?:I(?:['’](?:m|ve|d|ll))?|me|my|mine|myself)\b")
_READING = re.compile(
    r"\bI (?:would (?:like to know|cut|put|move|leave|expect)|wonder|like (?:that|how|the)|can (?:see|follow)|see|notice)\b"
)
_ATTITUDE = re.compile(
    r"\s*(?:you|your (?:essay|paragraph|text))\s+(?:also |really |still )?"
    r"(?:want|agree|disagree|praise|demand|refuse|reject|forget|forgot|hate|love|deny"
    r"|chang(?:e|ed) (?:your|its) (?:mind|opinion)|wish|support|oppose|prefer|regret)s?\b",
    re.IGNORECASE,
)
_OFFERS = re.compile(
    r"\b(?:write|begin|start|end|ending|finish|clos(?:e|ing)|paste|copy|continue|try|take|insert|line|title|opening|words|wording"
    r"|version|conclusion|motto|suggest|suggestion|put|go on|finished|replace|swap|offer|introduction|instead|better)\b",
    re.IGNORECASE,
)
_AFTER = re.compile(r"\s*(?:[:–—]| - )\s*")


_ADVISES = re.compile(
    r"\s*(?:(?:please|now|then|here|also|first|perhaps|maybe|for example),? )?"
    r"(?:you (?:could|might|may|can|should)\b|(?:add|say|explain|name|give|show|tell|ask|compare|use|put|move|start|begin|end"
    r"|link|connect|describe|define|look|think|consider|try|check|quote|cite|mention|answer|state|prove|choose|keep|make|replace"
    r"|split|join|find|separate|shorten|repeat|strengthen|support|balance|introduce|develop|bring|let|decide|draw)\b)",
    re.IGNORECASE,
)


def advises(sentence: str) -> bool:
    """Whether the sentence has the form of known advice: it asks, or says in English what to do with the text."""
    return sentence.rstrip().endswith("?") or bool(_ADVISES.match(sentence))


def speaks_of_itself(sentence: str) -> bool:
    """Whether an English sentence has a first person that does more than read."""
    return language_of(sentence) == OURS and bool(_OF_ITSELF.search(_READING.sub(" ", sentence)))


def ascribes_an_attitude(sentence: str) -> bool:
    """Whether an English statement says what the student wants, likes or refuses, which only the student knows."""
    return bool(_ATTITUDE.match(sentence)) and not sentence.rstrip().endswith("?")


def offers_words(sentence: str, you: Collection[str]) -> bool:
    """Whether an English sentence seems to give words to copy in after a colon or a dash: they speak to nobody (you: words that
    do), ask nothing and are no quotation, which has a sign here."""
    parts = _AFTER.split(sentence, maxsplit=1)
    if len(parts) < 2 or "“q" in parts[1] or parts[1].rstrip().endswith("?"):
        return False
    words = _WORD.findall(parts[1].lower())
    return len(words) >= COPIED and not set(words) & set(you) and bool(_OFFERS.search(parts[0]))
