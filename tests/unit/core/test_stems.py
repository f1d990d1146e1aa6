"""Stems are the same whoever else is stemming."""

from concurrent.futures import ThreadPoolExecutor

from chapterverse.core.words import stem


def test_threads_may_stem_at_once() -> None:
    words = [
        f"{letters}{end}" for letters in ("nation", "care", "hope", "rat") for end in ("alizations", "fulness", "ing", "s")
    ]
    many = [f"{word[:-1]}{n}{word[-1]}" for n in range(300) for word in words]  # each only once: stems are remembered

    with ThreadPoolExecutor(8) as pool:
        at_once = list(pool.map(stem, many))

    stem.cache_clear()
    assert at_once == [stem(word) for word in many]
