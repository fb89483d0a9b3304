// Building blocks of the instruction declarations: what an overload requires of its operands, and macros for
// families that share one signature. Overloads ask for tiles and views only as far as overload
// resolution needs it; whether a tile fits the instruction is for the rules to say.
#pragma once

#include <pto/common/event.hpp>
#include <pto/common/pto_tile.hpp>

namespace pto {
namespace detail {
template <typename... T>
inline constexpr bool tiles =
    ((is_tile_data_v<std::remove_cv_t<T>> || is_conv_tile_v<std::remove_cv_t<T>>)&&...);
template <typename T, typename = void>
inline constexpr bool isView = is_global_data_v<std::remove_cv_t<T>>;
// Classes derived from GlobalTensor are views as well.
template <typename T>
inline constexpr bool isView<T, std::void_t<typename T::RawDType, decltype(T::staticStride)>> = true;
template <typename... T>
inline constexpr bool views = (isView<T> && ...);
template <typename T>
inline constexpr bool scalar = !tiles<T> && !views<T> && !is_event<T>::value;

template <bool Ok, typename R, typename... E>
using Result = std::enable_if_t<Ok && all_events_v<std::remove_cv_t<E>...>, R>;
} // namespace detail
} // namespace pto

// The result of an instruction: takes the requirement on the operands.
#define PTO_RECORD(...) PTO_INSTRUCTION detail::Result<(__VA_ARGS__), RecordEvent, WaitEvents...>
// Every list of template parameters ends with the events to wait for, every list of operands as well.
#define PTO_TEMPLATE(...) template <__VA_ARGS__, typename... WaitEvents>
#define PTO_EVENTS WaitEvents &...events

#define PTO_UNARY(name)                              \
    PTO_TEMPLATE(typename TileDst, typename TileSrc) \
    PTO_RECORD(detail::tiles<TileDst, TileSrc>)      \
    name(TileDst &dst, TileSrc &src, PTO_EVENTS);

#define PTO_UNARY_TMP(name)                                            \
    PTO_TEMPLATE(typename TileDst, typename TileSrc, typename TileTmp) \
    PTO_RECORD(detail::tiles<TileDst, TileSrc, TileTmp>)               \
    name(TileDst &dst, TileSrc &src, TileTmp &tmp, PTO_EVENTS);

#define PTO_UNARY_PRECISE(name, Algorithm)                                                                        \
    PTO_TEMPLATE(Algorithm precision_type = Algorithm::DEFAULT, typename TileDst = void, typename TileSrc = void) \
    PTO_RECORD(detail::tiles<TileDst, TileSrc>)                                                                   \
    name(TileDst &dst, TileSrc &src, PTO_EVENTS);

#define PTO_BINARY(name)                                                 \
    PTO_TEMPLATE(typename TileDst, typename TileSrc0, typename TileSrc1) \
    PTO_RECORD(detail::tiles<TileDst, TileSrc0, TileSrc1>)               \
    name(TileDst &dst, TileSrc0 &src0, TileSrc1 &src1, PTO_EVENTS);

#define PTO_BINARY_TMP(name)                                                               \
    PTO_TEMPLATE(typename TileDst, typename TileSrc0, typename TileSrc1, typename TileTmp) \
    PTO_RECORD(detail::tiles<TileDst, TileSrc0, TileSrc1, TileTmp>)                        \
    name(TileDst &dst, TileSrc0 &src0, TileSrc1 &src1, TileTmp &tmp, PTO_EVENTS);

#define PTO_BINARY_PRECISE(name, Algorithm)                                                                        \
    PTO_TEMPLATE(Algorithm precision_type = Algorithm::DEFAULT, typename TileDst = void, typename TileSrc0 = void, \
                 typename TileSrc1 = void)                                                                         \
    PTO_RECORD(detail::tiles<TileDst, TileSrc0, TileSrc1>)                                                         \
    name(TileDst &dst, TileSrc0 &src0, TileSrc1 &src1, PTO_EVENTS);

// `src` names the tile operand (src or src0), `Owner` the tile whose element type the scalar has.
#define PTO_TILE_SCALAR(name, src, Owner)            \
    PTO_TEMPLATE(typename TileDst, typename TileSrc) \
    PTO_RECORD(detail::tiles<TileDst, TileSrc>)      \
    name(TileDst &dst, TileSrc &src, typename Owner::DType scalar, PTO_EVENTS);
