# shellcheck shell=sh
# Verifies every program of a directory and prints how many there are.
count=0
for program in "$1"/*.mlir; do
  sparseflow-opt "$program" -o /dev/null || echo "refused: $program"
  count=$((count + 1))
done
echo "$count programs"
