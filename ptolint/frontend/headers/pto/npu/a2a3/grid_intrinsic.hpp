// Queues between neighbouring cores of a grid.
#pragma once

#include <pto/common/type.hpp>

namespace pto {

struct GridShape {
    int gridRows = 0;
    int gridCols = 0;
};
struct GridCoord {
    int row = 0;
    int col = 0;
};
enum class GridDirection : uint8_t { SOURCE = 0, NORTH = 1, EAST = 2, WEST = 3, SOUTH = 4 };
enum class GridSpan : uint8_t { ROW = 0, COL = 1 };
inline constexpr int kGridDirectionCount = 5;
inline constexpr int kInvalidRank = -1;

template <typename TileT, int SlotBytes_, int SlotCount_>
struct GridPipe {
    using TileType = TileT;
    static constexpr int SlotBytes = SlotBytes_;
    static constexpr int SlotCount = SlotCount_;
    GridShape shape{};
    GridCoord coord{};
    uint8_t *slotBase[kGridDirectionCount] = {nullptr};
    uint32_t *readyFlags[kGridDirectionCount] = {nullptr};
    uint32_t *freeFlags[kGridDirectionCount] = {nullptr};
    uint32_t prodIndex[kGridDirectionCount] = {0};
    uint32_t consIndex[kGridDirectionCount] = {0};
    void *runtimeCtx = nullptr;
    uint32_t pipeId = 0;
};
template <typename T>
struct is_grid_pipe : std::false_type {};
template <typename T, int B, int C>
struct is_grid_pipe<GridPipe<T, B, C>> : std::true_type {};
template <typename T>
inline constexpr bool is_grid_pipe_v = is_grid_pipe<std::remove_reference_t<T>>::value;

AICORE constexpr int GridDirectionIndex(GridDirection d) { return static_cast<int>(d); }
AICORE constexpr GridDirection SpanArmA(GridSpan s) { return s == GridSpan::ROW ? GridDirection::EAST : GridDirection::NORTH; }
AICORE constexpr GridDirection SpanArmB(GridSpan s) { return s == GridSpan::ROW ? GridDirection::WEST : GridDirection::SOUTH; }

// A step of `k` in a direction; pushing goes that way, popping comes from the opposite side.
namespace detail {
constexpr GridCoord gridStep(GridDirection d, GridCoord c, int k)
{
    switch (d) {
        case GridDirection::NORTH:
            return {c.row - k, c.col};
        case GridDirection::SOUTH:
            return {c.row + k, c.col};
        case GridDirection::EAST:
            return {c.row, c.col + k};
        case GridDirection::WEST:
            return {c.row, c.col - k};
        default:
            return c;
    }
}
constexpr bool gridInside(GridCoord c, GridShape s)
{
    return c.row >= 0 && c.col >= 0 && c.row < s.gridRows && c.col < s.gridCols;
}
constexpr int gridRank(bool ok, GridCoord c, GridShape s) { return ok ? c.row * s.gridCols + c.col : kInvalidRank; }
} // namespace detail
AICORE constexpr int RankFromCoord(GridCoord c, GridShape s) { return c.row * s.gridCols + c.col; }
AICORE inline GridCoord GetGridCoord(GridShape s)
{
    return GridCoord{static_cast<int>(get_block_idx()) / s.gridCols, static_cast<int>(get_block_idx()) % s.gridCols};
}
AICORE constexpr GridCoord NeighborForPushK(GridDirection d, GridCoord c, int k) { return detail::gridStep(d, c, k); }
AICORE constexpr GridCoord NeighborForPopK(GridDirection d, GridCoord c, int k) { return detail::gridStep(d, c, -k); }
AICORE constexpr GridCoord NeighborForPush(GridDirection d, GridCoord c) { return detail::gridStep(d, c, 1); }
AICORE constexpr GridCoord NeighborForPop(GridDirection d, GridCoord c) { return detail::gridStep(d, c, -1); }
AICORE constexpr bool CanPushK(GridDirection d, GridCoord c, GridShape s, int k)
{
    return d != GridDirection::SOURCE && detail::gridInside(detail::gridStep(d, c, k), s);
}
AICORE constexpr bool CanPopK(GridDirection d, GridCoord c, GridShape s, int k)
{
    return d == GridDirection::SOURCE || detail::gridInside(detail::gridStep(d, c, -k), s);
}
AICORE constexpr bool CanPush(GridDirection d, GridCoord c, GridShape s) { return CanPushK(d, c, s, 1); }
AICORE constexpr bool CanPop(GridDirection d, GridCoord c, GridShape s) { return CanPopK(d, c, s, 1); }
AICORE constexpr int RankForPushK(GridDirection d, GridCoord c, GridShape s, int k)
{
    return detail::gridRank(CanPushK(d, c, s, k), detail::gridStep(d, c, k), s);
}
AICORE constexpr int RankForPopK(GridDirection d, GridCoord c, GridShape s, int k)
{
    return detail::gridRank(CanPopK(d, c, s, k), detail::gridStep(d, c, -k), s);
}
AICORE constexpr int NeighborRankForPush(GridDirection d, GridCoord c, GridShape s) { return RankForPushK(d, c, s, 1); }
AICORE constexpr int NeighborRankForPop(GridDirection d, GridCoord c, GridShape s) { return RankForPopK(d, c, s, 1); }

} // namespace pto
