"""Input of users: formats, their readers, tables of columns with roles, the join of rows, judgments; checks of each."""
