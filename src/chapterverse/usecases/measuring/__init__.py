"""What is measured of the search on a school's own texts: asked for on a page, done in the background, kept to compare."""
