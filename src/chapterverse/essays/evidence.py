"""Find the sentences of the school's books that are useful beside an essay, paragraph by paragraph (S1).

With a language model the search brings candidates for what each paragraph claims, the usefulness model chooses the best of
them, and the writer cites (writing/writer.py). Without one, the usefulness model and the trained reader choose, if the essay is
English. Both need books that are embedded with the model that they were fitted to; else similarity chooses.

The usefulness model says how likely a sentence is useful, from vectors that the search has: a logistic regression on their
cosines, on the sentence's length and on its vector, because what a sentence is about and how it is put says whether it is a
thought to take up or a mere detail. scripts/train/usefulness.py fits it to judged sentences, and writes assets/usefulness.

Queries are each paragraph and its key sentences (S1, "Query formulation"): those nearest to their paragraph by vectors, which
the search needs anyway (S1-12, S1-13), in one embed call. Quoted words are nobody's claim: they are neither searched for nor
judged. What a book is quoted with is evidence."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import zip_longest
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from chapterverse.citations.model import Evidence, Relation, number_evidence
from chapterverse.citations.verbatim import RUN, Quoted, Range, find_quotations, is_searched, marked_spans
from chapterverse.core.book import Book, BookId, SentenceId
from chapterverse.core.hits import Found, FoundBy, Passage, Query, QueryKind, Scope, Vectors
from chapterverse.core.ports import Embedder, Pair, Read
from chapterverse.core.turns import at_work, let_pass, pausing
from chapterverse.core.words import WORD, language_in, plain_words
from chapterverse.essays.model import Essay, EssayEvidence, Paragraph, ParagraphEvidence, overlaps
from chapterverse.essays.text import bounded_essay
from chapterverse.library.artefacts import contexts_of
from chapterverse.library.scope import OpenBook, look_in_open_books, passage, passages_of
from chapterverse.library.services import CollectionServices
from chapterverse.messages import ENGLISH, message
from chapterverse.search.engine import SearchResult, embedded, find, fuse, keep_diverse
from chapterverse.search.plan import ESSAY_FEEDBACK, EmbeddedQueries, RetrievalPlan, for_reading

FOLDER = Path(__file__).parents[1] / "assets" / "usefulness"
WEIGHTS, CARD = "weights.npz", "card.json"
FEATURES = (
    "cosine of the paragraph",
    "best cosine of its queries",
    "mean cosine of its queries",
    "cosine of the paragraph with the text around",
    "best cosine of its queries with the text around",
    "hubness",
    "words",
    "logarithm of words",
)
Numbers = NDArray[np.float64]
Candidate = tuple[Found, Passage]
LIKELIEST = 4  # candidates of a paragraph that the trained reader may reject
MAX_FOUND, MAX_CANDIDATES = 4, 12  # of a paragraph, and of an essay, that a language model sees
MAX_UNJUDGED = 3  # sentences of an essay that no language model has read
SAMPLE = 20  # sentences that tell the language of a book
MAX_QUOTATIONS = 20  # of an essay, shown as evidence
MIN_OWN = 4  # words of a sentence beside what it quotes; fewer only introduce it
_EMPTY_MARKS = re.compile(r"[“„«»‘\"]\s*[”“«»’\"]")
SHORTEST_NAME = 4  # letters of a book's title or author that an essay names
LATENESS = 0.05  # cosine that the last sentence of a paragraph loses to the first
MANY = 40  # candidates of a paragraph that the usefulness model ranks


@dataclass(frozen=True, slots=True)
class CandidateSignals:
    """n sentences. vectors, around: (n, d), of the sentence and of the text around it; hubness, words: (n,), the latter a count
    (library/artefacts.py)."""

    vectors: Vectors
    around: Vectors
    hubness: NDArray[np.float32]
    words: NDArray[np.int_]


def features(queries: Vectors, candidates: CandidateSignals) -> Numbers:
    """(n, len(FEATURES)). queries: (m, d), unit norm: the paragraph, then its key sentences."""
    near, near_around = queries @ candidates.vectors.T, queries @ candidates.around.T
    columns = (
        near[0],
        near.max(axis=0),
        near.mean(axis=0),
        near_around[0],
        near_around.max(axis=0),
        candidates.hubness,
        candidates.words,
        np.log1p(candidates.words),
    )
    return np.stack(columns, axis=1).astype(np.float64)


@dataclass(frozen=True)
class UsefulnessModel:
    """weights: (len(FEATURES),); prior: (d,), of the sentence's vector. model: the embedding model it was fitted to. threshold:
    the chance from which a sentence is shown, if `read` gives it a chance of at least `agreed`."""

    weights: Numbers
    prior: Numbers
    bias: float
    model: str
    threshold: float
    agreed: float
    read: Read | None = None

    def chances(self, queries: Vectors, candidates: CandidateSignals) -> Numbers:
        """The chance that each candidate is useful beside the paragraph, (n,). queries: as for `features`."""
        odds = features(queries, candidates) @ self.weights + candidates.vectors @ self.prior + self.bias
        return np.asarray(1 / (1 + np.exp(-odds)), np.float64)


@cache
def usefulness_model(read: Read | None = None) -> UsefulnessModel:
    """The fitted model. read: the trained reader's."""
    card = json.loads((FOLDER / CARD).read_text("utf-8"))
    with np.load(FOLDER / WEIGHTS, allow_pickle=False) as its:
        weights, prior, bias = (np.asarray(its[name], np.float64) for name in ("weights", "prior", "bias"))
    return UsefulnessModel(weights, prior, float(bias), card["model"], card["threshold"], card["agreed"], read)


def central(paragraph: Vectors, sentences: Vectors, limit: int) -> list[int]:
    """Indices of the `limit` sentences nearest to the paragraph, ascending; of equal ones the earlier wins (centroid
    summarisation, Radev et al. 2004). paragraph: (d,), sentences: (n, d), unit norm."""
    nearness = sentences @ paragraph - LATENESS * np.linspace(0, 1, len(sentences))
    return sorted(int(place) for place in np.argsort(-nearness, kind="stable")[:limit])


def texts_to_embed(essay: Essay) -> list[str]:
    """The texts of all paragraphs, then all candidates for key sentences, in the essay's order."""
    paragraphs = [paragraph.own_text or paragraph.text for paragraph in essay.paragraphs]
    return paragraphs + [sentence for paragraph in essay.paragraphs for sentence in key_candidates(paragraph)]


def key_candidates(paragraph: Paragraph) -> tuple[str, ...]:
    """The student's sentences that key sentences are chosen from: none where the only one is the paragraph itself."""
    return paragraph.own if len(paragraph.own) > 1 else ()


def build_queries(essay: Essay, vectors: Vectors, key_sentences: int) -> EmbeddedQueries:
    """The queries in the essay's order, each paragraph before its key sentences; none for a paragraph that is all copied.

    vectors: (n, d), unit norm, of texts_to_embed(essay). key_sentences: at most so many a paragraph."""
    queries: list[Query] = []
    rows: list[int] = []
    first = len(essay.paragraphs)
    for number, paragraph in enumerate(essay.paragraphs):
        last = first + len(key_candidates(paragraph))
        if not paragraph.own:
            continue
        keys = central(vectors[number], vectors[first:last], key_sentences)
        queries.append(Query(paragraph.own_text, QueryKind.PARAGRAPH, number))
        queries.extend(Query(paragraph.own[key], QueryKind.KEY_SENTENCE, number) for key in keys)
        rows.extend([number, *(first + key for key in keys)])
        first = last
    return EmbeddedQueries(tuple(queries), vectors[rows])


def queries_on(essay: Essay, plan: RetrievalPlan, embedder: Embedder) -> EmbeddedQueries:
    """The queries of the essay. Raises EmbedderUnavailable, ModelUnavailable."""
    key_sentences = min(plan.key_sentences, plan.queries // len(essay.paragraphs) - 1)
    return build_queries(essay, embedder.embed_queries(texts_to_embed(essay)), max(key_sentences, 0))


def find_evidence(
    essay: Essay,
    scope: Scope,
    services: CollectionServices,
    plan: RetrievalPlan = ESSAY_FEEDBACK,
    *,
    usefulness: UsefulnessModel | None = None,
) -> EssayEvidence:
    """The evidence for an essay without a language model: what it quotes, and for its own words at most MAX_UNJUDGED
    sentences, of the books that it quotes or names if there are any. usefulness: chooses these, for an English essay; where its
    embedding model serves, an essay in a language of no book gets none.

    Raises as find does."""
    let_pass()
    quoted = [alone(one) for one in quoted_evidence(essay, scope, services)]
    bounded, notes = bounded_essay(own_words(essay, quoted), plan.sentences)
    own = " ".join(paragraph.own_text for paragraph in bounded.paragraphs if paragraph.own)
    language = language_in(own)
    fitted = usefulness if usefulness and usefulness.model == services.embedder.model else None  # it knows English alone
    if not own or (fitted and language != ENGLISH and language not in _languages_in(scope, services)):
        why = (message("note_books_in_other_languages"),) if own and not scope.is_empty else ()
        return EssayEvidence(essay.title, by_paragraph(essay, quoted), tuple(quoted), why + notes)
    limit = min(len(essay.paragraphs), MAX_UNJUDGED)
    scope = _meant(essay, quoted, scope, services)

    def embed(services: CollectionServices) -> EmbeddedQueries:
        return queries_on(bounded, plan, services.embedder)

    if fitted and language == ENGLISH:
        found = find(embed, scope, for_reading(plan), services, partial(_useful, fitted, limit))
    else:
        found = find(embed, scope, replace(plan, limit=limit), services, by_similarity)
    known = {one.passage.sentence.id for one in quoted}
    every = [*quoted, *(one for one in found if one.passage.sentence.id not in known)]
    evidence = [replace(one, number=number) for number, one in enumerate(every, start=1)]
    return EssayEvidence(essay.title, by_paragraph(essay, evidence), tuple(evidence), notes)


def find_candidates(
    essay: Essay,
    quoted: Sequence[Evidence],
    claims: Mapping[int, Sequence[str]],
    library: tuple[Scope, CollectionServices],
    plan: RetrievalPlan,
    *,
    usefulness: UsefulnessModel | None = None,
) -> list[Evidence]:
    """The sentences that bear on the essay, at most MAX_CANDIDATES, best first, numbered after what is
    quoted in the order of the paragraphs that they were found for. claims: what to search for, by index of the paragraph,
    besides the paragraph itself; usefulness: says which are best.

    Raises as find does."""
    own, (scope, services) = own_words(essay, quoted), library
    queries = [
        Query(text, kind, at)
        for at, paragraph in enumerate(own.paragraphs)
        if paragraph.own
        for kind, texts in ((QueryKind.PARAGRAPH, [paragraph.own_text]), (QueryKind.CLAIM, claims.get(at, ())))
        for text in texts
        if text.strip()
    ]
    if not queries:
        return []
    spoken = {query: language_in(query.text) for query in queries}
    if len(set(spoken.values())) > 1:  # a German query would find the few German lines of an English book
        languages = _languages_in(scope, services)
        queries = [query for query, language in spoken.items() if language in languages] or queries

    def read(result: SearchResult) -> list[Evidence]:
        its, known = dict[int, list[Found]](), {one.passage.sentence.id for one in quoted}
        for at in sorted({query.paragraph for query in queries}):
            its[at] = [one for one in found_for(at, result) if one.record.id not in known][:MAX_FOUND]
            known.update(one.record.id for one in its[at])
        in_turn = [one for row in zip_longest(*its.values()) for one in row if one]
        if usefulness and usefulness.model == result.services.embedder.model:
            chances = {
                one.record.id: chance
                for at, some in its.items()
                for one, chance in zip(some, _chances(usefulness, at, some, result), strict=True)
            }
            in_turn.sort(key=lambda one: -chances[one.record.id])
        best = [one.record.id for one in in_turn[:MAX_CANDIDATES]]
        chosen = [one for some in its.values() for one in some if one.record.id in best]
        numbered = number_evidence(_in_passages(chosen, result), len(quoted) + 1)
        return sorted(numbered, key=lambda one: best.index(one.passage.sentence.id))

    return find(partial(embedded, queries), scope, for_reading(plan), services, read)


def find_meant(
    essay: Essay, quoted: Sequence[Evidence], library: tuple[Scope, CollectionServices], plan: RetrievalPlan
) -> list[Evidence]:
    """The sentence nearest to what a paragraph has in quotation marks and none of the books has: the one that may be meant. At
    most one for a paragraph, numbered after what is quoted. Raises as find does."""
    scope, services = library
    queries = [Query(text, QueryKind.QUOTATION, at) for at, text in not_found(essay, quoted)]
    known = {one.passage.sentence.id for one in quoted}

    def read(result: SearchResult) -> list[Evidence]:
        nearest = [one for at in sorted({query.paragraph for query in queries}) for one in found_for(at, result)[:1]]
        return number_evidence(_in_passages([one for one in nearest if one.record.id not in known], result), len(quoted) + 1)

    return find(partial(embedded, queries), scope, for_reading(plan), services, read) if queries else []


def by_similarity(result: SearchResult) -> list[Evidence]:
    """The best of what the search found, as evidence."""
    return number_evidence(_in_passages(result.best(), result))


def _meant(essay: Essay, quoted: Sequence[Evidence], scope: Scope, services: CollectionServices) -> Scope:
    """Only the books that the essay quotes in marks, or names: nothing of another helps it. The scope if there are none."""
    text = "\n".join([essay.title or "", *(paragraph.text for paragraph in essay.paragraphs)])
    known = {one.passage.sentence.address.version for one in quoted if one.quotation and one.quotation.marked}

    def named(book: OpenBook) -> bool:
        names = [book.title.partition(":")[0], *(author.partition(",")[0].split(" ")[-1] for author in book.authors)]
        return any(re.search(_pattern(name), text) for name in names if len(name) >= SHORTEST_NAME)

    def look(books: dict[str, OpenBook]) -> tuple[BookId, ...]:
        return tuple(book.key.book for version, book in books.items() if version in known or named(book))

    return replace(scope, books=look_in_open_books(look, scope, services) or scope.books)


def _pattern(name: str) -> str:
    """Of a name in a text: "the Prince" is "The Prince", and "nature" is not "Nature"."""
    return rf"\b(?i:{re.escape(name[0])}){re.escape(name[1:])}\b" if " " in name else rf"\b{re.escape(name)}\b"


def _languages_in(scope: Scope, services: CollectionServices) -> set[str]:
    """The languages of the scope's books. Raises NotFound."""

    def sample(book: OpenBook) -> str:
        words, text = services.fingerprint_of(book.key), services.text_of(book.key)
        rows = range(0, len(words.ids), -(-len(words.ids) // SAMPLE) or 1)
        return " ".join(text.sentence(words.id(row)).text for row in rows)

    return look_in_open_books(lambda books: {language_in(sample(book)) for book in books.values()}, scope, services)


def cited_evidence(essay: Essay, known: Sequence[Evidence], cited: Mapping[int, Relation | None]) -> EssayEvidence:
    """What the essay quotes and what comments cite. known: all of it; cited: what each sentence is to the student's point, by
    number; None where comments differ on it."""
    evidence = list[Evidence]()
    for one in known:
        if one.number in cited:
            relation = cited[one.number]  # without one, nothing else is said of it either
            evidence.append(replace(one, relation=relation, quotation=one.quotation if relation else None))
        elif one.quotation:
            evidence.append(alone(one))
    return EssayEvidence(essay.title, by_paragraph(essay, evidence), tuple(evidence))


def alone(quoted: Evidence) -> Evidence:
    """A sentence that the essay quotes without its neighbours, for nobody has looked at these for a student."""
    there = quoted.passage
    return replace(quoted, passage=replace(there, previous=None, next=None, paragraph=there.sentence.text))


def found_for(paragraph: int, result: SearchResult) -> list[Found]:
    """The hits of the paragraph's queries that reach plan.min_score, each once: the best of every query before the second of
    any."""
    plan, queries = result.plan, result.queries.queries
    own = [
        (query, [hit for hit in its[: plan.hits_per_query] if hit.score >= plan.min_score])
        for query, its in zip(queries, result.candidates, strict=True)
        if query.paragraph == paragraph
    ]
    fused = {one.record.id: one for one in fuse([query for query, _ in own], [its for _, its in own])}
    turns = (hit for row in zip_longest(*(its for _, its in own)) for hit in row if hit)
    return [fused[id] for id in dict.fromkeys(hit.record.id for hit in turns)]


def _useful(fitted: UsefulnessModel, limit: int, result: SearchResult) -> list[Evidence]:
    """The candidates that are likely useful: one a paragraph and `limit` in all at most, no two that say nearly the same,
    none of what stands before a book's first numbered chapter."""
    begins = cache(lambda version: _first_chapter(result.services.text_of(result.books[version].key).head))
    texts = {query.paragraph: query.text for query in result.queries.queries if query.kind is QueryKind.PARAGRAPH}

    def ranked(at: int) -> list[Candidate]:
        """The LIKELIEST candidates of the paragraph with this index whose chance reaches the threshold, likeliest first."""
        its = found_for(at, result)[:MANY]
        chances = _chances(fitted, at, its, result)
        likely = [its[place] for place in np.argsort(-chances, kind="stable") if chances[place] >= fitted.threshold]
        there = _in_passages(likely, result)
        return [one for one in there if one[1].sentence.address.chapter.index >= begins(one[0].record.version)][:LIKELIEST]

    by_paragraph = {at: ranked(at) for at in pausing(sorted(texts))}
    likely = [(texts[at], its[place]) for place in range(LIKELIEST) for at, its in by_paragraph.items() if place < len(its)]
    useful = _not_rejected(fitted, likely, result.plan.evidence_seconds)
    first = {one[0].found_by[0].query.paragraph: one for one in reversed(useful)}
    chosen = keep_diverse([first[at][0] for at in sorted(first)], result.plan.max_similarity)[:limit]
    passages = {found.record.id: passage for found, passage in useful}
    return number_evidence([(one, passages[one.record.id]) for one in chosen])


def _first_chapter(book: Book) -> int:
    """The index of the first numbered chapter; without more numbered ones than stand before it, that of any text."""
    numbered = [chapter.index for chapter in book.chapters if chapter.number]
    return numbered[0] if numbered and numbered[0] < len(numbered) else -1


def _not_rejected(fitted: UsefulnessModel, likely: Sequence[tuple[str, Candidate]], seconds: float) -> list[Candidate]:
    """The candidates that the trained reader finds useful beside their paragraph. What is not read within `seconds` is left
    out."""
    if not fitted.read:
        return [one for _, one in likely]
    let_pass()
    pairs = [
        Pair(text, there.sentence.text, *(each.text if each else "" for each in (there.previous, there.next)))
        for text, (_, there) in likely
    ]
    found = fitted.read(pairs, at_work() + seconds)
    return [one for (_, one), its in zip(likely, found, strict=True) if its and its.useful >= fitted.agreed]


def _chances(fitted: UsefulnessModel, at: int, its: Sequence[Found], result: SearchResult) -> Numbers:
    """The chance that each of the candidates is useful beside the paragraph with this index."""
    if not its:
        return np.zeros(0)
    keys = {version: result.books[version].key for version in {found.record.version for found in its}}
    contexts = {version: result.services.context_of(key) for version, key in keys.items()}
    texts = {version: result.services.text_of(key) for version, key in keys.items()}
    around, hubness = contexts_of([found.record for found in its], contexts)
    candidates = CandidateSignals(
        vectors=np.stack([found.vector for found in its]),
        around=around,
        hubness=hubness,
        words=np.array([len(texts[found.record.version].sentence(found.record.id).text.split()) for found in its]),
    )
    return fitted.chances(result.queries.vectors[[query.paragraph == at for query in result.queries.queries]], candidates)


def _in_passages(found: Sequence[Found], result: SearchResult) -> list[Candidate]:
    return list(zip(found, passages_of(found, result.books, result.services), strict=True))


def by_paragraph(essay: Essay, evidence: Sequence[Evidence]) -> tuple[ParagraphEvidence, ...]:
    """Each paragraph of the essay with the numbers of the evidence that its queries found."""
    return tuple(
        ParagraphEvidence(paragraph, tuple(one.number for one in evidence if is_in(one, position)))
        for position, paragraph in enumerate(essay.paragraphs)
    )


def quoted_evidence(essay: Essay, scope: Scope, services: CollectionServices) -> list[Evidence]:
    """The sentences of the scope's books that the essay quotes, in its order, at most MAX_QUOTATIONS. Raises as
    look_in_open_books does."""
    texts = [(each.text, each.quoted) for each in essay.paragraphs]

    def look(books: dict[str, OpenBook]) -> list[Evidence]:
        prints = {version: services.fingerprint_of(book.key) for version, book in books.items()}

        def text_of(version: str, sentence: SentenceId) -> str:
            return services.text_of(books[version].key).sentence(sentence).text

        found = [one for one in find_quotations(texts, prints, text_of) if not is_task(one)][:MAX_QUOTATIONS]
        return [evidence(number, one, books[one.version]) for number, one in enumerate(found, start=1)]

    def is_task(one: Quoted) -> bool:
        words = essay.paragraphs[one.text].text[one.quotation.start : one.quotation.end]
        return not one.quotation.marked and any(words in each for each in essay.paragraphs[one.text].copied)

    def evidence(number: int, one: Quoted, book: OpenBook) -> Evidence:
        words = essay.paragraphs[one.text].text[one.quotation.start : one.quotation.end]
        found_by = (FoundBy(Query(words, QueryKind.QUOTATION, one.text), 1.0),)
        return Evidence(number, passage(services.text_of(book.key), one.sentence, book), 1.0, found_by, quotation=one.quotation)

    return look_in_open_books(look, scope, services)


def not_found(essay: Essay, quoted: Sequence[Evidence]) -> list[tuple[int, str]]:
    """What the essay has in quotation marks and none of the books has, with the index of its paragraph, but for what is too
    short to be looked for. quoted: what they have."""
    if len(quoted) == MAX_QUOTATIONS:  # there may be more
        return []
    known = [_plain(one.passage.sentence.text) for one in quoted]  # of a sentence quoted twice in a text, only one is evidence
    return [
        (at, paragraph.text[start:end])
        for at, paragraph in enumerate(essay.paragraphs)
        for start, end in marked_spans(paragraph.text, paragraph.quoted)
        if is_searched(paragraph.text[start:end]) and not overlaps((start, end), _of_books(at, quoted))
        if not any(_plain(paragraph.text[start:end]) in sentence for sentence in known)
    ]


def _plain(text: str) -> str:
    return f" {' '.join(plain_words(text))} "


def own_words(essay: Essay, quoted: Sequence[Evidence]) -> Essay:
    """The essay without what it quotes: of the books, or RUN words or more of anybody else. A paragraph that is nothing
    else has no sentences."""
    paragraphs = list[Paragraph]()
    for at, each in enumerate(essay.paragraphs):
        marked = marked_spans(each.text, each.quoted)
        of_others = [span for span in marked if len(WORD.findall(each.text[slice(*span)])) >= RUN]
        spans = sorted({*_of_books(at, quoted), *of_others})
        left = tuple(_sentences_without(each, spans))
        paragraphs.append(replace(each, text=" ".join(left) or each.text, sentences=left) if spans else each)
    return replace(essay, paragraphs=tuple(paragraphs))


def _of_books(at: int, quoted: Sequence[Evidence]) -> list[Range]:
    return [(one.quotation.start, one.quotation.end) for one in quoted if one.quotation and is_in(one, at)]


def is_in(evidence: Evidence, paragraph: int) -> bool:
    """Whether a query of the paragraph with this index found the evidence."""
    return any(found_by.query.paragraph == paragraph for found_by in evidence.found_by)


def _sentences_without(paragraph: Paragraph, spans: Sequence[Range]) -> Iterator[str]:
    """The sentences without these characters, if at least MIN_OWN words of them are left."""
    for sentence, start, end in paragraph.placed:
        inside = [(max(first - start, 0), last - start) for first, last in spans if first < end and start < last]
        rest = sentence
        for first, last in reversed(inside):
            rest = rest[:first] + rest[last:]
        if not inside or sentence in paragraph.copied:
            yield sentence
        elif len(WORD.findall(rest)) >= MIN_OWN:
            yield " ".join(_EMPTY_MARKS.sub("", rest).split())
