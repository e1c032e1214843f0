# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# One session with the database $DB; the same answers whatever it is.
set -e
history() { "$HISTORY" "$@" --db "$DB"; }
history add one.json two.json --branch main --revision r1
history add three.json --branch 'feature/"x"' --revision r2
history list --format csv
history show 'bench_a[n=10]' --columns peak --format csv
history show 'bench_a[n=20]' --columns peak,time --branch main --stat mean --format csv
history show big --columns allocated --format csv
history compare three.json --branch main --columns peak --format csv -q
status=0; history compare three.json --branch main --fail-on peak:10% -q >/dev/null 2>&1 || status=$?
echo "gate $status"
