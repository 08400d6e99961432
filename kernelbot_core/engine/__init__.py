"""From a source file to a place on the board: one verb per file. Rules live here, never in a front-end."""
