// Configuration of the fixpipe for queues.
#pragma once

#include <pto/common/type.hpp>

namespace pto {
enum ClipReluMode_t { NOCLIP_RELU = 0, CLIP_RELU = 1 };
enum class LayoutMode_t : uint8_t { NZ2NZ = 0, NZ2ND = 1, NZ2DN = 2 };
enum class DequantType { SCALAR = 0, TENSOR = 1 };

template <LayoutMode_t layout_mode = LayoutMode_t::NZ2ND, QuantMode_t quant_mode = QuantMode_t::NoQuant,
          ReluPreMode relu_mode = ReluPreMode::NoRelu, STPhase phase = STPhase::Unspecified, uint8_t sub_block_id = 0,
          AtomicType atomic = AtomicType::AtomicNone, ClipReluMode_t clip_relu_mode = NOCLIP_RELU,
          bool is_channel_split = false>
struct FixpipeParams {
    static constexpr LayoutMode_t LayoutMode = layout_mode;
    static constexpr QuantMode_t QuantPre = quant_mode;
    static constexpr ReluPreMode ReluMode = relu_mode;
    static constexpr STPhase Phase = phase;
    static constexpr uint8_t SubBlockId = sub_block_id;
    static constexpr AtomicType AtomicT = atomic;
    static constexpr ClipReluMode_t ClipReluMode = clip_relu_mode;
    static constexpr bool IsChannelSplit = is_channel_split;
};
} // namespace pto
