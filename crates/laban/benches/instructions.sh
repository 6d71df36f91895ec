#!/usr/bin/env bash
# Counts instructions: of each phase on large inputs, of whole extractions, and of the corpus if CORPUS names its folder.
# Needs valgrind. Instruction counts hold still on a busy machine; times do not.
set -euo pipefail
cd "$(dirname "$0")/../../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cargo build --release --quiet
cargo build --release --quiet --package laban --example large
cargo build --release --quiet --package laban --bench phases
laban=target/release/laban
large=target/release/examples/large
phases=$(ls -t target/release/deps/phases-* | grep -v '\.d$' | head -1)

# The instructions that a command takes.
count() {
    valgrind --tool=callgrind --callgrind-out-file="$scratch/profile" "$@" 2>"$scratch/log" >/dev/null || true
    awk '/Collected/ { print $4 }' "$scratch/log"
}

# The instructions that one function takes with all that it calls, after a `count`.
inside() {
    callgrind_annotate --inclusive=yes --threshold=100 "$scratch/profile" 2>/dev/null |
        awk -v name="$1" 'index($0, name) { gsub(",", "", $1); if ($1 + 0 > most) most = $1 + 0 } END { print most + 0 }'
}

if [ -n "${CORPUS:-}" ]; then
    echo "batch --jobs 1 over $(cat "$CORPUS"/*.networks.tsv | wc -l) lines: $(count "$laban" batch --jobs 1 --quiet "$CORPUS"/*.networks.tsv)"
    echo
fi

echo "Instructions per action, phase by phase:"
printf '%-14s %9s %8s %8s %9s %8s %8s\n' shape size parse lower minimise pretty compact
for shape in actions conditionals offers processes procedures; do
    sizes="1000 10000 100000"
    [ $shape = actions ] && sizes="10000 100000 1000000"
    for size in $sizes; do
        count "$phases" $shape $size >/dev/null
        printf '%-14s %9d' $shape $size
        for phase in parse lower minimise pretty compact; do printf ' %8d' $(($(inside phases::phase_$phase) / size)); done
        echo
    done
done

echo
echo "Instructions per action, laban extract --jobs 1 on communications:"
printf '%9s %9s %12s\n' actions processes per-action
for line in "1000 6" "10000 6" "100000 6" "1000000 6" "100000 10" "100000 100" "100000 1000" "100000 10000"; do
    read -r actions processes <<<"$line"
    "$large" communications "$actions" "$processes" >"$scratch/large.net"
    printf '%9d %9d %12d\n' "$actions" "$processes" $(($(count "$laban" extract --jobs 1 "$scratch/large.net") / actions))
done

echo
echo "Nodes of deciders that meet at a barrier, once and round after round:"
for deciders in 8 16 32 64; do
    printf '%4d' $deciders
    for shape in deciders rounds; do
        "$large" $shape $deciders >"$scratch/large.net"
        printf ' %8s' "$("$laban" extract --format json "$scratch/large.net" | sed 's/.*"nodes":\([0-9]*\).*/\1/')"
    done
    echo
done

echo
echo "Races, laban extract --jobs 1: nodes and instructions:"
printf '%-9s %8s %8s %9s %14s\n' shape clients workers nodes instructions
for line in "server 1" "server 16" "server 64" "server 256" "requests 1" "requests 16" "requests 64" "requests 256" \
    "balancer 2 2" "balancer 4 2" "balancer 8 2" "balancer 16 2" "balancer 4 4" "balancer 6 4"; do
    read -r shape clients workers <<<"$line"
    "$large" "$shape" "$clients" "${workers:-1}" >"$scratch/large.net"
    nodes=$("$laban" extract --format json "$scratch/large.net" | sed 's/.*"nodes":\([0-9]*\).*/\1/')
    printf '%-9s %8d %8s %9d %14d\n' "$shape" "$clients" "${workers:-}" "$nodes" "$(count "$laban" extract --jobs 1 "$scratch/large.net")"
done
