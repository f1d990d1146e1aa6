"""Draws what growth.py measured: rows as JSON on standard input, the file to draw as argument. Runs where matplotlib is."""

import json
import sys

import matplotlib as mpl
from matplotlib import pyplot as plt

BLUE, ORANGE = "#1f5a99", "#c26a12"


def main(target: str) -> None:
    rows = json.load(sys.stdin)
    mpl.rcParams |= {"svg.hashsalt": "growth", "svg.fonttype": "none", "font.family": "sans-serif"}
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    books = [row["books"] for row in rows]
    left.plot([row["sentences"] for row in rows], [row["ingest_cpu_s"] for row in rows], "o-", color=BLUE)
    left.set(title="Adding books", xlabel="sentences", ylabel="CPU seconds in all", xlim=0, ylim=0)
    for key, name, color in (("essay_cpu_ms", "an essay", BLUE), ("all_but_embedding_cpu_ms", "all but embedding it", ORANGE)):
        low, middle, high = zip(*(row[key] for row in rows), strict=True)
        right.plot(books, middle, "o-", color=color, label=name)
        right.fill_between(books, low, high, color=color, alpha=0.15, linewidth=0)
    right.set(title="An essay (median, lowest to highest)", xlabel="books", ylabel="CPU milliseconds", xlim=0, ylim=0)
    right.legend(frameon=False)
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(target, metadata={"Date": None})


if __name__ == "__main__":
    main(sys.argv[1])
