"""What is Chroma's own: its rules for names."""

import re

from hypothesis import given
from hypothesis import strategies as st

from chapterverse.core.hits import Granularity, Partition
from chapterverse.infrastructure.vectors.chroma import collection_name


@given(st.text(), st.text(), st.text())
def test_every_partition_has_a_name_that_chroma_takes(school: str, model: str, version: str) -> None:
    name = collection_name(Partition(school, Granularity.SENTENCE, model), version)

    assert re.fullmatch(r"[a-z0-9][a-z0-9-]{1,510}[a-z0-9]", name)


def test_partitions_that_look_alike_have_different_names() -> None:
    pairs = [("a", "b/c"), ("a", "b-c"), ("a-b", "c"), ("A", "b-c")]

    assert len({collection_name(Partition(school, Granularity.SENTENCE, model), "v1") for school, model in pairs}) == len(pairs)


def test_the_same_partition_has_the_same_name_next_year() -> None:
    partition = Partition("local", Granularity.SENTENCE, "all-MiniLM-L6-v2")

    assert collection_name(partition, "1f9c22ab01d3e4f5") == "local-sentence-all-minilm-l6-v2-1f9c22ab01d3e4f5-dc784943"
