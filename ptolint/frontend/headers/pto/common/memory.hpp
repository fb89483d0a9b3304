// The pointer type behind a tile location.
#pragma once

#include <pto/common/type.hpp>

namespace pto {
template <TileType Location, typename T>
struct MemoryQualifier {
    using type = T *;
};
#ifndef __DAV_C220_CUBE__
template <typename T>
struct MemoryQualifier<TileType::Bias, T> {
    using type = uint64_t;
};
#endif
template <typename T>
struct MemoryQualifier<TileType::Ctrl, T> {
    using type = uint64_t;
};
} // namespace pto
