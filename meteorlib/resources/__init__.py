"""Language data: catalog, installation, and the code that opens it."""
