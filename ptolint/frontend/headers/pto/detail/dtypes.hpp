// Element types. `half` and `bfloat16_t` are the compiler's own sixteen-bit floats (canonical names `_Float16`
// and `__bf16`), so that arithmetic, casts and constant folding need no help; the narrow formats are
// one-byte classes that convert from and to float. A packed pair of four-bit values is one byte.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Old code spells the storage type.
#define __fp16 _Float16

typedef _Float16 half;
typedef __bf16 bfloat16_t;
typedef _Float16 float16_t;
typedef float float32_t;
typedef double float64_t;

#define PTOLINT_NARROW_TYPE(name)                                                \
    struct name {                                                                \
        uint8_t storage;                                                         \
        name() = default;                                                        \
        constexpr name(float value) : storage(static_cast<uint8_t>(value)) {}    \
        constexpr name(double value) : name(static_cast<float>(value)) {}        \
        constexpr name(int value) : name(static_cast<float>(value)) {}           \
        constexpr name(unsigned value) : name(static_cast<float>(value)) {}      \
        constexpr operator float() const { return static_cast<float>(storage); } \
    }
PTOLINT_NARROW_TYPE(float8_e4m3_t);
PTOLINT_NARROW_TYPE(float8_e5m2_t);
PTOLINT_NARROW_TYPE(float8_e8m0_t);
PTOLINT_NARROW_TYPE(hifloat8_t);
PTOLINT_NARROW_TYPE(hifloat4x2_t);
PTOLINT_NARROW_TYPE(float4_e2m1x2_t);
PTOLINT_NARROW_TYPE(float4_e1m2x2_t);
namespace pto {
PTOLINT_NARROW_TYPE(int4b_t);
}
#undef PTOLINT_NARROW_TYPE
