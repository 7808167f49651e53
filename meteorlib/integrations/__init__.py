"""Drop-ins and adapters for other packages: a short file each, imported only when asked for."""
