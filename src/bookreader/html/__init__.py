"""Folders of Markdown and HTML pages to addressed sentences."""
