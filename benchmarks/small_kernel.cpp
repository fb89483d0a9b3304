// The kernel of the benchmarks: a vector product over blocks of rows.
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int kRows = 16;
constexpr int kCols = 64;

using Lane = Tile<TileType::Vec, float, kRows, kCols, BLayout::RowMajor, -1, -1>;
using View = GlobalTensor<float, Shape<1, 1, 1, -1, kCols>, Stride<1, 1, 1, kCols, 1>>;

__global__ AICORE void multiply(__gm__ float *out, __gm__ float *lhs, __gm__ float *rhs, int rows)
{
    int first = get_block_idx() * kRows;
    if (rows <= 0 || first >= rows) {
        return;
    }
    int count = rows - first < kRows ? rows - first : kRows;
    Lane a(count, kCols), b(count, kCols), product(count, kCols);
    TASSIGN(a, 0x0);
    TASSIGN(b, 0x1000);
    TASSIGN(product, 0x2000);
    View left(lhs + first * kCols, Shape<1, 1, 1, -1, kCols>(count));
    View right(rhs + first * kCols, Shape<1, 1, 1, -1, kCols>(count));
    View result(out + first * kCols, Shape<1, 1, 1, -1, kCols>(count));
    TLOAD(a, left);
    TLOAD(b, right);
    TMUL(product, a, b);
    TSTORE(result, product);
}
