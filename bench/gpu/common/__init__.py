"""What every benchmark on GPUs uses: machine, tree, files, tables and plots."""
