// Quantisation and dequantisation.
#pragma once

#include <pto/detail/overloads.hpp>

namespace pto {

// Microscaling: the exponents, maxima and scales go through pointers to tiles.
PTO_TEMPLATE(int grp_axis, MxQuantAlg mx_alg, typename TileOut = void, typename TileSrc = void, typename TileExp = void,
             typename TileMax = void, typename TileScaling = void)
PTO_RECORD(detail::tiles<TileOut, TileSrc, TileExp, TileMax, TileScaling>)
TQUANT(TileOut &dst, TileSrc &src, TileExp *exp, TileMax *max, TileScaling *scaling, PTO_EVENTS);
PTO_TEMPLATE(int grp_axis, MxQuantAlg mx_alg, bool interleave, typename TileOut = void, typename TileSrc = void,
             typename TileExp = void, typename TileMax = void, typename TileScaling = void)
PTO_RECORD(detail::tiles<TileOut, TileSrc, TileExp, TileMax, TileScaling>)
TQUANT(TileOut &dst, TileSrc &src, TileExp *exp, TileMax *max, TileScaling *scaling, PTO_EVENTS);
PTO_TEMPLATE(QuantType quant_type, typename TileOut, typename TileSrc, typename TileExp, typename TileMax,
             typename TileScaling, QuantScaleAlg scale_alg = QuantScaleAlg::OCP)
PTO_RECORD(detail::tiles<TileOut, TileSrc, TileExp, TileMax, TileScaling>)
TQUANT(TileOut &dst, TileSrc &src, TileExp *exp, TileMax *max, TileScaling *scaling, PTO_EVENTS);
PTO_TEMPLATE(QuantType quant_type, VecStoreMode store_mode, typename TileOut, typename TileSrc, typename TileExp,
             typename TileMax, typename TileScaling, typename TileExpZz)
PTO_RECORD(detail::tiles<TileOut, TileSrc, TileExp, TileMax, TileScaling, TileExpZz>)
TQUANT(TileOut &dst, TileSrc &src, TileExp *exp, TileMax *max, TileScaling *scaling, TileExpZz *exp_zz, PTO_EVENTS);

// Integers: a scale per row, optionally a scratch tile and an offset.
PTO_TEMPLATE(QuantType quant_type, typename TileOut, typename TileSrc, typename TilePara)
PTO_RECORD(detail::tiles<TileOut, TileSrc, TilePara>)
TQUANT(TileOut &dst, TileSrc &src, TilePara &scale, TilePara *offset = nullptr, PTO_EVENTS);
PTO_TEMPLATE(QuantType quant_type, typename TileOut, typename TileSrc, typename TilePara, typename TileTmp)
PTO_RECORD(detail::tiles<TileOut, TileSrc, TilePara, TileTmp>)
TQUANT(TileOut &dst, TileSrc &src, TilePara &scale, TileTmp &tmp, TilePara *offset = nullptr, PTO_EVENTS);

PTO_TEMPLATE(typename TileDst, typename TileSrc, typename TilePara)
PTO_RECORD(detail::tiles<TileDst, TileSrc, TilePara>)
TDEQUANT(TileDst &dst, TileSrc &src, TilePara &scale, TilePara &offset, PTO_EVENTS);

PTO_UNARY(TGET_SCALE_ADDR)
PTO_TEMPLATE(HistByte byte, typename TileDst, typename TileSrc, typename TileIdx)
PTO_RECORD(detail::tiles<TileDst, TileSrc, TileIdx>)
THISTOGRAM(TileDst &dst, TileSrc &src, TileIdx &idx, PTO_EVENTS);

} // namespace pto
