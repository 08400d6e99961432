#!/usr/bin/env bash
# Everything that a GPU box has to show, most telling first, within a time budget; from a checkout, kernelbot installed.
#
#   benchmarks/gpu.sh OUT [DEVICES] [SECONDS] [STEPS]      benchmarks/gpu.sh out cuda:0,cuda:1 1700 'late|selftest'
#
# Leaves one log and one JSON file for each step in the folder OUT, what it prints in OUT/steps.txt, and all of it in
# OUT.tgz. STEPS is a regular expression over their names; all when left out. With several devices the first one takes
# the steps that measure the judge itself, and the others the long tables.
set -uo pipefail
out=${1:?folder for the results} devices=${2:-cuda:0} ends=$(( $(date +%s) + ${3:-3000} ))
out=${out%/} wanted=${4:-.} first=${devices%%,*} others=${devices#*,}
second=${others%%,*}
packs=$(python3 -c "import problem_packs; print(next(iter(problem_packs.__path__)))") || exit
mkdir -p "$out" || exit

step() { # name, most seconds, command: what does not fit any more, or not to its end, is named
    local name=$1 most=$2 left=$(( ends - $(date +%s) )) began code; shift 2
    [[ $name =~ $wanted ]] || return
    if [ "$left" -lt 20 ]; then echo "== $name: no time left"; return; fi
    [ "$most" -gt "$left" ] && most=$left
    began=$(date +%s)
    timeout --kill-after 10 "$most" "$@" > "$out/$name.log" 2>&1; code=$?
    [ "$code" -eq 124 ] && code="$code, broken off"
    printf '%s\n' "== $name: exit $code, $(( $(date +%s) - began )) s" "$(tail -n 5 "$out/$name.log" | cut -c1-200)"
}

sweep() { # name, form, device, options
    local name=sweep-$1 form=$2 device=$3; shift 3
    step "$name" 340 python3 benchmarks/adversarial.py --device "$device" --no-cheats --sweep --form "$form" --budget 300 \
        --late 1 --late 2 --late 3 --late 5 --late 10 --late 100 --late 1000 "$@" --out "$out/$name.json"
}

spread() { # problem/sample, most seconds, options
    local problem=${1%%/*} sample=$packs/${1%%/*}/samples/right/${1#*/} most=$2; shift 2
    step "spread-$problem" "$most" python3 benchmarks/spread.py "$problem" "$sample" --device "$first" "$@" \
        --out "$out/spread-$problem.json"
}

samples() { # name, most seconds, which, options
    local name=$1 most=$2 only=$3; shift 3
    step "$name" "$most" python3 benchmarks/acceptance.py --device "$others" --budget $(( most - 20 )) --jobs 4 \
        --only "$only" "$@" --out "$out/$name.json"
}

itself() {
    step late 120 python3 benchmarks/late.py --device "$first" --out "$out/late.json"
    step clock 60 python3 benchmarks/clock.py --device "$first" --out "$out/clock.json"
    step selftest 200 kernelbot selftest --device "$first" --sessions 4 --out "$out/selftest.json"
    sweep late late "$first"
    spread vector_add/torch_add.py 360 --mode ranked \
        --resize us5:n=524288 --resize us47:n=16777216 --resize us184:n=67108864
    spread matmul/torch_matmul.py 120 --dtype bf16 --size medium
    spread softmax/torch_softmax.py 120 --size narrow --size square --mode ranked
    step tests 600 python3 -m pytest -q -m gpu tests/gpu
}

tables() {
    sweep lie lie "$second"
    samples acceptance-vector-add 320 'vector_add/right/'
    samples acceptance 320 '^(?!vector_add/).*/right/' --timed 'torch_(matmul|softmax)|triton|cuda_(softmax|tiled)'
    step cheats 420 python3 benchmarks/adversarial.py --device "$others" --once --mode benchmark --budget 400 \
        --out "$out/cheats.json"
    step zoo 420 python3 benchmarks/adversarial.py --device "$others" --no-cheats --zoo --budget 400 \
        --out "$out/zoo.json"
    samples refused 240 '/(wrong|cheat)/'
    step agreement 240 python3 benchmarks/agreement.py --device "$second" --out "$out/agreement.json"
}

if [ "$first" = "$others" ]; then itself; tables; else itself & tables & wait; fi 2>&1 | tee "$out/steps.txt"
tar czf "$out.tgz" -C "$(dirname "$out")" "$(basename "$out")" && echo "== all of it in $out.tgz"
