// Moving and reshaping between tiles: TMOV, TEXTRACT, TINSERT with their requantising forms, and data shuffles.
#pragma once

#include <pto/detail/overloads.hpp>

namespace pto {

#define PTOLINT_LIST(...) __VA_ARGS__
// The forms of a move: Types after dst and src, then the operands after them.
#define PTO_MOVE(name, Types, Tiles, ...)         \
    PTO_TEMPLATE(PTOLINT_LIST Types)              \
    PTO_RECORD(detail::tiles<PTOLINT_LIST Tiles>) \
    name(DstTile &dst, SrcTile &src, ##__VA_ARGS__, PTO_EVENTS);
#define PTO_TMOV(Types, Tiles, ...)             \
    PTO_MOVE(TMOV, Types, Tiles, ##__VA_ARGS__) \
    PTO_MOVE(TMOV, (STPhase phase, PTOLINT_LIST Types), Tiles, ##__VA_ARGS__)

#define PTOLINT_TYPES typename DstTile, typename SrcTile
#define PTOLINT_RELU ReluPreMode relu_mode = ReluPreMode::NoRelu
#define PTOLINT_MODE AccToVecMode mode, PTOLINT_RELU

PTO_TMOV((PTOLINT_TYPES), (DstTile, SrcTile))
PTO_TMOV((PTOLINT_TYPES, ReluPreMode relu_mode), (DstTile, SrcTile))
PTO_TMOV((PTOLINT_TYPES, PTOLINT_MODE), (DstTile, SrcTile))
PTO_TMOV((PTOLINT_TYPES, PTOLINT_RELU), (DstTile, SrcTile), uint64_t pre_quant_scalar)
PTO_TMOV((PTOLINT_TYPES, PTOLINT_MODE), (DstTile, SrcTile), uint64_t pre_quant_scalar)
PTO_TMOV((PTOLINT_TYPES, typename FpTile, PTOLINT_MODE), (DstTile, SrcTile, FpTile), FpTile &fp)
PTO_MOVE(TMOV, (PTOLINT_TYPES, typename TmpTile), (DstTile, SrcTile, TmpTile), TmpTile &tmp)
PTO_MOVE(TMOV, (int grp_axis, PTOLINT_TYPES, typename TmpTile), (DstTile, SrcTile, TmpTile), TmpTile &tmp)
PTO_MOVE(TMOV_FP, (PTOLINT_TYPES, typename FpTile, PTOLINT_RELU), (DstTile, SrcTile, FpTile), FpTile &fp)
PTO_MOVE(TMOV_FP, (STPhase phase, PTOLINT_TYPES, typename FpTile, PTOLINT_RELU), (DstTile, SrcTile, FpTile), FpTile &fp)

#define PTOLINT_AT uint16_t index_row, uint16_t index_col
#define PTOLINT_AT_ORIGIN uint16_t index_row = 0, uint16_t index_col = 0
#define PTO_WINDOW(name)                                                                                     \
    PTO_MOVE(name, (PTOLINT_TYPES, ReluPreMode relu_mode), (DstTile, SrcTile), PTOLINT_AT)                   \
    PTO_MOVE(name, (PTOLINT_TYPES, PTOLINT_MODE), (DstTile, SrcTile), PTOLINT_AT)                            \
    PTO_MOVE(name, (PTOLINT_TYPES, PTOLINT_RELU), (DstTile, SrcTile), uint64_t pre_quant_scalar, PTOLINT_AT) \
    PTO_MOVE(name, (PTOLINT_TYPES, PTOLINT_MODE), (DstTile, SrcTile), uint64_t pre_quant_scalar, PTOLINT_AT) \
    PTO_MOVE(name, (PTOLINT_TYPES, typename FpTile, PTOLINT_MODE), (DstTile, SrcTile, FpTile), FpTile &fp,   \
             PTOLINT_AT)                                                                                     \
    PTO_MOVE(name##_FP, (PTOLINT_TYPES, typename FpTile, PTOLINT_RELU), (DstTile, SrcTile, FpTile), FpTile &fp, \
             PTOLINT_AT)
PTO_WINDOW(TEXTRACT)
PTO_MOVE(TEXTRACT, (PTOLINT_TYPES), (DstTile, SrcTile), PTOLINT_AT_ORIGIN)
PTO_TEMPLATE(typename Dst0Tile, typename Dst1Tile, typename SrcTile)
PTO_RECORD(detail::tiles<Dst0Tile, Dst1Tile, SrcTile>)
TEXTRACT(Dst0Tile &dst0, Dst1Tile &dst1, SrcTile &src, uint16_t index_row0 = 0, uint16_t index_col0 = 0,
         uint16_t index_row1 = 0, uint16_t index_col1 = 0, PTO_EVENTS);
PTO_WINDOW(TINSERT)
PTO_MOVE(TINSERT, (PTOLINT_TYPES), (DstTile, SrcTile), PTOLINT_AT)
PTO_MOVE(TINSERT, (TInsertMode split_mode, PTOLINT_TYPES), (DstTile, SrcTile), PTOLINT_AT_ORIGIN)
#undef PTO_WINDOW
#undef PTOLINT_AT_ORIGIN
#undef PTOLINT_AT
#undef PTOLINT_MODE
#undef PTOLINT_RELU
#undef PTOLINT_TYPES
#undef PTO_TMOV
#undef PTO_MOVE
#undef PTOLINT_LIST

} // namespace pto
