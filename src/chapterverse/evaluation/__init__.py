"""Measuring search and verdicts: variants, calibration, a school's own texts."""
