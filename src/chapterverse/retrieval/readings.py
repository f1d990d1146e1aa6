"""The two readings of S2's similarity: what its text says, and what its program computes."""


def inverse_distance(cosine: float) -> float:
    """1 / (1 + d²), d the Euclidean distance of two unit vectors: S2's "Implementation", where FAISS gives d² for its "L2".

    In [0.2, 1]. With d² = 2 - 2 × cosine, its 0.70 is cosine 0.786 and its 0.50 cosine 0.5
    (docs/adr/0036-cosine-is-the-similarity.md)."""
    return 1 / (3 - 2 * cosine)
