// Sizes of the machine's units and the pad values.
#pragma once

#include <pto/common/memory.hpp>
#include <pto/common/type.hpp>

namespace pto {
constexpr int REPEAT_BYTE = 256;
constexpr int REPEAT_MAX = 255;
constexpr int REPEAT_STRIDE_MAX = 255;
constexpr uint64_t BLOCK_MAX_PER_REPEAT = 8;
constexpr int BLOCK_BYTE_SIZE = 32;
constexpr int BLOCK_LEN = 16;
constexpr int CUBE_BLOCK_SIZE = 512;
constexpr int C0_SIZE_BYTE = 32;
constexpr uint32_t B4_C0_SIZE = 64;
constexpr int FRACTAL_NZ_ROW = 16;
constexpr int FRACTAL_ZZ_ROW = 16;
constexpr int ACC_C0_SIZE = 16;
constexpr int FIXP_BURST_UNIT_LEN = 64;
constexpr uint32_t SHIFT_BLOCK_LEN = 4;
constexpr uint32_t SHIFT_BLOCK_BYTE = 5;
constexpr uint32_t SHIFT_FRACTAL_BYTE = 9;
constexpr uint32_t TMP_UB_SIZE = 8 * 1024;
constexpr uint32_t TMP_UB_OFFSET = 184 * 1024;
constexpr uint64_t MASK_LEN = 64;
constexpr int MX_COL_LEN = 2;
constexpr int MX_ROW_LEN = 16;
constexpr int MX_BLOCK_SIZE = 32;
constexpr int HIF4_COL_LEN = 4;
constexpr int HIF4_ROW_LEN = 16;
constexpr int HIF4_BLOCK_SIZE = 64;
constexpr int B8_DATA_TYPE_OFFSET = 8;
constexpr int MAD_MODE_BIT = 46;
constexpr int MAD_ROUND_MODE_BIT = 47;
constexpr int PAD_SHIFT_LENGTH = 32;
#define PTOLINT_NUM(n) constexpr int NUM_##n = n
PTOLINT_NUM(1);
PTOLINT_NUM(4);
PTOLINT_NUM(8);
PTOLINT_NUM(12);
PTOLINT_NUM(16);
PTOLINT_NUM(32);
PTOLINT_NUM(64);
PTOLINT_NUM(77);
PTOLINT_NUM(96);
PTOLINT_NUM(128);
PTOLINT_NUM(256);
PTOLINT_NUM(512);
#undef PTOLINT_NUM

// A custom pad value carries its element bits in the low half of the enumerator.
AICORE constexpr bool isCustomPadValue(PadValue pad) { return uint64_t(pad) >= uint64_t(PadValue::CustomBase); }
AICORE constexpr uint32_t getCustomPadBits(PadValue pad) { return uint32_t(uint64_t(pad)); }
namespace detail {
constexpr PadValue padFromBits(uint32_t bits) { return PadValue(uint64_t(PadValue::CustomBase) | bits); }
} // namespace detail
AICORE constexpr PadValue PadValueCustom(float value)
{
    return detail::padFromBits(__builtin_bit_cast(uint32_t, value));
}
AICORE constexpr PadValue PadValueCustom(int32_t value) { return detail::padFromBits(uint32_t(value)); }
AICORE constexpr PadValue PadValueCustom(uint32_t value) { return detail::padFromBits(value); }
AICORE constexpr PadValue PadValueCustom(int16_t value) { return detail::padFromBits(uint16_t(value)); }
AICORE constexpr PadValue PadValueCustom(int8_t value) { return detail::padFromBits(uint8_t(value)); }
AICORE constexpr PadValue PadValueCustom(uint8_t value) { return detail::padFromBits(value); }
AICORE constexpr PadValue PadValueCustom(half value)
{
    return detail::padFromBits(__builtin_bit_cast(uint16_t, value));
}
AICORE constexpr PadValue PadValueCustom(bfloat16_t value)
{
    return detail::padFromBits(__builtin_bit_cast(uint16_t, value));
}
AICORE constexpr PadValue PadValueCustom16(uint16_t bits) { return detail::padFromBits(bits); }
template <auto V>
inline constexpr PadValue PadCustom = PadValueCustom(V);
} // namespace pto
