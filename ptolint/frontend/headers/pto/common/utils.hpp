// Small helpers that kernels borrow from PTO.
#pragma once

#include <pto/common/constants.hpp>
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
AICORE constexpr uint32_t CeilAlignment(uint32_t a, uint32_t b) { return b == 0 ? 0 : (a + b - 1) / b * b; }
} // namespace pto
