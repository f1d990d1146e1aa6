"""The help desk (S5): conversations answered from an institute's sources, and handed on to an agent where those say nothing."""
