"""Conversations: what was said, and what the next question means after it."""
