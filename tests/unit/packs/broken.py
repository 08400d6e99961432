"""Every way to break a problem.toml that we know of: what is changed in the vector addition, and the line it gives.

Run as a script it writes the table of docs/reference/problem-toml-errors.md.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

PACK = Path(__file__).parents[3] / "problem_packs" / "vector_add"
MATMUL = PACK.parent / "matmul"


class Broken(NamedTuple):
    old: str
    """Text of problem.toml that is replaced; the empty string stands for the start of the file."""
    new: str
    line: str
    """The error after ``problem.toml: ``."""
    pack: Path = PACK


FLAT = 'scalars = [{ name = "n", dtype = "int64", value = "n" }]'
DTYPES = 'dtypes = ["fp32", "fp16", "bf16"]'
SMALL = "small  = { n = 1_024 }"
EPS = "eps   = { fp32 = 1e-5, fp16 = 1e-3, bf16 = 1e-2 }"
KNOWN = "fp64, fp32, fp16, bf16, fp8_e4m3, fp8_e5m2, int64, int32, int16, int8, uint8, bool"
NAME = "a name is small letters, digits and _, starts with a letter and has at most 32 of them"
MORE = "is more than a pack may ask for"
B = '{ name = "b", dtype = "T", shape = ["n"] }'

BROKEN: dict[str, Broken] = {
    "not TOML": Broken("[grid]", "[grid", "Expected ']' at the end of a table declaration (at line 17, column 6)"),
    "unknown key": Broken("", "colour = 1\n", "colour: unknown key"),
    "unknown key inside": Broken('name = "b",', 'name = "b", unit = 1,', "signature.inputs[1].unit: unknown key"),
    "missing key": Broken('bytes = "3 * n * sizeof(T)"', "", "work.bytes: is missing"),
    "missing table": Broken("[inputs]\nseed = 20250411", "", "inputs: is missing"),
    "newer format": Broken("format     = 1", "format = 2", "format: 2 is newer than this kernelbot knows (1)"),
    "wrong format": Broken("format     = 1", 'format = "1"', "format: expected an integer, got text"),
    "bad choice": Broken(
        '"intro" ', '"easy"', "difficulty: 'easy' is not one of intro, intermediate, hard"
    ),
    "wrong type": Broken('title      = "Vector addition"', "title = 3", "title: expected text, got an integer"),
    "bad name of an argument": Broken('name = "b"', 'name = "B"', f"signature.inputs[1].name: 'B' is no name: {NAME}"),
    "bad name of a size": Broken("small  =", "Small =", f"grid.sizes: 'Small' is no name: {NAME}"),
    "reserved name": Broken('name = "b"', 'name = "stream"', "signature: the name 'stream' is reserved"),
    "reserved entry": Broken('name = "b"', 'name = "solve"', "signature: the name 'solve' is reserved"),
    "keyword of a language": Broken('name = "b"', 'name = "in"', "signature: the name 'in' is reserved"),
    "two of one name": Broken('name = "b"', 'name = "a"', "signature: two arguments are called 'a'"),
    "two dimensions": Broken('dims    = ["n"]', 'dims = ["n", "n"]', "signature.dims: two dimensions are called 'n'"),
    "unknown dtype": Broken('"bf16"]', '"bf17"]', f"grid.dtypes.bf17.T: unknown dtype 'bf17' (known: {KNOWN})"),
    "dtype variable not bound": Broken(
        B, B.replace('"T"', '"U"'), "signature.b.dtype: 'U' is neither a dtype nor bound by grid.dtypes.fp32"
    ),
    "dtype entry without a name": Broken(
        DTYPES, 'dtypes = [{ T = "fp32" }]',
        "grid.dtypes: an entry needs a name of small letters, digits and _ (got '')",
    ),
    "dtype label twice": Broken('"bf16"]', '"fp32"]', "grid.dtypes: fp32 is there twice"),
    "small dtype variable": Broken(
        DTYPES, 'dtypes = [{ name = "fp32", t = "fp32" }]',
        "grid.dtypes.fp32: a dtype variable starts with a capital (got 't')",
    ),
    "size without a dimension": Broken(SMALL, "small = { ranked = true }", "grid.sizes.small: n is missing"),
    "size is text": Broken(
        SMALL, 'small = { n = ["7"] }', "grid.sizes.small.n: ['7'] is not an integer from 1 to 2**48"
    ),
    "size is a fraction": Broken(
        SMALL, "small = { n = 7.5 }", "grid.sizes.small.n: expected an integer or an option, got a number"
    ),
    "size is zero": Broken(SMALL, "small = { n = 0 }", "grid.sizes.small.n: 0 is not an integer from 1 to 2**48"),
    "size beyond 64 bits": Broken(
        SMALL, "small = { n = 99999999999999999999 }",
        "grid.sizes.small.n: 99999999999999999999 is not an integer from 1 to 2**48",
    ),
    "unknown option of a size": Broken(
        SMALL, "small = { n = 7, rank = true }",
        "grid.sizes.small.rank: neither a dimension nor an option (known: n, ranked, dtypes, devices)",
    ),
    "bad option of a size": Broken(
        SMALL, "small = { n = 7, ranked = 1 }", "grid.sizes.small.ranked: 1 is not true or false"
    ),
    "unknown device": Broken(
        SMALL, 'small = { n = 7, devices = ["tpu"] }', "grid.sizes.small.devices: ['tpu'] is not a list of cpu and gpu"
    ),
    "unknown dtype of a size": Broken(
        SMALL, 'small = { n = 7, dtypes = ["fp8"] }',
        "grid.sizes.small.dtypes: 'fp8' is there twice or not in grid.dtypes (fp32, fp16, bf16)",
    ),
    "bad expression in a shape": Broken(
        B, B.replace('["n"]', '["n**2"]'),
        "signature.b.shape: 'n ** 2' is not a dimension, an integer or + - * // ( ) min max cdiv sizeof"
        " (dimensions here: n)",
    ),
    "unknown dimension": Broken(
        B, B.replace('["n"]', '["m"]'),
        "signature.b.shape: 'm' is not a dimension, an integer or + - * // ( ) min max cdiv sizeof"
        " (dimensions here: n)",
    ),
    "shape below one": Broken(
        B, B.replace('["n"]', '["n - 1024"]'),
        "signature.b.shape: 'n - 1024' is 0 at size small; extents lie between 1 and 2**48",
    ),
    "bad expression in work": Broken('flops = "n"', 'flops = "n +"', "work.flops: 'n +' is not an expression"),
    "division by zero": Broken('flops = "n"', 'flops = "n // 0"', "work.flops: 'n // 0' divides by zero"),
    "work beyond 64 bits": Broken(
        'flops = "n"', 'flops = "n * 9223372036854775807"',
        "work.flops: 9444732965739290426368 at size small makes no sense",
    ),
    "no bytes": Broken('bytes = "3 * n * sizeof(T)"', 'bytes = "0"', "work.bytes: 0 at size small makes no sense"),
    "bad expression in a scalar": Broken(
        FLAT, FLAT.replace('value = "n"', 'value = "len(n)"'),
        "signature.n.value: 'len(n)' is not a dimension, an integer or + - * // ( ) min max cdiv sizeof"
        " (dimensions here: n)",
    ),
    "integer scalar as a number": Broken(
        FLAT, FLAT.replace('value = "n"', "value = 3"),
        'signature.n.value: an int64 is an expression in quotes, such as "3"',
    ),
    "scalar beyond its dtype": Broken(
        FLAT, FLAT.replace('int64", value = "n"', 'int32", value = "n * 4"'),
        "signature.n.value: 4294967296 at size large is beyond int32",
    ),
    "separable along no dimension": Broken(
        'separable = "n" ', 'separable = "m" ', "signature.separable: 'm' is not in signature.dims (n)"
    ),
    "separable along an inner axis": Broken(
        'value = "k" },\n]', 'value = "k" },\n]\nseparable = "k"',
        "signature.separable: a is [m, k]; k must be its first axis only", MATMUL,
    ),
    "unknown rule": Broken(
        '"elementwise"\nscale', '"close"\nscale',
        "tolerance.rule: 'close' is not one of elementwise, accumulate, exact, check",
    ),
    "key of another rule": Broken('rule  = "elementwise"', 'rule = "exact"', "tolerance.scale: unknown key"),
    "bad expression in tolerance": Broken(
        'length     = "k"', 'length = "K"',
        "tolerance.length: 'K' is not a dimension, an integer or + - * // ( ) min max cdiv sizeof"
        " (dimensions here: m, n, k)",
        MATMUL,
    ),
    "eps for an unknown dtype": Broken(
        EPS, "eps = { half = 1e-3 }", f"tolerance.eps.half: unknown dtype (known: {KNOWN})"
    ),
    "eps for a dtype that no output has": Broken(
        EPS, "eps = { fp64 = 1e-3 }", "tolerance.eps.fp64: no output has this dtype (they have bf16, fp16, fp32)"
    ),
    "eps below zero": Broken(EPS, "eps = { fp16 = -1 }", "tolerance.eps.fp16: expected a number > 0.0"),
    "unknown dtype of the board": Broken(
        'dtype  = "fp32"', 'dtype = "fp64"', "ranking.dtype: 'fp64' is not in grid.dtypes (fp32, fp16, bf16)"
    ),
    "languages is no list": Broken(
        "[limits]", '[rules]\nlanguages = "cuda"\n[limits]', "rules.languages: expected a list, got text"
    ),
    "bad name of a language": Broken(
        "[limits]", '[rules]\nlanguages = ["CUDA"]\n[limits]', f"rules.languages[0]: 'CUDA' is no name: {NAME}"
    ),
    "seed beyond 64 bits": Broken(
        "seed = 20250411", "seed = 99999999999999999999", "inputs.seed: expected an integer <= 9223372036854775807"
    ),
    "too many examples": Broken(
        "shapes   = { examples = 25 }", "shapes = { examples = 2000 }",
        "properties.shapes.examples: expected an integer <= 200",
    ),
    "property that is called like a function": Broken(
        "shapes   =", "check =", "properties.check: the name is taken by a function of problem.py"
    ),
    "limit of zero": Broken("call_s  = 5", "call_s = 0", "limits.call_s: expected a number > 0.0"),
    "limit without end": Broken("call_s  = 5", "call_s = inf", "limits.call_s: inf is no limit"),
    "build without end": Broken(
        "build_s = 60", "build_s = 3601", f"limits.build_s: 3601 {MORE} (3600)"
    ),
    "call without end": Broken("call_s  = 5", "call_s = 1e9", f"limits.call_s: 1e+09 {MORE} (600)"),
    "job without end": Broken("job_s   = 180", "job_s = 7201", f"limits.job_s: 7201 {MORE} (7200)"),
    "more memory than there is": Broken(
        "memory_gib = 16", "memory_gib = 1025", f"limits.memory_gib: 1025 {MORE} (1024)"
    ),
    "expression without end": Broken(
        'flops = "n"', f'flops = "{"n" * 1000} +"', f"work.flops: '{'n' * 78}… is not an expression"
    ),
    "fixed output": Broken(
        '{ name = "out", ', '{ name = "out", fixed = true, ', "signature.out.fixed: only an input can be fixed"
    ),
}  # fmt: skip


def table() -> str:
    """The page of the documentation."""
    rows = [f"| {name} | `{one.line.replace('|', chr(92) + '|')}` |" for name, one in BROKEN.items()]
    return "\n".join(
        [
            "# What a broken problem.toml says",
            "",
            "One line with file and key, and exit code 2, from every command that meets the pack.",
            "Each row is a test: a pack that works is broken in this way, and the line must come out as written here.",
            "",
            "| what is wrong | `path/problem.toml: ` ... |",
            "|---|---|",
            *rows,
            "",
        ]
    )


if __name__ == "__main__":
    sys.stdout.write(table())
