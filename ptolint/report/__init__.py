"""One renderer per output format; each knows findings and nothing of how they were found."""
