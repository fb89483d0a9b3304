// Communication between cores and ranks.
#pragma once

#include <pto/comm/comm_types.hpp>
#include <pto/detail/overloads.hpp>

namespace pto {

PTO_TEMPLATE(typename GlobalData)
PTO_INSTRUCTION detail::Result<detail::views<GlobalData>, comm::AsyncEvent, WaitEvents...>
TPREFETCH_ASYNC(GlobalData &src_global_data, PrefetchAsyncContext &ctx, PTO_EVENTS);

namespace comm {
namespace detail = pto::detail;

#define PTO_REMOTE_TYPES typename GlobalDst, typename GlobalSrc, typename TileData
#define PTO_REMOTE GlobalDst &dst_global_data, GlobalSrc &src_global_data
#define PTO_REMOTE_OK detail::views<GlobalDst, GlobalSrc> &&detail::tiles<TileData>
PTO_TEMPLATE(AtomicType atomic = AtomicType::AtomicNone, typename GlobalDst = void, typename GlobalSrc = void,
             typename TileData = void)
PTO_RECORD(PTO_REMOTE_OK) TPUT(PTO_REMOTE, TileData &staging_tile_data, PTO_EVENTS);
PTO_TEMPLATE(AtomicType atomic = AtomicType::AtomicNone, typename GlobalDst = void, typename GlobalSrc = void,
             typename TileData = void)
PTO_RECORD(PTO_REMOTE_OK) TPUT(PTO_REMOTE, TileData &ping_tile, TileData &pong_tile, PTO_EVENTS);
PTO_TEMPLATE(PTO_REMOTE_TYPES)
PTO_RECORD(PTO_REMOTE_OK) TPUT(PTO_REMOTE, TileData &staging_tile_data, AtomicType atomic_type, PTO_EVENTS);
PTO_TEMPLATE(PTO_REMOTE_TYPES)
PTO_RECORD(PTO_REMOTE_OK) TGET(PTO_REMOTE, TileData &staging_tile_data, PTO_EVENTS);
PTO_TEMPLATE(PTO_REMOTE_TYPES)
PTO_RECORD(PTO_REMOTE_OK) TGET(PTO_REMOTE, TileData &ping_tile, TileData &pong_tile, PTO_EVENTS);
#undef PTO_REMOTE_OK
#undef PTO_REMOTE
#undef PTO_REMOTE_TYPES

PTO_TEMPLATE(typename GlobalSignalData)
PTO_INSTRUCTION detail::Result<detail::views<GlobalSignalData>, void, WaitEvents...>
TNOTIFY(GlobalSignalData &dst_signal_data, int32_t value, NotifyOp op, PTO_EVENTS);
PTO_TEMPLATE(typename GlobalSignalData)
PTO_INSTRUCTION detail::Result<detail::views<GlobalSignalData>, void, WaitEvents...>
TWAIT(GlobalSignalData &signal_data, int32_t cmp_value, WaitCmp cmp, PTO_EVENTS);
PTO_TEMPLATE(typename GlobalSignalData)
PTO_INSTRUCTION detail::Result<detail::views<GlobalSignalData>, bool, WaitEvents...>
TTEST(GlobalSignalData &signal_data, int32_t cmp_value, WaitCmp cmp, PTO_EVENTS);

// Collectives; what follows the tiles (a trigger context, events) depends on the engine and is no operand.
#define PTO_COLLECTIVE(name, data, ...)                                                                    \
    template <CollEngine engine = CollEngine::AIV, typename Group, typename GlobalData, typename TileData, \
              typename... Args>                                                                            \
    PTO_INSTRUCTION std::enable_if_t<detail::views<GlobalData> && detail::tiles<TileData>, RecordEvent>    \
    name(Group &parallel_group, GlobalData &data, __VA_ARGS__, Args &...events);
PTO_COLLECTIVE(TGATHER, dst_global_data, TileData &staging_tile_data)
PTO_COLLECTIVE(TGATHER, dst_global_data, TileData &ping_tile, TileData &pong_tile)
PTO_COLLECTIVE(TSCATTER, src_global_data, TileData &staging_tile_data)
PTO_COLLECTIVE(TSCATTER, src_global_data, TileData &ping_tile, TileData &pong_tile)
PTO_COLLECTIVE(TBROADCAST, src_global_data, TileData &staging_tile_data)
PTO_COLLECTIVE(TBROADCAST, src_global_data, TileData &ping_tile, TileData &pong_tile)
PTO_COLLECTIVE(TREDUCE, dst_global_data, TileData &acc_tile_data, TileData &recv_tile_data, ReduceOp op)
PTO_COLLECTIVE(TREDUCE, dst_global_data, TileData &acc_tile_data, TileData &ping_tile_data, TileData &pong_tile_data,
               ReduceOp op)
#undef PTO_COLLECTIVE

#define PTO_ASYNC(name, ...)                                                                                      \
    template <DmaEngine engine = DmaEngine::SDMA, typename GlobalDst, typename GlobalSrc, typename... WaitEvents> \
    PTO_INSTRUCTION detail::Result<detail::views<GlobalDst, GlobalSrc>, AsyncEvent, WaitEvents...>                \
    name(GlobalDst &dst_global_data, GlobalSrc &src_global_data, __VA_ARGS__, PTO_EVENTS);
PTO_ASYNC(TPUT_ASYNC, const AsyncSession &session)
PTO_ASYNC(TPUT_ASYNC, const AsyncSession &session, uint32_t peer)
PTO_ASYNC(TGET_ASYNC, const AsyncSession &session)
PTO_ASYNC(TGET_ASYNC, const AsyncSession &session, uint32_t peer)
#undef PTO_ASYNC

} // namespace comm
} // namespace pto
