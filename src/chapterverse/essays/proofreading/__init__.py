"""Corrections of spelling and grammar without a language model: those that are sure, and nothing else."""

from chapterverse.essays.proofreading.model import Correction, Proofread
from chapterverse.essays.proofreading.proofreader import load_checkers, proofread

__all__ = ["Correction", "Proofread", "load_checkers", "proofread"]
