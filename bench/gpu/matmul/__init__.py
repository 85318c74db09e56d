"""Matmuls beside libraries: cases, compiling, running, comparing and their pages."""
