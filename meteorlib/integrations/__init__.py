"""Drop-ins and adapters for other packages, imported only on demand."""
