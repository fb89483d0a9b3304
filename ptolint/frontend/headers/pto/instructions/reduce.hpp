// Reductions along rows and columns, and the expansions that undo them.
#pragma once

#include <pto/detail/overloads.hpp>

namespace pto {

PTO_UNARY_TMP(TROWSUM)
PTO_UNARY_TMP(TROWPROD)
PTO_UNARY_TMP(TROWMAX)
PTO_UNARY_TMP(TROWMIN)
PTO_UNARY(TCOLSUM)
PTO_UNARY(TCOLPROD)
PTO_UNARY(TCOLMAX)
PTO_UNARY(TCOLMIN)
PTO_TEMPLATE(typename TileDst, typename TileSrc, typename TileTmp)
PTO_RECORD(detail::tiles<TileDst, TileSrc, TileTmp>)
TCOLSUM(TileDst &dst, TileSrc &src, TileTmp &tmp, bool is_binary, PTO_EVENTS);
PTO_UNARY(TPAIRREDUCESUM)

// Index of the extreme value, optionally with the value itself.
#define PTO_ARG(name)                                                                    \
    PTO_UNARY_TMP(name)                                                                  \
    PTO_TEMPLATE(typename TileVal, typename TileIdx, typename TileSrc, typename TileTmp) \
    PTO_RECORD(detail::tiles<TileVal, TileIdx, TileSrc, TileTmp>)                        \
    name(TileVal &dst_val, TileIdx &dst_idx, TileSrc &src, TileTmp &tmp, PTO_EVENTS);
PTO_ARG(TROWARGMAX)
PTO_ARG(TROWARGMIN)
PTO_ARG(TCOLARGMAX)
PTO_ARG(TCOLARGMIN)
#undef PTO_ARG
#define PTO_PART_ARG(name)                                                                         \
    PTO_TEMPLATE(typename TileDst, typename TileSrc0, typename TileSrc1, typename TileDstIdx,      \
                 typename TileSrc0Idx, typename TileSrc1Idx)                                       \
    PTO_RECORD(detail::tiles<TileDst, TileSrc0, TileSrc1, TileDstIdx, TileSrc0Idx, TileSrc1Idx>)   \
    name(TileDst &dst, TileSrc0 &src0, TileSrc1 &src1, TileDstIdx &dst_idx, TileSrc0Idx &src0_idx, \
         TileSrc1Idx &src1_idx, PTO_EVENTS);
PTO_PART_ARG(TPARTARGMAX)
PTO_PART_ARG(TPARTARGMIN)
#undef PTO_PART_ARG

PTO_UNARY(TROWEXPAND)
PTO_UNARY(TCOLEXPAND)
#define PTO_ROW_EXPAND(name) PTO_BINARY(name) PTO_BINARY_TMP(name)
PTO_ROW_EXPAND(TROWEXPANDADD)
PTO_ROW_EXPAND(TROWEXPANDSUB)
PTO_ROW_EXPAND(TROWEXPANDMUL)
PTO_ROW_EXPAND(TROWEXPANDMAX)
PTO_ROW_EXPAND(TROWEXPANDMIN)
PTO_ROW_EXPAND(TROWEXPANDEXPDIF)
#undef PTO_ROW_EXPAND
PTO_BINARY_PRECISE(TROWEXPANDDIV, DivAlgorithm)
PTO_TEMPLATE(DivAlgorithm precision_type = DivAlgorithm::DEFAULT, typename TileDst = void, typename TileSrc0 = void,
             typename TileSrc1 = void, typename TileTmp = void)
PTO_RECORD(detail::tiles<TileDst, TileSrc0, TileSrc1, TileTmp>)
TROWEXPANDDIV(TileDst &dst, TileSrc0 &src0, TileSrc1 &src1, TileTmp &tmp, PTO_EVENTS);
PTO_BINARY(TCOLEXPANDADD)
PTO_BINARY(TCOLEXPANDSUB)
PTO_BINARY(TCOLEXPANDMUL)
PTO_BINARY_PRECISE(TCOLEXPANDDIV, DivAlgorithm)
PTO_BINARY(TCOLEXPANDMAX)
PTO_BINARY(TCOLEXPANDMIN)
PTO_BINARY(TCOLEXPANDEXPDIF)

} // namespace pto
