# Completion of sparseflow in bash: source this file.
# Made by sparseflow --help-format bash.
_sparseflow() {
  local word=${COMP_WORDS[COMP_CWORD]} words= files=no
  local previous=${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    words="compile run doctor tune extract model compress profile rotate pack unpack inspect cache -h --help --version"
  else
    case ${COMP_WORDS[1]} in
      compile)
        case $previous in
          --target) words="sm_80 sm_86 sm_89 sm_90 sm_90a sm_100 sm_120 native cpu"; files=no ;;
          --gpu) words=""; files=yes ;;
          --emit) words="mlir sftile nvvm llvm ptx cubin fatbin bundle manifest obj header tensorrt obj,header"; files=no ;;
          -o|--output) words=""; files=yes ;;
          --report) words=""; files=yes ;;
          --dim) words=""; files=yes ;;
          --sparse) words=""; files=yes ;;
          --donate) words=""; files=yes ;;
          --weights) words=""; files=yes ;;
          --activations) words="f16 i8"; files=no ;;
          --dense-fallback) words="none weights rebuild"; files=no ;;
          --schedule-file) words=""; files=yes ;;
          --calibration) words=""; files=yes ;;
          --ptxas) words=""; files=yes ;;
          --ptxas-timeout) words=""; files=yes ;;
          *) words="-h --help --target --gpu --emit -o --output --report --explain --explain-program --dim --line-info --sparse --donate --weights --activations --dense-fallback --schedule-file --calibration --ptxas --ptxas-timeout --allow-slow-code --remarks"; files=yes ;;
        esac ;;
      run)
        case $previous in
          --entry) words=""; files=yes ;;
          --mode-policy) words=""; files=yes ;;
          --arg) words=""; files=yes ;;
          --dim) words=""; files=yes ;;
          --seed) words=""; files=yes ;;
          --repeat) words=""; files=yes ;;
          --time) words=""; files=yes ;;
          --threads) words=""; files=yes ;;
          --json) words=""; files=yes ;;
          -o|--output|--save-result) words=""; files=yes ;;
          --device) words="auto cpu cuda sim"; files=no ;;
          --sparse) words=""; files=yes ;;
          --donate) words=""; files=yes ;;
          --weights) words=""; files=yes ;;
          --activations) words="f16 i8"; files=no ;;
          --dense-fallback) words="none weights rebuild"; files=no ;;
          --schedule-file) words=""; files=yes ;;
          --calibration) words=""; files=yes ;;
          --ptxas) words=""; files=yes ;;
          --ptxas-timeout) words=""; files=yes ;;
          --target) words="sm_80 sm_86 sm_89 sm_90 sm_90a sm_100 sm_120"; files=no ;;
          --variant) words=""; files=yes ;;
          --time-limit) words=""; files=yes ;;
          --schedule-seed) words=""; files=yes ;;
          --kernels) words=""; files=yes ;;
          *) words="-h --help --entry --mode-policy --arg --dim --seed --check --repeat --time --graph --threads --json -o --output --save-result --device --sparse --donate --weights --activations --dense-fallback --schedule-file --calibration --ptxas --ptxas-timeout --allow-slow-code --remarks --target --races --wavefronts --early-copies --unaligned --variant --unoptimized --registers --time-limit --schedule-seed --kernels"; files=yes ;;
        esac ;;
      doctor)
        case $previous in
          --ptxas) words=""; files=yes ;;
          --json) words=""; files=yes ;;
          *) words="-h --help --ptxas --json --dispatch --clear"; files=yes ;;
        esac ;;
      tune)
        case $previous in
          --compile-only) words=""; files=yes ;;
          --fit) words=""; files=yes ;;
          --from) words=""; files=yes ;;
          -o|--output) words=""; files=yes ;;
          --target) words="sm_80 sm_86 sm_89 sm_90 sm_90a sm_100 sm_120"; files=no ;;
          --shapes) words=""; files=yes ;;
          --weights) words=""; files=yes ;;
          --types) words=""; files=yes ;;
          --candidates) words=""; files=yes ;;
          --space) words=""; files=yes ;;
          --schedule-file) words=""; files=yes ;;
          --ptxas) words=""; files=yes ;;
          *) words="-h --help --compile-only --calibrate --fit --from --left-out -o --output --target --shapes --weights --types --candidates --space --schedule-file --ptxas"; files=yes ;;
        esac ;;
      extract)
        case $previous in
          -o|--output) words=""; files=yes ;;
          --weights) words=""; files=yes ;;
          *) words="-h --help -o --output --weights"; files=yes ;;
        esac ;;
      model)
        case $previous in
          *) words="-h --help"; files=yes ;;
        esac ;;
      compress)
        case $previous in
          --include) words=""; files=yes ;;
          --exclude) words=""; files=yes ;;
          --layers) words="all attention ffn"; files=no ;;
          --plan) words=""; files=yes ;;
          --format) words=""; files=yes ;;
          --method) words="magnitude wanda sparsegpt gptq refit"; files=no ;;
          --scale) words=""; files=yes ;;
          --sweeps) words=""; files=yes ;;
          --moments) words=""; files=yes ;;
          --targets) words=""; files=yes ;;
          --damping) words=""; files=yes ;;
          --report) words=""; files=yes ;;
          --resume) words=""; files=yes ;;
          -o|--output) words=""; files=yes ;;
          --threads) words=""; files=yes ;;
          *) words="-h --help --include --exclude --layers --plan --format --method --scale --sweeps --moments --targets --damping --report --resume -o --output --threads"; files=yes ;;
        esac ;;
      profile)
        case $previous in
          --include) words=""; files=yes ;;
          --exclude) words=""; files=yes ;;
          --json) words=""; files=yes ;;
          --html) words=""; files=yes ;;
          --threads) words=""; files=yes ;;
          *) words="-h --help --include --exclude --map --json --html --threads"; files=yes ;;
        esac ;;
      rotate)
        case $previous in
          --seed) words=""; files=yes ;;
          --head-size) words=""; files=yes ;;
          -o|--output) words=""; files=yes ;;
          --threads) words=""; files=yes ;;
          *) words="-h --help --seed --head-size -o --output --threads"; files=yes ;;
        esac ;;
      pack)
        case $previous in
          --include) words=""; files=yes ;;
          --exclude) words=""; files=yes ;;
          --transpose) words=""; files=yes ;;
          --format) words="2:4 ternary ternary24 int4 int8"; files=no ;;
          --dtype) words="f16 bf16"; files=no ;;
          -o|--output) words=""; files=yes ;;
          --method) words="absmean twn lloyd"; files=no ;;
          --threshold) words=""; files=yes ;;
          --scale) words="tensor row 32 64 128 256"; files=no ;;
          --scale-type) words="f16 bf16 f32"; files=no ;;
          --planes) words=""; files=yes ;;
          --layout) words=""; files=yes ;;
          --calibration) words=""; files=yes ;;
          --max-error) words=""; files=yes ;;
          --report) words=""; files=yes ;;
          --import) words="bitnet"; files=no ;;
          --linear-class) words="bitlinear autobitlinear"; files=no ;;
          --q2-block) words="64 128"; files=no ;;
          --threads) words=""; files=yes ;;
          *) words="-h --help --include --exclude --transpose --format --dtype -o --output --prune --no-prune --allow-nonfinite --method --threshold --scale --scale-type --planes --layout --calibration --max-error --report --import --linear-class --q2-block --threads"; files=yes ;;
        esac ;;
      unpack)
        case $previous in
          -o|--output) words=""; files=yes ;;
          --threads) words=""; files=yes ;;
          *) words="-h --help -o --output --threads"; files=yes ;;
        esac ;;
      inspect)
        case $previous in
          --threads) words=""; files=yes ;;
          *) words="-h --help --verify --threads"; files=yes ;;
        esac ;;
      cache)
        case $previous in
          --heads) words=""; files=yes ;;
          --key-heads) words=""; files=yes ;;
          --features) words=""; files=yes ;;
          --value-features) words=""; files=yes ;;
          --layers) words=""; files=yes ;;
          --batch) words=""; files=yes ;;
          --queries) words=""; files=yes ;;
          --positions) words=""; files=yes ;;
          --scale) words="head token 32 64 128 256"; files=no ;;
          --scale-type) words="f16 bf16 f32"; files=no ;;
          --policy) words=""; files=yes ;;
          *) words="-h --help --heads --key-heads --features --value-features --layers --batch --queries --positions --scale --scale-type --policy --json"; files=yes ;;
        esac ;;
    esac
  fi
  if [[ $files == yes && $word != -* ]]; then
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
    compopt -o filenames 2>/dev/null
  else
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  fi
}
complete -F _sparseflow sparseflow
