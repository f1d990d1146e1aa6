"""One file per real thing: a library's language inside, ours outside."""
