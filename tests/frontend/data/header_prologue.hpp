// Types that the tests of the model headers share.
#include <pto/pto-inst.hpp>
using namespace pto;
using V = Tile<TileType::Vec, float, 16, 64>;
using VH = Tile<TileType::Vec, half, 16, 64>;
using VI = Tile<TileType::Vec, int32_t, 16, 64>;
using V8 = Tile<TileType::Vec, int8_t, 16, 64>;
using D = Tile<TileType::Vec, float, 16, 64, BLayout::RowMajor, DYNAMIC, DYNAMIC>;
using M = Tile<TileType::Mat, half, 64, 64, BLayout::ColMajor, 64, 64, SLayout::RowMajor>;
using L = TileLeft<half, 64, 64>;
using R = TileRight<half, 64, 64>;
using A = TileAcc<float, 64, 64>;
using B = Tile<TileType::Bias, float, 1, 64>;
using F = Tile<TileType::Scaling, uint64_t, 1, 64>;
using SL = TileLeftScale<float8_e8m0_t, 64, 2>;
using SR = TileRightScale<float8_e8m0_t, 2, 64>;
using G = GlobalTensor<float, Shape<1, 1, 1, 16, 64>, BaseShape2D<float, 16, 64>>;
using C = ConvTile<TileType::Mat, half, 4096, Layout::NC1HWC0, ConvTileShape<1, 4, 8, 8, 16>>;
using Pipe = TPipe<0, Direction::DIR_C2V, 1024, 2>;
using E = Event<Op::TLOAD, Op::TADD>;
