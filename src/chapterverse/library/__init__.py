"""A school's sources: upload, parse, chunk, embed, index, switch."""
