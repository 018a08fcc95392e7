#!/bin/bash
# usage: drive.sh HX CONFIG WORKSPACE OUT TMUX      TMUX: a socket for tmux to make
# Types into a real Helix in tmux, with the configuration of docs/editors.md, and reads its screen.
set -u
hx=$1 config=$2 workspace=$3 out=$4 socket=$5
here=$(cd "$(dirname "$0")" && pwd)
sample() { "$LEXLS_PYTHON" -c 'import json, sys
value = json.load(open(sys.argv[1]))
for key in sys.argv[2:]: value = value[int(key) if key.isdigit() else key]
print(value)' "$here/../sample.json" "$@"; }
t() { tmux -S "$socket" -f /dev/null "$@"; }
passed=0 failed=0
mkdir -p "$out"
# The screen as one line, as it breaks words over lines.
see() { # name words...
  local name=$1 word screen end=$((SECONDS + 40)); shift
  while [ $SECONDS -lt $end ]; do
    screen=$(t capture-pane -p | sed 's/│//g' | tr -s ' \n' ' ')
    for word; do [[ $screen == *"$word"* ]] || { sleep 0.2; continue 2; }; done
    passed=$((passed + 1)); echo "ok   $name"; t capture-pane -e -p > "$out/${name// /-}.ansi"; return
  done
  failed=$((failed + 1)); echo "FAIL $name"; t capture-pane -p
}
# A key that follows Escape at once is read as one with Alt.
go_to() { t send-keys Escape; sleep 0.5; t send-keys -l "/$(sed 's/[][().*]/\\&/g' <<<"$1")"; t send-keys Enter; }

t new-session -d -x 110 -y 36 -c "$workspace" env XDG_CONFIG_HOME="$config" "$hx" "$(sample draft)"
see 'the draft' "$(sample draft)" '●'
go_to "$(sample diagnostics 0 around)"
see 'a finding beside its line' "$(sample diagnostics 0 message)"
go_to "$(sample hover at)"
t send-keys Space k
see 'hover shows the authority' "$(sample hover shows 0)" "$(sample hover shows 1)"
t send-keys Escape
t send-keys g d
see 'the definition is the paragraph cited' "$(basename "$(sample definition file)")" "$(sample definition line | cut -c1-30)"
t send-keys C-o
go_to "$(sample completion after)"
t send-keys A C-x
see 'a citation is completed' "$(sample completion offers)"
t kill-server
echo "$passed passed, $failed failed"
[ $failed = 0 ]
