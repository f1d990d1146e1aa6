"""Books into addressed sentences: pure steps, from the marks on a page to the sentence with its address."""
