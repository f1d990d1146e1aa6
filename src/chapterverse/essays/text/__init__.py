"""Plain text, Markdown and files to an Essay."""
