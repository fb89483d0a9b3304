// Cross-core helpers that PTO ships beside the instructions.
#pragma once

#include <pto/common/utils.hpp>

#define FFTS_MODE_BIT_START 4
#define FFTS_FLAG_ID_BIT_START 8

namespace pto {

enum CVCommFftsEvent : uint16_t { CV_COMM_CTRL = 12, CV_COMM_RSVD_13, CV_COMM_RSVD_14, CV_COMM_RSVD_15 };
enum CVSyncMode : uint16_t { C_ALL_CORE_SYNC = 0, V_ALL_CORE_SYNC = 0, V_SUBCORES_SYNC = 1, CV_CORE_SYNC = 2 };
constexpr int kCvCommSlotBytes = 512;
constexpr int kCvMaxCores = 25;

AICORE constexpr uint16_t _getFFTSMsg(CVSyncMode mode, uint16_t flag_id, uint16_t base = 0x1)
{
    return (base & 0xf) + ((mode & 0x3) << FFTS_MODE_BIT_START) + ((flag_id & 0xf) << FFTS_FLAG_ID_BIT_START);
}
template <int slot_bytes = kCvCommSlotBytes, int max_cores = kCvMaxCores>
PTO_INTRINSIC int TSYNC_CVID(int block_idx, uint8_t *buffer);

enum class SyncOpType : uint8_t { TSTORE_C2GM, TSTORE_V2GM, TMOV_C2UB, TINSERT_V2L1, TLOAD };
// A pair of cross-core flags: data ready, and space free again.
template <SyncOpType ProducerOp, SyncOpType ConsumerOp>
struct TSync_Custom {
    uint16_t flag_id;
    PTO_INTRINSIC void record() const;
    PTO_INTRINSIC void wait() const;
    PTO_INTRINSIC void allocate() const;
    PTO_INTRINSIC void free() const;
};
// Host side: warms the cache with a tensor.
template <bool use_sdma = true, int aiv_cores = -1>
void PTO_PREFETCH(void *tensor, uint64_t tensor_bytes, void *stream);

} // namespace pto
