// The parts of the AscendC kernel library that PTO kernels use.
#pragma once

#include <pto/pto-inst.hpp>

typedef uint8_t *GM_ADDR;
#define KERNEL_TASK_TYPE_DEFAULT(...)
#define KERNEL_TASK_TYPE(...)
enum KernelMetaType { KERNEL_TYPE_AIV_ONLY, KERNEL_TYPE_AIC_ONLY, KERNEL_TYPE_MIX_AIC_1_1, KERNEL_TYPE_MIX_AIC_1_2 };

namespace AscendC {
template <typename T>
class GlobalTensor {
public:
    AICORE void SetGlobalBuffer(T *buffer);
    AICORE void SetGlobalBuffer(T *buffer, uint64_t size);
    AICORE const T *GetPhyAddr() const;
    AICORE const T *GetPhyAddr(uint64_t offset) const;
    AICORE T GetValue(uint64_t offset) const;
    AICORE void SetValue(uint64_t offset, T value);
    AICORE GlobalTensor operator[](uint64_t offset) const;
};
PTO_INTRINSIC int64_t GetBlockIdx();
PTO_INTRINSIC int64_t GetBlockNum();
PTO_INTRINSIC int64_t GetSubBlockIdx();
PTO_INTRINSIC int64_t GetSubBlockNum();
PTO_INTRINSIC int64_t GetTaskRation();
template <typename... A>
PTO_INTRINSIC void printf(A &&...);
} // namespace AscendC
