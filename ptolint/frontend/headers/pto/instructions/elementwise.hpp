// Elementwise instructions on vector tiles.
#pragma once

#include <pto/detail/overloads.hpp>

namespace pto {

PTO_BINARY(TADD)
PTO_BINARY(TSUB)
PTO_BINARY(TMUL)
PTO_BINARY_PRECISE(TDIV, DivAlgorithm)
PTO_BINARY(TMIN)
PTO_BINARY(TMAX)
PTO_BINARY(TAND)
PTO_BINARY(TOR)
PTO_BINARY(TSHL)
PTO_BINARY(TSHR)
PTO_BINARY_TMP(TXOR)
PTO_BINARY_TMP(TPRELU)
PTO_BINARY_PRECISE(TFMOD, FmodAlgorithm)
PTO_BINARY(TSUBRELU)
PTO_BINARY(TSUBRELUCONV)
PTO_BINARY(TADDRELUCONV)
PTO_BINARY(TFUSEDMULADD)
PTO_BINARY(TFUSEDMULADDRELU)
PTO_BINARY(TMULADDDST)
PTO_BINARY(TPARTADD)
PTO_BINARY(TPARTMUL)
PTO_BINARY(TPARTMAX)
PTO_BINARY(TPARTMIN)

PTO_TEMPLATE(RemAlgorithm precision_type = RemAlgorithm::DEFAULT, typename TileDst = void, typename TileSrc0 = void,
             typename TileSrc1 = void, typename TileTmp = void)
PTO_RECORD(detail::tiles<TileDst, TileSrc0, TileSrc1, TileTmp>)
TREM(TileDst &dst, TileSrc0 &src0, TileSrc1 &src1, TileTmp &tmp, PTO_EVENTS);

PTO_UNARY(TABS)
PTO_UNARY(TNEG)
PTO_UNARY(TNOT)
PTO_UNARY(TRELU)
PTO_UNARY_PRECISE(TEXP, ExpAlgorithm)
PTO_UNARY_PRECISE(TLOG, LogAlgorithm)
PTO_UNARY_PRECISE(TSQRT, SqrtAlgorithm)
PTO_UNARY_PRECISE(TRECIP, RecipAlgorithm)
// A reciprocal takes the algorithms of the division as well.
PTO_TEMPLATE(DivAlgorithm precision_type, typename TileDst, typename TileSrc)
PTO_RECORD(detail::tiles<TileDst, TileSrc>)
TRECIP(TileDst &dst, TileSrc &src, PTO_EVENTS);
PTO_UNARY_PRECISE(TRSQRT, RsqrtAlgorithm)
PTO_TEMPLATE(RsqrtAlgorithm precision_type = RsqrtAlgorithm::DEFAULT, typename TileDst = void, typename TileSrc = void,
             typename TileTmp = void)
PTO_RECORD(detail::tiles<TileDst, TileSrc, TileTmp>)
TRSQRT(TileDst &dst, TileSrc &src, TileTmp &tmp, PTO_EVENTS);

PTO_TILE_SCALAR(TADDS, src0, TileSrc)
PTO_TILE_SCALAR(TSUBS, src0, TileSrc)
PTO_TILE_SCALAR(TMULS, src0, TileSrc)
PTO_TILE_SCALAR(TAXPY, src0, TileSrc)
PTO_TILE_SCALAR(TMINS, src, TileSrc)
PTO_TILE_SCALAR(TMAXS, src, TileSrc)
PTO_TILE_SCALAR(TLRELU, src, TileSrc)
PTO_TILE_SCALAR(TANDS, src, TileDst)
PTO_TILE_SCALAR(TORS, src, TileDst)
PTO_TILE_SCALAR(TSHLS, src, TileDst)
PTO_TILE_SCALAR(TSHRS, src, TileDst)

PTO_TEMPLATE(DivAlgorithm precision_type = DivAlgorithm::DEFAULT, typename TileDst = void, typename TileSrc = void)
PTO_RECORD(detail::tiles<TileDst, TileSrc>)
TDIVS(TileDst &dst, TileSrc &src0, typename TileSrc::DType scalar, PTO_EVENTS);
PTO_TEMPLATE(DivAlgorithm precision_type = DivAlgorithm::DEFAULT, typename TileDst = void, typename TileSrc = void)
PTO_RECORD(detail::tiles<TileDst, TileSrc>)
TDIVS(TileDst &dst, typename TileDst::DType scalar, TileSrc &src0, PTO_EVENTS);
PTO_TEMPLATE(FmodSAlgorithm precision_type = FmodSAlgorithm::DEFAULT, typename TileDst = void, typename TileSrc = void)
PTO_RECORD(detail::tiles<TileDst, TileSrc>)
TFMODS(TileDst &dst, TileSrc &src, typename TileSrc::DType scalar, PTO_EVENTS);
PTO_TEMPLATE(RemSAlgorithm precision_type = RemSAlgorithm::DEFAULT, typename TileDst = void, typename TileSrc = void,
             typename TileTmp = void)
PTO_RECORD(detail::tiles<TileDst, TileSrc, TileTmp>)
TREMS(TileDst &dst, TileSrc &src, typename TileSrc::DType scalar, TileTmp &tmp, PTO_EVENTS);
PTO_TEMPLATE(typename TileDst, typename TileSrc, typename TileTmp)
PTO_RECORD(detail::tiles<TileDst, TileSrc, TileTmp>)
TXORS(TileDst &dst, TileSrc &src0, typename TileSrc::DType scalar, TileTmp &tmp, PTO_EVENTS);

PTO_TEMPLATE(PowAlgorithm precision_type = PowAlgorithm::DEFAULT, typename TileDst = void, typename TileBase = void,
             typename TileExp = void, typename TileTmp = void)
PTO_RECORD(detail::tiles<TileDst, TileBase, TileExp, TileTmp>)
TPOW(TileDst &dst, TileBase &base, TileExp &exp, TileTmp &tmp, PTO_EVENTS);
PTO_TEMPLATE(PowAlgorithm precision_type = PowAlgorithm::DEFAULT, typename TileDst = void, typename TileBase = void,
             typename TileTmp = void)
PTO_RECORD(detail::tiles<TileDst, TileBase, TileTmp>)
TPOWS(TileDst &dst, TileBase &base, typename TileDst::DType exp, TileTmp &tmp, PTO_EVENTS);

#define PTO_TERNARY(name)               \
    PTO_TEMPLATE(typename TileData)     \
    PTO_RECORD(detail::tiles<TileData>) \
    name(TileData &dst, TileData &src0, TileData &src1, TileData &src2, PTO_EVENTS);
PTO_TERNARY(TADDC)
PTO_TERNARY(TSUBC)
#undef PTO_TERNARY
#define PTO_SCALAR_TERNARY(name)        \
    PTO_TEMPLATE(typename TileData)     \
    PTO_RECORD(detail::tiles<TileData>) \
    name(TileData &dst, TileData &src0, typename TileData::DType scalar, TileData &src1, PTO_EVENTS);
PTO_SCALAR_TERNARY(TADDSC)
PTO_SCALAR_TERNARY(TSUBSC)
#undef PTO_SCALAR_TERNARY

PTO_TEMPLATE(typename TileDst, typename TileSrc0, typename TileSrc1, typename TileTmp)
PTO_RECORD(detail::tiles<TileDst, TileSrc0, TileSrc1, TileTmp>)
TADDDEQRELU(TileDst &dst, TileSrc0 &src0, TileSrc1 &src1, float deq_scale, TileTmp &tmp, PTO_EVENTS);

PTO_TEMPLATE(typename TileData)
PTO_RECORD(detail::tiles<TileData>)
TEXPANDS(TileData &dst, typename TileData::DType scalar, PTO_EVENTS);

// Comparison and selection.
PTO_TEMPLATE(typename TileDst, typename TileSrc0, typename TileSrc1)
PTO_RECORD(detail::tiles<TileDst, TileSrc0, TileSrc1>)
TCMP(TileDst &dst, TileSrc0 &src0, TileSrc1 &src1, CmpMode cmp_mode, PTO_EVENTS);
PTO_TEMPLATE(typename TileDst, typename TileSrc0)
PTO_RECORD(detail::tiles<TileDst, TileSrc0>)
TCMPS(TileDst &dst, TileSrc0 &src0, typename TileSrc0::DType src1, CmpMode mode, PTO_EVENTS);
PTO_TEMPLATE(typename TileDst, typename TileSrc0, typename TileSrc1)
PTO_RECORD(detail::tiles<TileDst, TileSrc0, TileSrc1>)
TCMPS(TileDst &dst, TileSrc0 &src0, TileSrc1 &src1, CmpMode mode, PTO_EVENTS);
PTO_TEMPLATE(typename TileData, typename MaskTile, typename TileTmp)
PTO_RECORD(detail::tiles<TileData, MaskTile, TileTmp>)
TSEL(TileData &dst, MaskTile &sel_mask, TileData &src0, TileData &src1, TileTmp &tmp, PTO_EVENTS);
PTO_TEMPLATE(typename TileDst, typename TileMask, typename TileSrc, typename TileTmp)
PTO_RECORD(detail::tiles<TileDst, TileMask, TileSrc, TileTmp>)
TSELS(TileDst &dst, TileMask &mask, TileSrc &src, TileTmp &tmp, typename TileSrc::DType scalar, PTO_EVENTS);

// Conversion of the element type.
#define PTO_TCVT(...)                                                                         \
    PTO_TEMPLATE(bool need_set_ctrl = true, typename TileDst = void, typename TileSrc = void) \
    PTO_RECORD(detail::tiles<TileDst, TileSrc>)                                               \
    TCVT(TileDst &dst, TileSrc &src, __VA_ARGS__, PTO_EVENTS);                                \
    PTO_TEMPLATE(bool need_set_ctrl = true, typename TileDst = void, typename TileSrc = void, \
                 typename TileTmp = void)                                                     \
    PTO_RECORD(detail::tiles<TileDst, TileSrc, TileTmp>)                                      \
    TCVT(TileDst &dst, TileSrc &src, TileTmp &tmp, __VA_ARGS__, PTO_EVENTS);
PTO_TCVT(RoundMode mode)
PTO_TCVT(RoundMode mode, SaturationMode sat_mode)
#undef PTO_TCVT

} // namespace pto
