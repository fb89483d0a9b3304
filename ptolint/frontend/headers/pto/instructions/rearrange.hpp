// Views of tiles, padding, sorting, gathering, scattering and generating.
#pragma once

#include <pto/detail/overloads.hpp>

namespace pto {

PTO_UNARY(TRESHAPE)
PTO_TEMPLATE(typename TileDst, typename TileSrc)
PTO_RECORD(detail::tiles<TileDst, TileSrc>)
TSUBVIEW(TileDst &dst, TileSrc &src, uint16_t row_idx, uint16_t col_idx, PTO_EVENTS);
PTO_UNARY_TMP(TTRANS)

PTO_BINARY(TCONCAT)
PTO_TEMPLATE(typename TileDst, typename TileSrc0, typename TileSrc1, typename TileSrc0Idx, typename TileSrc1Idx)
PTO_RECORD(detail::tiles<TileDst, TileSrc0, TileSrc1, TileSrc0Idx, TileSrc1Idx>)
TCONCAT(TileDst &dst, TileSrc0 &src0, TileSrc1 &src1, TileSrc0Idx &src0_idx, TileSrc1Idx &src1_idx, PTO_EVENTS);
PTO_TEMPLATE(typename TileDst, typename TileSrc0, typename TileSrc1, typename TileDstIdx, typename TileSrc0Idx,
             typename TileSrc1Idx)
PTO_RECORD(detail::tiles<TileDst, TileSrc0, TileSrc1, TileDstIdx, TileSrc0Idx, TileSrc1Idx>)
TCONCAT(TileDst &dst, TileSrc0 &src0, TileSrc1 &src1, TileDstIdx &dst_idx, TileSrc0Idx &src0_idx,
        TileSrc1Idx &src1_idx, PTO_EVENTS);

PTO_TEMPLATE(typename TileDst, typename TileSrc)
PTO_RECORD(detail::tiles<TileDst, TileSrc>)
TINTERLEAVE(TileDst &dst1, TileDst &dst0, TileSrc &src1, TileSrc &src0, PTO_EVENTS);
PTO_TEMPLATE(typename TileDst, typename TileSrc)
PTO_RECORD(detail::tiles<TileDst, TileSrc>)
TDEINTERLEAVE(TileDst &dst1, TileDst &dst0, TileSrc &src1, TileSrc &src0, PTO_EVENTS);
PTO_TEMPLATE(typename TileDst, typename TileSrc)
PTO_RECORD(detail::tiles<TileDst, TileSrc>)
TDEINTERLEAVE(TileDst &dst1, TileDst &dst0, TileSrc &src, PTO_EVENTS);

// Padding: an L1 tile with a value, a vector tile in a mode.
PTO_TEMPLATE(typename TileData, PadValue pad_val = PadValue::Zero)
PTO_RECORD(detail::tiles<TileData> && TileData::Loc == TileType::Mat)
TFILLPAD(TileData &dst, TileData &src, PTO_EVENTS);
PTO_TEMPLATE(TFillPadMode mode = TFillPadMode::Normal, typename TileDst = void, typename TileSrc = void)
PTO_RECORD(detail::tiles<TileDst, TileSrc> && TileDst::Loc == TileType::Vec && TileSrc::Loc == TileType::Vec)
TFILLPAD(TileDst &dst, TileSrc &src, PTO_EVENTS);
PTO_UNARY(TFILLPAD_INPLACE)
PTO_UNARY(TFILLPAD_EXPAND)

PTO_TEMPLATE(typename TileDst, typename TileSrc, typename TileIdx)
PTO_RECORD(detail::tiles<TileDst, TileSrc, TileIdx>)
TSORT32(TileDst &dst, TileSrc &src, TileIdx &idx, PTO_EVENTS);
PTO_TEMPLATE(typename TileDst, typename TileSrc, typename TileIdx, typename TileTmp)
PTO_RECORD(detail::tiles<TileDst, TileSrc, TileIdx, TileTmp>)
TSORT32(TileDst &dst, TileSrc &src, TileIdx &idx, TileTmp &tmp, PTO_EVENTS);

// Merging two to four sorted lists, or the blocks of one.
#define PTOLINT_LIST(...) __VA_ARGS__
#define PTO_MERGE(Types, Tiles, ...)                                                                          \
    PTO_TEMPLATE(typename TileDst, typename TileTmp, typename TileSrc0, typename TileSrc1, PTOLINT_LIST Types \
                 bool exhausted)                                                                              \
    PTO_RECORD(detail::tiles<TileDst, TileTmp, TileSrc0, TileSrc1 PTOLINT_LIST Tiles>)                        \
    TMRGSORT(TileDst &dst, MrgSortExecutedNumList &executed_num_list, TileTmp &tmp, TileSrc0 &src0,           \
             TileSrc1 &src1, ##__VA_ARGS__, PTO_EVENTS);
PTO_MERGE((), ())
PTO_MERGE((typename TileSrc2, ), (, TileSrc2), TileSrc2 &src2)
PTO_MERGE((typename TileSrc2, typename TileSrc3, ), (, TileSrc2, TileSrc3), TileSrc2 &src2, TileSrc3 &src3)
#undef PTO_MERGE
#undef PTOLINT_LIST
PTO_TEMPLATE(typename TileDst, typename TileSrc)
PTO_RECORD(detail::tiles<TileDst, TileSrc>)
TMRGSORT(TileDst &dst, TileSrc &src, uint32_t block_len, PTO_EVENTS);

// Gather by index, by comparison, by mask, by block offset; scatter by index and by mask.
PTO_BINARY_TMP(TGATHER)
PTO_TEMPLATE(typename TileDst, typename TileSrc0, typename TileK, typename TileCdst, typename TileTmp,
             CmpMode cmp_mode)
PTO_RECORD(detail::tiles<TileDst, TileSrc0, TileK, TileCdst, TileTmp>)
TGATHER(TileDst &dst, TileSrc0 &src0, TileK &k_value, TileCdst &cdst, TileTmp &tmp, int offset, PTO_EVENTS);
PTO_TEMPLATE(typename TileDst, typename TileSrc, MaskPattern mask_pattern = MaskPattern::P1111,
             GatherAxis gather_type = GatherAxis::GATHER_ROW)
PTO_RECORD(detail::tiles<TileDst, TileSrc>)
TGATHER(TileDst &dst, TileSrc &src, PTO_EVENTS);
PTO_TEMPLATE(typename TileDst, typename TileSrc, typename TileOffset)
PTO_RECORD(detail::tiles<TileDst, TileSrc, TileOffset>)
TGATHERB(TileDst &dst, TileSrc &src, TileOffset &offset, PTO_EVENTS);
PTO_TEMPLATE(typename TileDst, typename TileSrc, typename TileIdx)
PTO_RECORD(detail::tiles<TileDst, TileSrc, TileIdx>)
TSCATTER(TileDst &dst, TileSrc &src, TileIdx &indexes, PTO_EVENTS);
PTO_TEMPLATE(MaskPattern mask_pattern = MaskPattern::P1111, ScatterAxis scatter_type = ScatterAxis::SCATTER_ROW,
             typename TileDst = void, typename TileSrc = void)
PTO_RECORD(detail::tiles<TileDst, TileSrc>)
TSCATTER(TileDst &dst, TileSrc &src, PTO_EVENTS);

// Index sequences, triangular masks, random numbers.
PTO_TEMPLATE(typename TileData, typename T, int descending)
PTO_RECORD(detail::tiles<TileData>)
TCI(TileData &dst, T start, PTO_EVENTS);
PTO_TEMPLATE(typename TileData, typename TileTmp, typename T, int descending)
PTO_RECORD(detail::tiles<TileData, TileTmp>)
TCI(TileData &dst, T start, TileTmp &tmp, PTO_EVENTS);
PTO_TEMPLATE(typename TileData, int is_upper_or_lower)
PTO_RECORD(detail::tiles<TileData>)
TTRI(TileData &dst, int diagonal, PTO_EVENTS);
PTO_TEMPLATE(uint16_t rounds = 10, typename TileDst = void)
PTO_RECORD(detail::tiles<TileDst>)
TRANDOM(TileDst &dst, TRandomKey &key, TRandomCounter &counter, PTO_EVENTS);

// Debug output.
template <PrintFormat format = PrintFormat::Width8_Precision4, typename TileData>
PTO_INSTRUCTION void TPRINT(TileData &src);
template <PrintFormat format = PrintFormat::Width8_Precision4, typename TileData, typename GlobalData>
PTO_INSTRUCTION void TPRINT(TileData &src, GlobalData &tmp);

} // namespace pto
