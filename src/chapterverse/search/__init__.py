"""One function over a RetrievalPlan: the sentences that bear on queries, best first."""
