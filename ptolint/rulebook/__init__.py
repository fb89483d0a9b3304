"""Rules as data: the predicate language, the rule files, and what they say about a call."""
