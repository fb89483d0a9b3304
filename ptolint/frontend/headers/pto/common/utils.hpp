// Small helpers that kernels borrow from PTO.
#pragma once

#include <pto/common/constants.hpp>
#include <pto/common/buffer_limits.hpp>
#include <pto/common/debug.h>

#define PTO_CEIL(x, y) ((((x) + (y)-1) / (y)) * (y))
#define PTO_DIV_ROUNDUP(x, y) (((x) + (y)-1) / (y))
// Kernel metadata for the loader says nothing about the kernel's code.
#define PTO_SYNCALL_AIV_KERNEL_META(...) static_assert(true, "")
#define PTO_SYNCALL_AIC_KERNEL_META(...) static_assert(true, "")
#define PTO_SYNCALL_MIX_AIC_KERNEL_META(...) static_assert(true, "")

namespace pto {
template <typename T, typename... U>
inline constexpr bool isSupportType = (std::is_same_v<T, U> || ...);
AICORE constexpr int32_t CeilDivision(int32_t a, int32_t b) { return b == 0 ? 0 : (a + b - 1) / b; }
// The scale tile of an MX operand lies at a sixteenth of the operand's address.
constexpr int SHIFT_MX_ADDR = 4;
template <typename T>
AICORE inline uint64_t GetScaleAddr(T *address)
{
    return reinterpret_cast<uintptr_t>(address) >> SHIFT_MX_ADDR;
}
constexpr uint32_t BLOCK_SIZE = 32;

// Data kept by a mask of the gather and scatter instructions: one element of this many.
template <MaskPattern mask>
AICORE constexpr int GetTimesByMask()
{
    return mask == MaskPattern::P1111 ? 1 : mask == MaskPattern::P1010 || mask == MaskPattern::P0101 ? 2 : 4;
}

// The lanes that the next vector instructions touch.
PTO_INTRINSIC void SetContinuousMask(unsigned count);
PTO_INTRINSIC void SetVectorCount(uint64_t count);
template <typename T>
PTO_INTRINSIC void SetFullVecMaskByDType();
template <typename T>
PTO_INTRINSIC void SetContMaskByDType(unsigned count);

// Vector functions.
using MaskReg = vector_bool;
using UnalignReg = vector_align;
using AddrReg = vector_address;
template <typename T>
struct RegTensor {
    using RegType = __ptolint_register<T>;
    RegType reg;
    AICORE RegTensor();
    AICORE operator RegType &();
};
template <typename T>
PTO_INTRINSIC MaskReg CreatePredicate(uint32_t &count);
template <typename T, typename TileDst, typename TileSrc, typename... A>
PTO_INTRINSIC void TMovToVecNd2Nz(A &&...);

// The operand of ffts_cross_core_sync.
AICORE constexpr uint16_t getFFTSMsg(uint16_t mode, uint16_t event, uint16_t base = 0x1)
{
    return (base & 0xf) + ((mode & 0x3) << 4) + ((event & 0xf) << 8);
}


AICORE constexpr uint32_t CeilAlignment(uint32_t a, uint32_t b) { return b == 0 ? 0 : (a + b - 1) / b * b; }
} // namespace pto

// Some kernels call the implementation behind an instruction: the same constraints hold.
#define TSTORE_IMPL TSTORE
#define TLOAD_IMPL TLOAD
#define TINSERT_IMPL TINSERT
#define TEXTRACT_IMPL TEXTRACT
#define TMOV_IMPL TMOV
#define TCONCAT_IMPL TCONCAT
#define TCOLEXPAND_IMPL TCOLEXPAND
#define TROWEXPANDSUB_IMPL TROWEXPANDSUB
