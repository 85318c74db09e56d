# Completion of sparseflow-exec in bash: source this file.
# Made by sparseflow-exec --help-format bash.
_sparseflow_exec() {
  local word=${COMP_WORDS[COMP_CWORD]} words= files=no
  local previous=${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  case $previous in
    --entry) words=""; files=yes ;;
    --mode-policy) words=""; files=yes ;;
    --device) words=""; files=yes ;;
    --arg) words=""; files=yes ;;
    --dim) words=""; files=yes ;;
    --seed) words=""; files=yes ;;
    --repeat) words=""; files=yes ;;
    --time) words=""; files=yes ;;
    --tune-dispatch) words=""; files=yes ;;
    --json) words=""; files=yes ;;
    -o|--output|--save-result) words=""; files=yes ;;
    --threads) words=""; files=yes ;;
    --target) words=""; files=yes ;;
    --tune) words=""; files=yes ;;
    --budget) words=""; files=yes ;;
    *) words="-h --help --version --entry --mode-policy --device --arg --dim --seed --check --quarantine --repeat --graph --time --tune-dispatch --json -o --output --save-result --threads --quiet --dry-run --target --tune --budget --fresh"; files=yes ;;
  esac
  if [[ $files == yes && $word != -* ]]; then
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
    compopt -o filenames 2>/dev/null
  else
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  fi
}
complete -F _sparseflow_exec sparseflow-exec
