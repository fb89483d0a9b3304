// Tiles, tensors in global memory and their shapes.
//
// Nothing here rejects an illegal tile or view: that is what the rules report, in the user's terms. A `static_assert`
// whose text is `ptolint:` and a rule's id tells the front end of a fault that the types do not show afterwards.
#pragma once

#include <pto/common/constants.hpp>
#include <pto/common/debug.h>
#include <pto/common/memory.hpp>
#include <pto/common/type.hpp>

namespace pto {

constexpr int DYNAMIC = -1;

// ---------------------------------------------------------------- shapes and strides

namespace detail {
template <int64_t... N>
inline constexpr int dynamicCount = ((N == DYNAMIC ? 1 : 0) + ... + 0);
template <size_t A, size_t B>
inline constexpr bool paired = A > 0 && A == B;
template <bool Ok>
using Only = std::enable_if_t<Ok, int>;
} // namespace detail

// Constructed from its dynamic dimensions in order, or from all five dimensions.
#define PTOLINT_DIMS(Name, member, staticMember)                                                          \
    template <int64_t N1 = DYNAMIC, int64_t N2 = DYNAMIC, int64_t N3 = DYNAMIC, int64_t N4 = DYNAMIC,     \
              int64_t N5 = DYNAMIC>                                                                       \
    struct Name {                                                                                         \
        static constexpr int64_t staticMember[5] = {N1, N2, N3, N4, N5};                                  \
        static constexpr int dynamicDims = detail::dynamicCount<N1, N2, N3, N4, N5>;                      \
        int64_t member[5];                                                                                \
        AICORE constexpr Name() : member{1, 1, 1, 1, 1} {}                                                \
        template <int Count = dynamicDims, detail::Only<Count == 1> = 0>                                  \
        AICORE constexpr Name(int64_t n) : member{n} {}                                                   \
        template <int Count = dynamicDims, detail::Only<Count == 2> = 0>                                  \
        AICORE constexpr Name(int64_t n1, int64_t n2) : member{n1, n2} {}                                 \
        template <int Count = dynamicDims, detail::Only<Count == 3> = 0>                                  \
        AICORE constexpr Name(int64_t n1, int64_t n2, int64_t n3) : member{n1, n2, n3} {}                 \
        template <int Count = dynamicDims, detail::Only<Count == 4> = 0>                                  \
        AICORE constexpr Name(int64_t n1, int64_t n2, int64_t n3, int64_t n4) : member{n1, n2, n3, n4} {} \
        AICORE constexpr Name(int64_t n1, int64_t n2, int64_t n3, int64_t n4, int64_t n5)                 \
            : member{n1, n2, n3, n4, n5} {}                                                               \
    }
PTOLINT_DIMS(Shape, shape, staticShape);
PTOLINT_DIMS(Stride, stride, staticStride);
#undef PTOLINT_DIMS

template <typename T>
struct remove_gm {
    using type = T;
};
template <typename T>
using remove_gm_t = std::remove_cv_t<T>;

template <typename Element_, typename Shape_, typename Stride_, Layout Layout_ = Layout::ND>
struct GlobalTensor {
    using Shape = Shape_;
    using Stride = Stride_;
    using DType = std::remove_cv_t<Element_>;
    using RawDType = DType;
    static constexpr Layout layout = Layout_;
    static constexpr int64_t staticShape[5] = {Shape_::staticShape[0], Shape_::staticShape[1], Shape_::staticShape[2],
                                               Shape_::staticShape[3], Shape_::staticShape[4]};
    static constexpr int64_t staticStride[5] = {Stride_::staticStride[0], Stride_::staticStride[1],
                                                Stride_::staticStride[2], Stride_::staticStride[3],
                                                Stride_::staticStride[4]};
    inline static const Shape defaultShape{1, 1, 1, 1, 1};
    inline static const Stride defaultStride{1, 1, 1, 1, 1};

    AICORE GlobalTensor();
    AICORE GlobalTensor(DType *data, const Shape &shape = defaultShape, const Stride &stride = defaultStride);

    AICORE DType *data();
    AICORE DType *data() const;
    AICORE int64_t GetShape(int dim) const;
    AICORE int64_t GetStride(int dim) const;
    template <int dim>
    AICORE static constexpr int64_t GetShape()
    {
        return staticShape[dim];
    }
    template <int dim>
    AICORE static constexpr int64_t GetStride()
    {
        return staticStride[dim];
    }
    // One extent per named dimension.
    template <int... dims, typename... Extents, detail::Only<detail::paired<sizeof...(dims), sizeof...(Extents)>> = 0>
    AICORE void SetShape(Extents... extents);
    template <int... dims, typename... Extents, detail::Only<detail::paired<sizeof...(dims), sizeof...(Extents)>> = 0>
    AICORE void SetStride(Extents... extents);

private:
    DType *data_;
    Shape shape_;
    Stride stride_;
};

// The five-dimensional shape and stride of a two-dimensional view in each layout, from its rows and columns.
namespace detail {
constexpr int64_t over(int64_t n, int64_t by) { return n == DYNAMIC ? DYNAMIC : n / by; }
constexpr int64_t times(int64_t n, int64_t by) { return n == DYNAMIC || by == DYNAMIC ? DYNAMIC : n * by; }
template <typename T>
inline constexpr int64_t c0 = C0_SIZE_BYTE / sizeof(T);
constexpr bool isScalesOfA(Layout l) { return l == Layout::MX_A_ZZ || l == Layout::MX_A_ND || l == Layout::MX_A_DN; }
constexpr bool isScalesOfB(Layout l) { return l == Layout::MX_B_NN || l == Layout::MX_B_ND || l == Layout::MX_B_DN; }
constexpr int64_t rowUnit(Layout l, bool shape) { return l == Layout::NZ ? 16 : shape && isScalesOfB(l) ? 2 : 1; }
constexpr int64_t colUnit(Layout l, bool shape, int64_t c)
{
    return l == Layout::NZ ? c : shape && isScalesOfA(l) ? 2 : 1;
}
// In classes of their own, after all else in them: a class whose assertion fails is cut off there and stays invalid.
template <typename View, int64_t n, int64_t by>
struct CheckViewRows {
    using type = void;
    static_assert(n == DYNAMIC || n % by == 0, "ptolint:tile/view-rows");
};
template <typename View, int64_t n, int64_t by>
struct CheckViewCols {
    using type = void;
    static_assert(n == DYNAMIC || n % by == 0, "ptolint:tile/view-cols");
};
} // namespace detail

template <typename T, int64_t rows = DYNAMIC, int64_t cols = DYNAMIC, Layout Layout_ = Layout::ND>
struct TileShape2D;
template <typename T, int64_t rows = DYNAMIC, int64_t cols = DYNAMIC, Layout Layout_ = Layout::ND>
struct BaseShape2D;

// The first list gives the template arguments, the second the constructor's values from r and c.
#define PTOLINT_LIST(...) __VA_ARGS__
#define PTOLINT_VIEW(Name, Base, isShape, layout_, Static, Dynamic)                                               \
    template <typename T, int64_t rows, int64_t cols>                                                             \
    struct Name<T, rows, cols, Layout::layout_> : Base<Static> {                                                  \
        static constexpr int C0Size = detail::c0<T>;                                                              \
        using Parent = Base<Static>;                                                                              \
        using Parent::Parent;                                                                                     \
        AICORE constexpr Name() : Parent() {}                                                                     \
        AICORE constexpr Name(int64_t r, int64_t c) : Parent(Dynamic) {}                                          \
        Parent ptolint_base; /* tells the front end what the base is */                                           \
        using Rows = typename detail::CheckViewRows<Name, rows, detail::rowUnit(Layout::layout_, isShape)>::type; \
        using Cols =                                                                                              \
            typename detail::CheckViewCols<Name, cols, detail::colUnit(Layout::layout_, isShape, C0Size)>::type;  \
    };
#define PTOLINT_SHAPE(layout_, Static, Dynamic) \
    PTOLINT_VIEW(TileShape2D, Shape, true, layout_, PTOLINT_LIST Static, PTOLINT_LIST Dynamic)
#define PTOLINT_STRIDE(layout_, Static, Dynamic) \
    PTOLINT_VIEW(BaseShape2D, Stride, false, layout_, PTOLINT_LIST Static, PTOLINT_LIST Dynamic)
#define PTOLINT_OVER(n, by) detail::over(n, by)
#define PTOLINT_TIMES(n, by) detail::times(n, by)
#define PTOLINT_C0 detail::c0<T>

PTOLINT_SHAPE(ND, (1, 1, 1, rows, cols), (1, 1, 1, r, c))
PTOLINT_SHAPE(DN, (1, 1, 1, rows, cols), (1, 1, 1, r, c))
PTOLINT_SHAPE(NZ, (1, PTOLINT_OVER(cols, PTOLINT_C0), PTOLINT_OVER(rows, 16), 16, PTOLINT_C0),
              (1, c / PTOLINT_C0, r / 16, 16, PTOLINT_C0))
PTOLINT_SHAPE(MX_A_ZZ, (1, PTOLINT_OVER(rows, 16), PTOLINT_OVER(cols, 2), 16, 2), (1, r / 16, c / 2, 16, 2))
PTOLINT_SHAPE(MX_A_ND, (1, 1, rows, PTOLINT_OVER(cols, 2), 2), (1, 1, r, c / 2, 2))
PTOLINT_SHAPE(MX_A_DN, (1, 1, PTOLINT_OVER(cols, 2), rows, 2), (1, 1, c / 2, r, 2))
PTOLINT_SHAPE(MX_B_NN, (1, PTOLINT_OVER(cols, 16), PTOLINT_OVER(rows, 2), 16, 2), (1, c / 16, r / 2, 16, 2))
PTOLINT_SHAPE(MX_B_ND, (1, 1, PTOLINT_OVER(rows, 2), cols, 2), (1, 1, r / 2, c, 2))
PTOLINT_SHAPE(MX_B_DN, (1, 1, cols, PTOLINT_OVER(rows, 2), 2), (1, 1, c, r / 2, 2))
PTOLINT_SHAPE(HIF4_A_ZZ, (1, PTOLINT_OVER(rows, 16), cols, 16, 4), (1, r / 16, c, 16, 4))
PTOLINT_SHAPE(HIF4_B_NN, (1, PTOLINT_OVER(cols, 16), rows, 16, 4), (1, c / 16, r, 16, 4))

#define PTOLINT_AREA PTOLINT_TIMES(rows, cols)
PTOLINT_STRIDE(ND, (PTOLINT_AREA, PTOLINT_AREA, PTOLINT_AREA, cols, 1), (r * c, r * c, r * c, c, 1))
PTOLINT_STRIDE(DN, (PTOLINT_AREA, PTOLINT_AREA, PTOLINT_AREA, 1, rows), (r * c, r * c, r * c, 1, r))
PTOLINT_STRIDE(NZ, (PTOLINT_AREA, PTOLINT_TIMES(rows, PTOLINT_C0), 16 * PTOLINT_C0, PTOLINT_C0, 1),
               (r * c, r * PTOLINT_C0, 16 * PTOLINT_C0, PTOLINT_C0, 1))
PTOLINT_STRIDE(MX_A_ZZ, (PTOLINT_AREA, PTOLINT_TIMES(cols, 16), 32, 2, 1), (r * c, c * 16, 32, 2, 1))
PTOLINT_STRIDE(MX_A_ND, (PTOLINT_AREA, PTOLINT_AREA, cols, 2, 1), (r * c, r * c, c, 2, 1))
PTOLINT_STRIDE(MX_A_DN, (PTOLINT_AREA, PTOLINT_AREA, PTOLINT_TIMES(rows, 2), 2, 1), (r * c, r * c, r * 2, 2, 1))
PTOLINT_STRIDE(MX_B_NN, (PTOLINT_AREA, PTOLINT_TIMES(rows, 16), 32, 2, 1), (r * c, r * 16, 32, 2, 1))
PTOLINT_STRIDE(MX_B_ND, (PTOLINT_AREA, PTOLINT_AREA, PTOLINT_TIMES(cols, 2), 2, 1), (r * c, r * c, c * 2, 2, 1))
PTOLINT_STRIDE(MX_B_DN, (PTOLINT_AREA, PTOLINT_AREA, rows, 2, 1), (r * c, r * c, r, 2, 1))
PTOLINT_STRIDE(HIF4_A_ZZ, (PTOLINT_AREA, PTOLINT_TIMES(cols, 16), 64, 4, 1), (r * c, c * 16, 64, 4, 1))
PTOLINT_STRIDE(HIF4_B_NN, (PTOLINT_AREA, PTOLINT_TIMES(rows, 16), 64, 4, 1), (r * c, r * 16, 64, 4, 1))
#undef PTOLINT_AREA
#undef PTOLINT_C0
#undef PTOLINT_TIMES
#undef PTOLINT_OVER
#undef PTOLINT_STRIDE
#undef PTOLINT_SHAPE
#undef PTOLINT_VIEW
#undef PTOLINT_LIST

// ---------------------------------------------------------------- tiles

namespace TileConfig {
constexpr int alignedSize = 32;
constexpr int fixedRowSize = 16;
constexpr int fixedColSize = 16;
constexpr int fixedMxRowSize = 16;
constexpr int fixedMxColSize = 2;
constexpr int fractalABSize = 512;
constexpr int fractalCSize = 1024;
constexpr int fractalMxSize = 32;
} // namespace TileConfig

namespace detail {
template <typename Tile, TileType Loc>
struct CheckScalarAccess {
    using type = void;
    static_assert(Loc == TileType::Vec, "ptolint:tile/element-access");
};
template <typename Tile, int... Valid>
struct CheckSetAtRunTime {
    using type = void;
    static_assert(((Valid == DYNAMIC) && ...), "ptolint:tile/valid-region-static");
};
template <typename Tile, TileType Loc>
using ReadByScalars = typename CheckScalarAccess<Tile, Loc>::type;
template <typename Tile, int... Valid>
using SetAtRunTime = typename CheckSetAtRunTime<Tile, Valid...>::type;
} // namespace detail

template <TileType Loc_, typename Element_, const int Rows_, const int Cols_,
          const BLayout BFractal_ = BLayout::RowMajor, const int RowValid_ = Rows_, const int ColValid_ = Cols_,
          const SLayout SFractal_ = SLayout::NoneBox, const int SFractalSize_ = TileConfig::fractalABSize,
          auto PadVal_ = PadValue::Null, const CompactMode Compact_ = CompactMode::Null>
struct Tile {
    using DType = Element_;
    using TileDType = typename MemoryQualifier<Loc_, DType>::type;
    static constexpr TileType Loc = Loc_;
    static constexpr int Rows = Rows_;
    static constexpr int Cols = Cols_;
    static constexpr int Numel = Rows * Cols;
    static constexpr int ValidRow = RowValid_;
    static constexpr int ValidCol = ColValid_;
    static constexpr BLayout BFractal = BFractal_;
    static constexpr SLayout SFractal = SFractal_;
    static constexpr int SFractalSize = SFractalSize_;
    static constexpr auto PadVal = PadVal_;
    static constexpr CompactMode Compact = Compact_;
    static constexpr bool isRowMajor = BFractal_ == BLayout::RowMajor;
    static constexpr bool isBoxedLayout = SFractal_ != SLayout::NoneBox;
    static constexpr bool isInnerRowMajor = SFractal_ == SLayout::RowMajor;
    static constexpr bool isInnerColMajor = SFractal_ == SLayout::ColMajor;
    static constexpr int RowStride = isRowMajor ? Cols : 1;
    static constexpr int ColStride = isRowMajor ? 1 : Rows;

    AICORE static constexpr int getInnerRow()
    {
        if (SFractalSize_ == TileConfig::fractalCSize)
            return 16;
        if (SFractalSize_ == TileConfig::fractalMxSize)
            return isInnerRowMajor ? 16 : 2;
        return isBoxedLayout ? (isInnerRowMajor ? 16 : 32 / int(sizeof(DType))) : 1;
    }
    AICORE static constexpr int getInnerCol()
    {
        if (SFractalSize_ == TileConfig::fractalCSize)
            return 16;
        if (SFractalSize_ == TileConfig::fractalMxSize)
            return isInnerRowMajor ? 2 : 16;
        return isBoxedLayout ? (isInnerRowMajor ? 32 / int(sizeof(DType)) : 16) : 1;
    }
    static constexpr int InnerRows = getInnerRow();
    static constexpr int InnerCols = getInnerCol();
    static constexpr int InnerNumel = InnerRows * InnerCols;

    // The constructor takes the dynamic valid dimensions only, as unsigned values.
    AICORE Tile();
    template <int R = RowValid_, int C = ColValid_, detail::Only<R == DYNAMIC && C == DYNAMIC> = 0>
    AICORE Tile(unsigned valid_row, unsigned valid_col);
    template <int R = RowValid_, int C = ColValid_, detail::Only<R == DYNAMIC && C != DYNAMIC> = 0>
    AICORE Tile(unsigned valid_row);
    template <int R = RowValid_, int C = ColValid_, detail::Only<R != DYNAMIC && C == DYNAMIC> = 0, typename = void>
    AICORE Tile(unsigned valid_col);

    template <int R = RowValid_, detail::Only<R != DYNAMIC> = 0>
    AICORE static constexpr unsigned GetValidRow()
    {
        return R;
    }
    template <int R = RowValid_, detail::Only<R == DYNAMIC> = 0>
    AICORE unsigned GetValidRow() const;
    template <int C = ColValid_, detail::Only<C != DYNAMIC> = 0>
    AICORE static constexpr unsigned GetValidCol()
    {
        return C;
    }
    template <int C = ColValid_, detail::Only<C == DYNAMIC> = 0>
    AICORE unsigned GetValidCol() const;
    template <int R = RowValid_, typename = detail::SetAtRunTime<Tile, R>>
    AICORE void SetValidRow(unsigned valid_row);
    template <int C = ColValid_, typename = detail::SetAtRunTime<Tile, C>>
    AICORE void SetValidCol(unsigned valid_col);
    template <int R = RowValid_, int C = ColValid_, typename = detail::SetAtRunTime<Tile, R, C>>
    AICORE void SetValidShape(unsigned valid_row, unsigned valid_col);

    AICORE TileDType &data();
    AICORE const TileDType &data() const;
    template <TileType L = Loc_, typename = detail::ReadByScalars<Tile, L>>
    AICORE void SetValue(uint32_t offset, DType value);
    template <TileType L = Loc_, typename = detail::ReadByScalars<Tile, L>>
    AICORE DType GetValue(uint32_t offset);
    AICORE bool GetKAligned() const;
    AICORE void SetKAligned(bool aligned);
    AICORE void SetMadTF32Mode(RoundMode mode = RoundMode::CAST_ROUND);
    AICORE void ResetMadMode();

    unsigned RowMaskInternal;
    unsigned ColMaskInternal;

private:
    TileDType data_;
    bool isKAligned_;
};

#define PTOLINT_TILE_ALIAS(Name, Loc, B, S, Fractal)                                                            \
    template <typename T, const int Rows, const int Cols, const int RowValid = Rows, const int ColValid = Cols> \
    using Name = Tile<TileType::Loc, T, Rows, Cols, BLayout::B, RowValid, ColValid, SLayout::S,                 \
             TileConfig::Fractal>;                                                                              \
    template <typename T, const int Rows, const int Cols, const int RowValid = Rows, const int ColValid = Cols> \
    using Name##Compact = Tile<TileType::Loc, T, Rows, Cols, BLayout::B, RowValid, ColValid, SLayout::S,        \
                               TileConfig::Fractal, PadValue::Null, CompactMode::Normal>;
#if defined(PTO_NPU_ARCH_A2A3) || defined(PTO_NPU_ARCH_KIRINX90)
PTOLINT_TILE_ALIAS(TileLeft, Left, RowMajor, RowMajor, fractalABSize)
#else
PTOLINT_TILE_ALIAS(TileLeft, Left, ColMajor, RowMajor, fractalABSize)
#endif
PTOLINT_TILE_ALIAS(TileRight, Right, RowMajor, ColMajor, fractalABSize)
PTOLINT_TILE_ALIAS(TileAcc, Acc, ColMajor, RowMajor, fractalCSize)
PTOLINT_TILE_ALIAS(TileLeftScale, ScaleLeft, RowMajor, RowMajor, fractalMxSize)
PTOLINT_TILE_ALIAS(TileRightScale, ScaleRight, ColMajor, ColMajor, fractalMxSize)
#undef PTOLINT_TILE_ALIAS

// ---------------------------------------------------------------- convolution tiles

namespace detail {
template <int N, int64_t... D>
constexpr int64_t nth()
{
    constexpr int64_t all[] = {D..., 0, 0, 0, 0, 0, 0};
    return N < int(sizeof...(D)) ? all[N] : 0;
}
} // namespace detail

template <int... Dims>
struct ConvTileShape {
    static constexpr int totalDimCount = sizeof...(Dims);
    static constexpr int dynamicDimCount = detail::dynamicCount<Dims...>;
    static constexpr int64_t staticShape[6] = {detail::nth<0, Dims...>(), detail::nth<1, Dims...>(),
                                               detail::nth<2, Dims...>(), detail::nth<3, Dims...>(),
                                               detail::nth<4, Dims...>(), detail::nth<5, Dims...>()};
    int64_t shape[6];
    template <typename... Ints>
    AICORE ConvTileShape(Ints... extents);
};

template <TileType Loc_, typename Element_, const int BufferSize_, Layout Layout_, typename Shape_>
struct ConvTile {
    using DType = Element_;
    using ShapeType = Shape_;
    using TileDType = typename MemoryQualifier<Loc_, DType>::type;
    static constexpr TileType Loc = Loc_;
    static constexpr int bufferSize = BufferSize_;
    static constexpr Layout layout = Layout_;
    static constexpr int totalDimCount = Shape_::totalDimCount;
    static constexpr int dynamicDimCount = Shape_::dynamicDimCount;
    static constexpr int64_t staticShape[6] = {Shape_::staticShape[0], Shape_::staticShape[1], Shape_::staticShape[2],
                                               Shape_::staticShape[3], Shape_::staticShape[4], Shape_::staticShape[5]};
    int64_t shape[6];

    AICORE ConvTile();
    template <typename... Ints, detail::Only<(sizeof...(Ints) > 0)> = 0>
    AICORE explicit ConvTile(Ints... extents);
    template <typename... Ints>
    AICORE void SetDynamicShape(Ints... extents);
    AICORE constexpr int64_t GetShape(int dim) const
    {
        return staticShape[dim] == DYNAMIC ? shape[dim] : staticShape[dim];
    }
    AICORE TileDType &data();
    AICORE const TileDType &data() const;

#define PTOLINT_PROPERTY(type, Name) \
    AICORE type Get##Name() const;   \
    AICORE void Set##Name(type value);
    PTOLINT_PROPERTY(uint16_t, FmapH)
    PTOLINT_PROPERTY(uint16_t, FmapW)
    PTOLINT_PROPERTY(uint16_t, FilterH)
    PTOLINT_PROPERTY(uint16_t, FilterW)
    PTOLINT_PROPERTY(uint8_t, DilationH)
    PTOLINT_PROPERTY(uint8_t, DilationW)
    PTOLINT_PROPERTY(uint8_t, StrideH)
    PTOLINT_PROPERTY(uint8_t, StrideW)
    PTOLINT_PROPERTY(DType, PadValue)
    PTOLINT_PROPERTY(uint16_t, ChannelSize)
    PTOLINT_PROPERTY(uint16_t, RepeatStride)
    PTOLINT_PROPERTY(uint16_t, RepeatTime)
    PTOLINT_PROPERTY(uint16_t, RepeatMode)
    PTOLINT_PROPERTY(bool, Transpose)
    PTOLINT_PROPERTY(uint16_t, DstStride)
    PTOLINT_PROPERTY(uint16_t, DstMposition)
#undef PTOLINT_PROPERTY
    AICORE uint8_t GetPadList(uint8_t index) const;
    AICORE void SetPadList(uint8_t index, uint8_t value);
    AICORE const uint8_t *GetPadListArray() const;
    AICORE void SetPadListArray(const uint8_t values[4]);

private:
    TileDType data_;
};

// ---------------------------------------------------------------- traits

template <typename T>
struct is_global : std::false_type {};
template <typename E, typename S, typename D, Layout L>
struct is_global<GlobalTensor<E, S, D, L>> : std::true_type {};
template <typename T>
struct is_tile : std::false_type {
    static constexpr SLayout layout_enum = SLayout::NoneBox;
};
template <TileType Loc, typename E, const int R, const int C, const BLayout B, const int VR, const int VC,
          const SLayout S, const int F, auto P, const CompactMode M>
struct is_tile<Tile<Loc, E, R, C, B, VR, VC, S, F, P, M>> : std::true_type {
    static constexpr SLayout layout_enum = S;
};
template <typename T>
struct is_conv_tile : std::false_type {};
template <TileType Loc, typename E, const int N, Layout L, typename S>
struct is_conv_tile<ConvTile<Loc, E, N, L, S>> : std::true_type {};

template <typename T>
constexpr bool is_global_data_v = is_global<T>::value;
template <typename T>
constexpr bool is_tile_data_v = is_tile<T>::value;
template <typename T>
constexpr bool is_conv_tile_v = is_conv_tile<T>::value;
template <typename T>
constexpr bool is_boxed_tile = is_tile<T>::value && is_tile<T>::layout_enum != SLayout::NoneBox;
template <typename T>
constexpr bool is_boxed_data_v = is_boxed_tile<T>;
template <typename T>
struct is_Nz_layout : std::bool_constant<!T::isRowMajor && T::isInnerRowMajor> {};
template <typename T>
struct is_Zn_layout : std::bool_constant<T::isRowMajor && T::isInnerColMajor> {};
template <typename T>
struct is_Zz_layout : std::bool_constant<T::isRowMajor && T::isInnerRowMajor> {};

template <typename T>
AICORE constexpr TileLayoutCustom GetTileLayoutCustom()
{
    if (T::SFractal == SLayout::NoneBox)
        return T::isRowMajor ? TileLayoutCustom::ND : TileLayoutCustom::DN;
    if (T::SFractalSize != 512)
        return TileLayoutCustom::NONE;
    if (T::SFractal == SLayout::RowMajor)
        return T::isRowMajor ? TileLayoutCustom::ZZ : TileLayoutCustom::NZ;
    return T::isRowMajor ? TileLayoutCustom::ZN : TileLayoutCustom::NONE;
}
template <typename T>
AICORE size_t GetTileOffset(int row, int col);

} // namespace pto
