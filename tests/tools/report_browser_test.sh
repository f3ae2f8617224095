#!/usr/bin/env bash
# report_browser_test.sh INVAR SPEC...: runs specs, opens the report of each in a browser without a screen, light and dark, wide
# and narrow, and ends with 1 where the browser has something to complain of or draws nothing; with 77 where there is none.
set -euo pipefail
invar=$1
shift
browser=$(command -v chromium || command -v google-chrome || true)
if [ -z "$browser" ]; then
  echo "skipped: there is no chromium"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
status=0
for spec in "$@"; do
  name=$(basename "$spec" .yaml)
  "$invar" run "$spec" --out "$folder/$name" -q >/dev/null
  "$invar" report "$folder/$name" >/dev/null
  for scheme in 0 1; do
    for size in 1200,3000 390,3000; do
      picture=$folder/$name-$scheme-$size.png
      # --host-resolver-rules: whoever asks for a name on the network gets an error, which is logged.
      "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --enable-logging=stderr --log-level=0 \
        --host-resolver-rules='MAP * ~NOTFOUND' --user-data-dir="$folder/profile" \
        --blink-settings=preferredColorScheme=$scheme --window-size="$size" \
        --screenshot="$picture" "file://$folder/$name/report.html" 2>"$folder/log" >/dev/null
      if grep -E 'CONSOLE' "$folder/log"; then status=1; fi
      bytes=$(stat -c %s "$picture")
      echo "$name, scheme $scheme, $size: report $(stat -c %s "$folder/$name/report.html") bytes, picture $bytes bytes"
      [ "$bytes" -gt 20000 ] || { echo "the page is blank"; status=1; }
    done
  done
done
exit $status
