// Waiting for events and cores, and the queues between cores.
#pragma once

#include <pto/common/fifo.hpp>
#include <pto/common/fixpipe.hpp>
#include <pto/detail/overloads.hpp>
#include <pto/npu/a2a3/grid_intrinsic.hpp>

namespace pto {

template <Op op_code>
PTO_INSTRUCTION void TSYNC();
template <typename... WaitEvents>
PTO_INSTRUCTION std::enable_if_t<all_events_v<WaitEvents...>> TSYNC(WaitEvents &...events);

template <SyncCoreType core_type = SyncCoreType::AIVOnly>
PTO_INSTRUCTION void SYNCALL();
template <SyncAllMode mode, SyncCoreType core_type = SyncCoreType::AIVOnly, typename GlobalData>
PTO_INSTRUCTION std::enable_if_t<detail::views<GlobalData>> SYNCALL(GlobalData &gm_workspace, int32_t used_cores = 0);

// Queues carry tiles or views of global memory; the operand keeps the name of what it is.
#define PTO_QUEUE(name)                                                                                             \
    PTO_TEMPLATE(typename Pipe, typename TileData, TileSplitAxis split)                                             \
    PTO_RECORD(detail::tiles<TileData>) name(Pipe &pipe, TileData &tile, PTO_EVENTS);                               \
    PTO_TEMPLATE(typename Pipe, typename TileData, TileSplitAxis split)                                             \
    PTO_RECORD(detail::tiles<TileData>) name(Pipe &pipe, TileData &tile, int32_t sub_block_id, PTO_EVENTS);         \
    PTO_TEMPLATE(typename TileData, typename Pipe)                                                                  \
    PTO_RECORD(detail::tiles<TileData> &&detail::isPipe<Pipe>::value) name(TileData &tile, Pipe &pipe, PTO_EVENTS); \
    PTO_TEMPLATE(typename Pipe, typename GlobalData, TileSplitAxis split)                                           \
    PTO_RECORD(detail::views<GlobalData>) name(Pipe &pipe, GlobalData &gm_tensor, PTO_EVENTS);
PTO_QUEUE(TPUSH)
PTO_QUEUE(TPOP)
#undef PTO_QUEUE
PTO_TEMPLATE(typename Pipe, typename TileData, typename TConfig)
PTO_RECORD(detail::tiles<TileData> &&detail::isPipe<Pipe>::value) TPUSH(Pipe &pipe, TileData &tile, PTO_EVENTS);
PTO_TEMPLATE(typename Pipe, typename GlobalData, TileSplitAxis split)
PTO_RECORD(detail::views<GlobalData>) TALLOC(Pipe &pipe, GlobalData &gm_tensor, PTO_EVENTS);
PTO_TEMPLATE(typename Pipe, typename GlobalData, TileSplitAxis split)
PTO_RECORD(detail::views<GlobalData>) TFREE(Pipe &pipe, GlobalData &gm_tensor, PTO_EVENTS);
PTO_TEMPLATE(typename Pipe, TileSplitAxis split)
PTO_RECORD(detail::isPipe<Pipe>::value) TFREE(Pipe &pipe, PTO_EVENTS);
PTO_TEMPLATE(typename Pipe)
PTO_RECORD(detail::isPipe<Pipe>::value) TFREE(Pipe &pipe, PTO_EVENTS);

PTO_TEMPLATE(GridDirection direction, int dist = 1, typename Pipe = void, typename TileData = void)
PTO_RECORD(is_grid_pipe_v<Pipe>) TPUSH(Pipe &pipe, TileData &tile, PTO_EVENTS);
PTO_TEMPLATE(GridSpan span, typename Pipe, typename TileData)
PTO_RECORD(is_grid_pipe_v<Pipe>) TPUSH(Pipe &pipe, TileData &tile, PTO_EVENTS);
PTO_TEMPLATE(GridDirection direction, int dist = 1, typename Pipe = void, typename TileData = void)
PTO_RECORD(is_grid_pipe_v<Pipe>) TPOP(Pipe &pipe, TileData &tile, PTO_EVENTS);

} // namespace pto
