"""What is said of an essay: comments on three dimensions, checked so that nothing in them is invented."""
