// The low-level host runtime.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef int32_t rtError_t;
typedef void *rtStream_t;
typedef void *rtEvent_t;
constexpr rtError_t RT_ERROR_NONE = 0;
constexpr int32_t RT_STREAM_PRIORITY_DEFAULT = 0;
constexpr uint32_t RT_DEV_BINARY_MAGIC_ELF = 0x43554245;

extern "C" {
rtError_t rtSetDevice(int32_t device);
rtError_t rtDeviceReset(int32_t device);
rtError_t rtStreamCreate(rtStream_t *stream, int32_t priority);
rtError_t rtStreamDestroy(rtStream_t stream);
rtError_t rtStreamSynchronize(rtStream_t stream);
rtError_t rtGetC2cCtrlAddr(uint64_t *address, uint32_t *length);
}
