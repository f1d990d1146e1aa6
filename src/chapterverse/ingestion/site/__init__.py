"""A folder of Markdown and HTML pages, as Docusaurus and mkdocs read it → a Book of addressed sentences. All of it is pure."""
