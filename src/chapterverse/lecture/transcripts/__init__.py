"""A transcript, however it was written down → segments: captions (.vtt, .srt, .sbv), JSON of a recognizer, or plain text."""

from chapterverse.lecture.transcripts.read import read_transcript

__all__ = ["read_transcript"]
