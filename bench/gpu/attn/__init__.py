"""Attention: programs, and compiling, checking and timing them."""
