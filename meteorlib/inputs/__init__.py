"""Input of users: formats, their readers, tables of columns with roles, the join of rows, judgments; checks of each.

Readers raise `InputMismatch` if a file is missing, files do not fit together, or it is not clear which column is meant;
`InvalidText` with file and row if a cell or a line is wrong; and `UnknownName` if there is no such column.
"""
