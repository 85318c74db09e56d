"""Layers of real models, which the sweep times: cases, weights and their page."""
