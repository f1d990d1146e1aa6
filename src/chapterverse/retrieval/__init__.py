"""Queries in, ranked sentences out: one function over a plan."""
