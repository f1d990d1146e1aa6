"""Corrections of spelling and grammar without a language model: those that are sure, and nothing else."""

from chapterverse.essays.proofreading.model import Correction, Proofread
from chapterverse.essays.proofreading.proofreader import Proofreading, proofread

__all__ = ["Correction", "Proofread", "Proofreading", "proofread"]
