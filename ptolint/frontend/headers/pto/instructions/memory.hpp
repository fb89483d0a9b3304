// Placing tiles, and moving data between global memory and tiles.
#pragma once

#include <pto/detail/overloads.hpp>

namespace pto {

template <typename T, typename AddrType>
PTO_INSTRUCTION std::enable_if_t<detail::tiles<T> || detail::views<T>> TASSIGN(T &obj, AddrType addr);
template <size_t addr, typename T>
PTO_INSTRUCTION std::enable_if_t<detail::tiles<T>> TASSIGN(T &obj);

PTO_TEMPLATE(typename TileData, typename GlobalData)
PTO_RECORD(detail::tiles<TileData> &&detail::views<GlobalData>)
TLOAD(TileData &dst, GlobalData &src, PTO_EVENTS);
PTO_TEMPLATE(typename TileData, typename GlobalData)
PTO_RECORD(detail::tiles<TileData> &&detail::views<GlobalData>)
TPREFETCH(TileData &dst, GlobalData &src, PTO_EVENTS);

// TSTORE: plain, with atomic mode, with relu, with a scalar to requantise by; each also with a unit-flag phase.
#define PTO_TSTORE(Parameters, ...)                                    \
    PTO_TEMPLATE(PTOLINT_LIST Parameters)                              \
    PTO_RECORD(detail::tiles<TileData> &&detail::views<GlobalData>)    \
    TSTORE(GlobalData &dst, TileData &src, ##__VA_ARGS__, PTO_EVENTS); \
    PTO_TEMPLATE(STPhase phase, PTOLINT_LIST Parameters)               \
    PTO_RECORD(detail::tiles<TileData> &&detail::views<GlobalData>)    \
    TSTORE(GlobalData &dst, TileData &src, ##__VA_ARGS__, PTO_EVENTS);
#define PTOLINT_LIST(...) __VA_ARGS__
PTO_TSTORE((typename TileData, typename GlobalData))
PTO_TSTORE((typename TileData, typename GlobalData, AtomicType atomic))
PTO_TSTORE((typename TileData, typename GlobalData, AtomicType atomic, ReluPreMode relu_mode))
PTO_TSTORE((typename TileData, typename GlobalData, AtomicType atomic = AtomicType::AtomicNone,
            ReluPreMode relu_mode = ReluPreMode::NoRelu),
           uint64_t pre_quant_scalar)
#undef PTOLINT_LIST
#undef PTO_TSTORE

PTO_TEMPLATE(typename TileData, typename GlobalData, typename FpTileData,
             AtomicType atomic = AtomicType::AtomicNone, ReluPreMode relu_mode = ReluPreMode::NoRelu)
PTO_RECORD(detail::tiles<TileData, FpTileData> &&detail::views<GlobalData>)
TSTORE_FP(GlobalData &dst, TileData &src, FpTileData &fp, PTO_EVENTS);

// Gather from and scatter to global memory by index.
#define PTO_MGATHER(...)                                                                                     \
    template <__VA_ARGS__ typename TileDst, typename GlobalData, typename TileInd, typename... WaitEvents>   \
    PTO_RECORD(detail::tiles<TileDst> && (detail::tiles<TileInd> || detail::views<TileInd>) &&               \
               detail::views<GlobalData>)                                                                    \
    MGATHER(TileDst &dst, GlobalData &src, TileInd &indexes, PTO_EVENTS);                                    \
    template <__VA_ARGS__ typename TileDst, typename GlobalData, typename GlobalIdx, typename GlobalScratch, \
              typename... WaitEvents>                                                                        \
    PTO_RECORD(detail::tiles<TileDst> &&detail::views<GlobalData, GlobalIdx, GlobalScratch>)                 \
    MGATHER(TileDst &dst, GlobalData &src, GlobalIdx &indexes, GlobalScratch &scratch, PTO_EVENTS);
PTO_MGATHER()
PTO_MGATHER(Coalesce c_mode, )
PTO_MGATHER(Coalesce c_mode, GatherOOB mode, )
PTO_MGATHER(Coalesce c_mode, GatherOOB mode, GatherExec exec, )
#undef PTO_MGATHER
#define PTO_MSCATTER(...)                                                                                  \
    template <__VA_ARGS__ typename GlobalData, typename TileSrc, typename TileInd, typename... WaitEvents> \
    PTO_RECORD(detail::tiles<TileSrc, TileInd> &&detail::views<GlobalData>)                                \
    MSCATTER(GlobalData &dst, TileSrc &src, TileInd &indexes, PTO_EVENTS);
PTO_MSCATTER()
PTO_MSCATTER(Coalesce mode, )
PTO_MSCATTER(Coalesce mode, ScatterAtomicOp atomic, )
PTO_MSCATTER(Coalesce mode, ScatterAtomicOp atomic, ScatterOOB oob, )
PTO_MSCATTER(Coalesce mode, ScatterAtomicOp atomic, ScatterOOB oob, ScatterConflict conflict, )
#undef PTO_MSCATTER

} // namespace pto
