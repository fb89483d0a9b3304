// Moving and reshaping between tiles: TMOV, TEXTRACT, TINSERT with their requantising forms, and data shuffles.
#pragma once

#include <pto/detail/overloads.hpp>

namespace pto {

#define PTOLINT_LIST(...) __VA_ARGS__
// The forms of a move: Types after dst and src, then the operands after them.
#define PTO_MOVE(name, Types, Tiles, ...)                              \
    PTO_TEMPLATE(PTOLINT_LIST Types)                                   \
    PTO_RECORD(detail::tiles<PTOLINT_LIST Tiles>)                      \
    name(DstTile &dst, SrcTile &src, ##__VA_ARGS__, PTO_EVENTS);
#define PTO_TMOV(Types, Tiles, ...)                                                 \
    PTO_MOVE(TMOV, Types, Tiles, ##__VA_ARGS__)                                     \
    PTO_MOVE(TMOV, (STPhase phase, PTOLINT_LIST Types), Tiles, ##__VA_ARGS__)

#define PLAIN typename DstTile, typename SrcTile
#define RELU_DEFAULT ReluPreMode relu_mode = ReluPreMode::NoRelu
#define MODE_RELU AccToVecMode mode, RELU_DEFAULT

PTO_TMOV((PLAIN), (DstTile, SrcTile))
PTO_TMOV((PLAIN, ReluPreMode relu_mode), (DstTile, SrcTile))
PTO_TMOV((PLAIN, MODE_RELU), (DstTile, SrcTile))
PTO_TMOV((PLAIN, RELU_DEFAULT), (DstTile, SrcTile), uint64_t pre_quant_scalar)
PTO_TMOV((PLAIN, MODE_RELU), (DstTile, SrcTile), uint64_t pre_quant_scalar)
PTO_TMOV((PLAIN, typename FpTile, MODE_RELU), (DstTile, SrcTile, FpTile), FpTile &fp)
PTO_MOVE(TMOV, (PLAIN, typename TmpTile), (DstTile, SrcTile, TmpTile), TmpTile &tmp)
PTO_MOVE(TMOV, (int grp_axis, PLAIN, typename TmpTile), (DstTile, SrcTile, TmpTile), TmpTile &tmp)
PTO_MOVE(TMOV_FP, (PLAIN, typename FpTile, RELU_DEFAULT), (DstTile, SrcTile, FpTile), FpTile &fp)
PTO_MOVE(TMOV_FP, (STPhase phase, PLAIN, typename FpTile, RELU_DEFAULT), (DstTile, SrcTile, FpTile), FpTile &fp)

#define AT uint16_t index_row, uint16_t index_col
#define AT_DEFAULT uint16_t index_row = 0, uint16_t index_col = 0
#define PTO_WINDOW(name)                                                                                     \
    PTO_MOVE(name, (PLAIN, ReluPreMode relu_mode), (DstTile, SrcTile), AT)                                   \
    PTO_MOVE(name, (PLAIN, MODE_RELU), (DstTile, SrcTile), AT)                                               \
    PTO_MOVE(name, (PLAIN, RELU_DEFAULT), (DstTile, SrcTile), uint64_t pre_quant_scalar, AT)                 \
    PTO_MOVE(name, (PLAIN, MODE_RELU), (DstTile, SrcTile), uint64_t pre_quant_scalar, AT)                    \
    PTO_MOVE(name, (PLAIN, typename FpTile, MODE_RELU), (DstTile, SrcTile, FpTile), FpTile &fp, AT)          \
    PTO_MOVE(name##_FP, (PLAIN, typename FpTile, RELU_DEFAULT), (DstTile, SrcTile, FpTile), FpTile &fp, AT)
PTO_WINDOW(TEXTRACT)
PTO_MOVE(TEXTRACT, (PLAIN), (DstTile, SrcTile), AT_DEFAULT)
PTO_TEMPLATE(typename Dst0Tile, typename Dst1Tile, typename SrcTile)
PTO_RECORD(detail::tiles<Dst0Tile, Dst1Tile, SrcTile>)
TEXTRACT(Dst0Tile &dst0, Dst1Tile &dst1, SrcTile &src, uint16_t index_row0 = 0, uint16_t index_col0 = 0,
         uint16_t index_row1 = 0, uint16_t index_col1 = 0, PTO_EVENTS);
PTO_WINDOW(TINSERT)
PTO_MOVE(TINSERT, (PLAIN), (DstTile, SrcTile), AT)
PTO_MOVE(TINSERT, (TInsertMode split_mode, PLAIN), (DstTile, SrcTile), AT_DEFAULT)
#undef PTO_WINDOW
#undef AT_DEFAULT
#undef AT
#undef MODE_RELU
#undef RELU_DEFAULT
#undef PLAIN
#undef PTO_TMOV
#undef PTO_MOVE
#undef PTOLINT_LIST

} // namespace pto
