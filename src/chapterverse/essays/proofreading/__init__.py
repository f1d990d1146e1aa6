"""Corrections of spelling and grammar without a language model: those that are sure, and nothing else."""

from chapterverse.essays.proofreading.proofreader import Proofread, load_checkers, proofread
from chapterverse.essays.proofreading.rules import Correction

__all__ = ["Correction", "Proofread", "load_checkers", "proofread"]
