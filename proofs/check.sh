#!/usr/bin/env bash
# Compiles the proofs in a temporary directory and prints the assumptions of every theorem.
# Fails if a proof does not compile, or if a theorem has any assumption.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")"

modules=(Certificate Examples)  # in the order of their imports

fail() {
  printf 'check.sh: %s\n' "$1" >&2
  exit 1
}

command -v coqc >/dev/null ||
  fail 'coqc not found; install Coq 8.16 (Debian and Ubuntu: package coq), then run again'

forbidden='Admitted|admit|give_up|Abort|Axioms?|Parameters?|Conjectures?|bypass_check'
if grep -nwE "$forbidden|(Unset|Set) +[A-Z][A-Za-z]* +Checking" -- *.v; then
  fail 'the lines above leave a proof open or assume a statement'
fi

build=$(mktemp -d)
trap 'rm -rf -- "$build"' EXIT
cp -- "${modules[@]/%/.v}" "$build"
cd -- "$build"

for module in "${modules[@]}"; do
  coqc -q -Q . Anser "$module.v" || fail "$module.v does not compile"
done

pattern='^ *(Theorem|Lemma|Corollary|Example) +([A-Za-z0-9_]+).*'
mapfile -t names < <(sed -nE "s/$pattern/\2/p" "${modules[@]/%/.v}")
((${#names[@]} > 0)) || fail 'no theorem found'
{
  printf 'From Anser Require Import %s.\n' "${modules[*]}"
  printf 'Print Assumptions %s.\n' "${names[@]}"
} >assumptions.v
coqc -q -Q . Anser assumptions.v >assumptions.txt || fail 'Print Assumptions failed'

# Print Assumptions writes one line for a theorem without assumptions, and more lines otherwise.
if grep -vx 'Closed under the global context' assumptions.txt; then
  fail 'a theorem rests on the assumptions above'
fi
(($(wc -l <assumptions.txt) == ${#names[@]})) || fail 'a theorem was not examined'
paste -d: <(printf '%s\n' "${names[@]}") <(sed 's/^/ /' assumptions.txt)
