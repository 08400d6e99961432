"""C++ that is put behind a file of kernels: a check of what the launch lines pass, and for nvcc the launches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kernelbot_core import Signature, c_parameters
from kernelbot_lang_cuda._launch import Launch

_FITS = """
template <class P, class G> struct kernelbot_fits {
    static constexpr bool real = P(1) / 2 != 0;
    static constexpr bool value = real == (G(1) / 2 != 0) && (!real || sizeof(P) == sizeof(G));
};
template <class P, class G> struct kernelbot_fits<P*, G*> { static constexpr bool value = true; };
template <bool B> struct kernelbot_is { static constexpr bool value = B; };
template <class... G> struct kernelbot_given {
    template <class... P>
    static __host__ __device__ kernelbot_is<(kernelbot_fits<P, G>::value && ...)> to(void (*)(P...));
};
"""
"""Pointers are checked by the call in :func:`checks`; a scalar may change its width only where it is an integer."""


def parameters(signature: Signature, binding: Mapping[str, str]) -> dict[str, str]:
    """Argument name -> its C type and name, with the types of one dtype label."""
    return dict(zip(signature.arguments, c_parameters(signature, binding)[:-1], strict=True))


def checks(launches: Sequence[Launch], name: str, given: Mapping[str, str]) -> str:
    """Unevaluated calls of the kernels with the types of the problem, on the line of the launch line."""
    parts = [f'\n#line 1 "kernelbot.h"{_FITS}']
    for launch in launches:
        types = [given[argument].rpartition(" ")[0] for argument in launch.arguments]
        values = ", ".join(f"({one})0" for one in types)
        told = f"a scalar of the launch line has another type in {launch.kernel}"
        parts.append(f'#line {launch.line} "{name}"\nusing kernelbot_call = decltype((&{launch.kernel})({values}));')
        parts.append(
            f'#line {launch.line} "{name}"\n'
            f"static_assert(decltype(kernelbot_given<{', '.join(types)}>::to(&{launch.kernel}))::value, "
            f'"{told.translate({34: None, 92: None})}");'
        )
    return "\n".join(parts) + "\n"


def launchers(launches: Sequence[Launch], given: Mapping[str, str]) -> str:
    """``kernelbot_launch_0(arguments, grid, block, shared, stream)`` for each launch line, for a host compiler."""
    parts = [_launcher(number, launch, given) for number, launch in enumerate(launches)]
    return "".join(['#line 1 "kernelbot.h"', *parts])


def _launcher(number: int, launch: Launch, given: Mapping[str, str]) -> str:
    axes = ", ".join(f"unsigned kb_{part}{axis}" for part in "gb" for axis in "xyz")
    types = [given[name].rpartition(" ")[0] for name in launch.arguments]  # a name may be passed twice
    arguments = "".join(f"{one} kb_{place}, " for place, one in enumerate(types))
    return f"""
extern "C" void kernelbot_launch_{number}({arguments}{axes}, unsigned kb_shared, cudaStream_t kb_stream) {{
    if (kb_shared > 0)
        cudaFuncSetAttribute((const void*)&{launch.kernel}, cudaFuncAttributeMaxDynamicSharedMemorySize, kb_shared);
    {launch.kernel}<<<dim3(kb_gx, kb_gy, kb_gz), dim3(kb_bx, kb_by, kb_bz), kb_shared, kb_stream>>>(
        {", ".join(f"kb_{place}" for place in range(len(types)))});
}}
"""
