"""The embedder's HTTP app: batches of books to index, texts to embed, and how it fares."""
