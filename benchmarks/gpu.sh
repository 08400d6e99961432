#!/usr/bin/env bash
# Everything that a GPU box has to show, most telling first, within a time budget; from a checkout, kernelbot installed.
#
#   benchmarks/gpu.sh OUT [DEVICES] [SECONDS]      benchmarks/gpu.sh out cuda:0,cuda:1 1500
#
# Leaves one log and one JSON file for each step in the folder OUT, and the tails of the logs on the terminal. With
# several devices the first one takes the steps that measure the judge itself, and the others the long tables.
set -uo pipefail
out=${1:?folder for the results} devices=${2:-cuda:0} ends=$(( $(date +%s) + ${3:-1500} ))
first=${devices%%,*} others=${devices#*,}
packs=$(python3 -c "import problem_packs; print(next(iter(problem_packs.__path__)))")
mkdir -p "$out"

step() { # name, most seconds, command: what does not fit any more is named
    local name=$1 most=$2 left=$(( ends - $(date +%s) )); shift 2
    if [ "$left" -lt 20 ]; then echo "== $name: no time left"; return; fi
    [ "$most" -gt "$left" ] && most=$left
    local began; began=$(date +%s)
    timeout "$most" "$@" > "$out/$name.log" 2>&1
    echo "== $name: exit $?, $(( $(date +%s) - began )) s"; tail -n 5 "$out/$name.log" | cut -c1-200
}

itself() {
    step late 90 python3 benchmarks/late.py --device "$first" --out "$out/late.json"
    step clock 60 python3 benchmarks/clock.py --device "$first" --out "$out/clock.json"
    step selftest 150 kernelbot selftest --device "$first" --sessions 4
    step sweep-late 200 python3 benchmarks/adversarial.py --device "$first" --no-cheats --sweep --form late \
        --budget 180 --out "$out/sweep-late.json"
    step sweep-lie 150 python3 benchmarks/adversarial.py --device "$first" --no-cheats --sweep --form lie \
        --budget 130 --out "$out/sweep-lie.json"
    step spread-matmul 90 python3 benchmarks/spread.py matmul "$packs/matmul/samples/right/torch_matmul.py" \
        --device "$first" --dtype bf16 --size medium --out "$out/spread-matmul.json"
    step spread-softmax 90 python3 benchmarks/spread.py softmax "$packs/softmax/samples/right/torch_softmax.py" \
        --device "$first" --size narrow --size square --mode ranked --out "$out/spread-softmax.json"
    step tests 600 python3 -m pytest -q -m gpu tests/gpu
}

tables() {
    step cheats 420 python3 benchmarks/adversarial.py --device "$others" --once --mode benchmark --budget 400 \
        --out "$out/cheats.json"
    step zoo 420 python3 benchmarks/adversarial.py --device "$others" --no-cheats --zoo --budget 400 \
        --out "$out/zoo.json"
    step acceptance 420 python3 benchmarks/acceptance.py --device "$others" --jobs 4 --budget 400 --only right/ \
        --timed "torch_(add|matmul|softmax)|triton|cuda_(add|softmax|tiled)" --out "$out/acceptance.json"
    step agreement 200 python3 benchmarks/agreement.py --device "${others%%,*}" --out "$out/agreement.json"
}

if [ "$first" = "$others" ]; then
    itself; tables
else
    itself > "$out/itself.txt" 2>&1 & tables > "$out/tables.txt" 2>&1 & wait
    cat "$out/itself.txt" "$out/tables.txt"
fi
