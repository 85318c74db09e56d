"""Programs in CUDA that time kernels beside those of libraries, and how they are built."""
