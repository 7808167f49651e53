"""Reports that compare several systems: one module per format."""
