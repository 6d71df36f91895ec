#!/usr/bin/env bash
# Prints how much memory extractions take at most. Needs GNU time.
set -euo pipefail
cd "$(dirname "$0")/../../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cargo build --release --quiet --package laban-cli
cargo build --release --quiet --package laban --example large
laban=target/release/laban
large=target/release/examples/large

printf '%-16s %9s %9s %12s\n' shape size processes 'peak, kB'
for line in "communications 1000 6" "communications 10000 6" "communications 100000 6" "communications 1000000 6" \
    "communications 100000 10" "communications 100000 100" "communications 100000 1000" "communications 100000 10000" \
    "hub 1000" "hub 10000" "hub 100000" "hub-loop 1000" "hub-loop 10000" "hub-loop 100000" "ring 1000" "ring 10000" \
    "ring 100000" "secretive 16" "secretive 18" "secretive 20" "secretive 22"; do
    read -r shape size processes <<<"$line"
    "$large" "$shape" "$size" "${processes:-2}" >"$scratch/large.net"
    /usr/bin/env time -f %M -o "$scratch/peak" "$laban" extract --jobs 1 "$scratch/large.net" >/dev/null
    printf '%-16s %9d %9s %12d\n' "$shape" "$size" "${processes:-}" "$(cat "$scratch/peak")"
done
