"""Files as people have them: text, tables, SGML, XML; each a reader that gives rows."""
