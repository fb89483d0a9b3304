// The cube unit: matrix multiplication, its vector and microscaling forms.
#pragma once

#include <pto/detail/overloads.hpp>

namespace pto {

#define PTOLINT_LIST(...) __VA_ARGS__
// Each form exists plain and with an explicit accumulation phase in front of its type parameters.
#define PTO_CUBE(name, Types, Tiles, ...)            \
    PTO_TEMPLATE(PTOLINT_LIST Types)                 \
    PTO_RECORD(detail::tiles<PTOLINT_LIST Tiles>)    \
    name(__VA_ARGS__, PTO_EVENTS);                   \
    PTO_TEMPLATE(AccPhase phase, PTOLINT_LIST Types) \
    PTO_RECORD(detail::tiles<PTOLINT_LIST Tiles>)    \
    name(__VA_ARGS__, PTO_EVENTS);

#define PTOLINT_TYPES typename TileRes, typename TileL, typename TileR
#define PTOLINT_TILES TileRes, TileL, TileR
#define PTO_PRODUCT(name)                                                                                   \
    PTO_CUBE(name, (PTOLINT_TYPES), (PTOLINT_TILES), TileRes &c_matrix, TileL &a_matrix, TileR &b_matrix)   \
    PTO_CUBE(name##_ACC, (PTOLINT_TYPES), (PTOLINT_TILES), TileRes &c_out_matrix, TileRes &c_in_matrix,     \
             TileL &a_matrix, TileR &b_matrix)                                                              \
    PTO_CUBE(name##_BIAS, (PTOLINT_TYPES, typename TileBias), (PTOLINT_TILES, TileBias), TileRes &c_matrix, \
             TileL &a_matrix, TileR &b_matrix, TileBias &bias_data)
PTO_PRODUCT(TMATMUL)
PTO_PRODUCT(TGEMV)
PTO_CUBE(TMATMUL_ACC, (PTOLINT_TYPES), (PTOLINT_TILES), TileRes &c_matrix, TileL &a_matrix, TileR &b_matrix)
#undef PTO_PRODUCT

#define PTOLINT_MX_TYPES typename TileRes, typename TileL, typename TileLScale, typename TileR, typename TileRScale
#define PTOLINT_MX_TILES TileRes, TileL, TileLScale, TileR, TileRScale
#define PTOLINT_MX TileL &a_matrix, TileLScale &a_scale_matrix, TileR &b_matrix, TileRScale &b_scale_matrix
#define PTO_MX_PRODUCT(name)                                                                                        \
    PTO_CUBE(name, (PTOLINT_MX_TYPES), (PTOLINT_MX_TILES), TileRes &c_matrix, PTOLINT_MX)                           \
    PTO_CUBE(name, (PTOLINT_MX_TYPES), (PTOLINT_MX_TILES), TileRes &c_out_matrix, TileRes &c_in_matrix, PTOLINT_MX) \
    PTO_CUBE(name, (PTOLINT_MX_TYPES, typename TileBias), (PTOLINT_MX_TILES, TileBias), TileRes &c_matrix,          \
             PTOLINT_MX, TileBias &bias_data)
PTO_MX_PRODUCT(TMATMUL_MX)
PTO_MX_PRODUCT(TGEMV_MX)
#undef PTO_MX_PRODUCT
#undef PTOLINT_MX
#undef PTOLINT_MX_TILES
#undef PTOLINT_MX_TYPES
#undef PTOLINT_TILES
#undef PTOLINT_TYPES
#undef PTO_CUBE
#undef PTOLINT_LIST

// Convolution: the image-to-column move and its registers.
#define PTO_CONV(name, ...)                                                                             \
    PTO_TEMPLATE(typename ConvTileData, SetFmatrixMode fmatrix_mode = SetFmatrixMode::FMATRIX_A_MANUAL) \
    PTO_RECORD(is_conv_tile_v<ConvTileData>)                                                            \
    name(ConvTileData &src, PTO_EVENTS);
PTO_CONV(SETFMATRIX)
PTO_CONV(SET_IMG2COL_RPT)
PTO_CONV(SET_IMG2COL_PADDING)
#undef PTO_CONV
PTO_TEMPLATE(typename TileData, typename ConvTileData,
             SetFmatrixMode fmatrix_mode = SetFmatrixMode::FMATRIX_A_MANUAL)
PTO_RECORD(detail::tiles<TileData> &&is_conv_tile_v<ConvTileData>)
TIMG2COL(TileData &dst, ConvTileData &src, uint16_t pos_m = 0, uint16_t pos_k = 0, PTO_EVENTS);

template <typename OutType>
PTO_INSTRUCTION RecordEvent SET_QUANT_SCALAR(float pre_quant_scalar);
template <typename FpTileData>
PTO_INSTRUCTION std::enable_if_t<detail::tiles<FpTileData>, RecordEvent> SET_QUANT_VECTOR(FpTileData &fp_tile);

} // namespace pto
