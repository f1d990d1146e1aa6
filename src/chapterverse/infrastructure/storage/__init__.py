"""Buckets and uploads."""
