"""Task queues."""
