// Operations, the pipes they run on, and the events that order them.
#pragma once

#include <pto/common/type.hpp>

namespace pto {

// In the documented order: the enumerators count from zero.
#define PTOLINT_OPS(X)                                                                                          \
    X(TLOAD, MTE2) X(TSTORE_VEC, MTE3) X(SCALAR, S) X(TRESHAPE, S) X(VECTOR, V) X(TADD, V) X(TADDS, V)          \
    X(TAXPY, V) X(TSUB, V) X(TMUL, V) X(TMULS, V) X(TDIV, V) X(TDIVS, V) X(TMIN, V) X(TMINS, V) X(TMAX, V)      \
    X(TAND, V) X(TOR, V) X(TSEL, V) X(TSHL, V) X(TSHR, V) X(TEXP, V) X(TSELS, V) X(TSQRT, V) X(TRSQRT, V)       \
    X(TEXPANDS, V) X(TEXPANDS_MAT, MTE2) X(TPARTADD, V) X(TPARTMUL, V) X(TPARTMAX, V) X(TPARTMIN, V) X(TPOW, V) \
    X(TPOWS, V) X(TCMPS, V) X(TMRGSORT, V) X(TSORT32, V) X(TCI, S) X(TGATHER, V) X(TGATHERB, V) X(TCVT, V)      \
    X(TROWSUM, V) X(TROWPROD, V) X(TROWMAX, V) X(TROWMIN, V) X(TROWEXPAND, V) X(TRANDOM, V) X(TCOLSUM, V)       \
    X(TCOLPROD, V) X(TCOLMAX, V) X(TCOLMIN, V) X(TTRANS, V) X(TTRI, V) X(TREM, V) X(TFMOD, V) X(TREMS, V)       \
    X(TFMODS, V) X(TSUBS, V) X(TMAXS, V) X(TLRELU, V) X(TPRELU, V) X(TMOV_V2V, V) X(TMOV_V2M, FIX)              \
    X(TEXTRACT_V2M, FIX) X(TMOV_M2B, MTE1) X(TMOV_M2L, MTE1) X(TMOV_M2R, MTE1) X(TMOV_M2S, FIX)                 \
    X(TMOV_A2V, FIX) X(TMOV_A2M, FIX) X(TSTORE_ACC, FIX) X(TSTORE_MAT, MTE3) X(TMATMUL, M) X(TGEMV, M)          \
    X(TEXTRACT_M2LR, MTE1) X(TANDS, V) X(TORS, V) X(TSHLS, V) X(TSHRS, V) X(TXOR, V) X(TXORS, V)                \
    X(TEXTRACT_A2M, FIX) X(TINSERT_A2M, FIX) X(TIMG2COL, MTE1) X(SETFMATRIX, S) X(SET_IMG2COL_RPT, S)           \
    X(SET_IMG2COL_PADDING, S) X(TCONCAT, V) X(TDEQUANT, V) X(TADDDEQRELU, V) X(TABS, V) X(TNEG, V) X(TRELU, V)  \
    X(TNOT, V) X(TLOG, V) X(TRECIP, V) X(TCMP, V) X(TSCATTER, V) X(TCOLEXPAND, V) X(TCOLEXPANDDIV, V)           \
    X(TCOLEXPANDMUL, V) X(TCOLEXPANDADD, V) X(TCOLEXPANDMAX, V) X(TCOLEXPANDMIN, V) X(TCOLEXPANDSUB, V)         \
    X(TCOLEXPANDEXPDIF, V) X(TROWEXPANDDIV, V) X(TROWEXPANDMUL, V) X(TROWEXPANDSUB, V) X(TROWEXPANDADD, V)      \
    X(TROWEXPANDMAX, V) X(TROWEXPANDMIN, V) X(TROWEXPANDEXPDIF, V) X(TPAIRREDUCESUM, V) X(TSUBRELUCONV, V)      \
    X(TADDRELUCONV, V) X(TFUSEDMULADD, V) X(TMULADDDST, V) X(TSUBRELU, V) X(TFUSEDMULADDRELU, V)                \
    X(TPARTARGMAX, V) X(TPARTARGMIN, V) X(TCOLARGMAX, V) X(TCOLARGMIN, V) X(TROWARGMAX, V) X(TROWARGMIN, V)     \
    X(TPREFETCH, MTE2) X(TFILLPAD_VEC, V) X(TFILLPAD_MAT, MTE2) X(MGATHER_VEC, V) X(MGATHER_MAT, MTE2)          \
    X(MSCATTER, V) X(TQUANT, V) X(THISTOGRAM, V) X(TINTERLEAVE, V) X(TDEINTERLEAVE, V)

enum class Op : uint16_t {
#define PTOLINT_OP(name, pipe) name,
    PTOLINT_OPS(PTOLINT_OP)
#undef PTOLINT_OP
    OP_COUNT
};

namespace detail {
constexpr pipe_t pipeOfOp(Op op)
{
    switch (op) {
#define PTOLINT_OP(name, pipe) \
    case Op::name:             \
        return PIPE_##pipe;
        PTOLINT_OPS(PTOLINT_OP)
#undef PTOLINT_OP
        default:
            return PIPE_ALL;
    }
}
} // namespace detail
#undef PTOLINT_OPS

template <Op op>
struct OpPipeEntry {
    static constexpr pipe_t pipe = detail::pipeOfOp(op);
};

// Every instruction returns one; assigning it to an event records the event.
struct RecordEvent {};
struct EventBaseTag {};
template <typename T>
struct is_event : std::bool_constant<std::is_base_of_v<EventBaseTag, T> || std::is_same_v<T, RecordEvent>> {};
template <typename... T>
inline constexpr bool all_events_v = (is_event<T>::value && ...);

template <pipe_t Src, pipe_t Dst>
struct EventIdCounter {
    AICORE static event_t GetNextId();
    AICORE static event_t PeekNextId();
    AICORE static void Reset();
};

template <Op SrcOp, Op DstOp, bool AutoToken = true, event_t EventID = EVENT_ID0>
struct Event : EventBaseTag {
    static constexpr Op srcOp = SrcOp;
    static constexpr Op dstOp = DstOp;
    static constexpr pipe_t srcPipe = detail::pipeOfOp(SrcOp);
    static constexpr pipe_t dstPipe = detail::pipeOfOp(DstOp);
    static constexpr bool isSamePipe = srcPipe == dstPipe;
    static constexpr bool IsCrossCore = SrcOp == Op::TMOV_A2V || SrcOp == Op::TMOV_V2M || SrcOp == Op::TEXTRACT_V2M;
    event_t token;
    AICORE Event();
    AICORE Event(RecordEvent);
    AICORE Event &operator=(RecordEvent);
    AICORE Event &InitAddr(uint64_t ffts_address);
    template <uint8_t CrossCoreId = 0xff>
    AICORE Event &Init();
    template <uint8_t CrossCoreId = 0xff>
    AICORE Event &Record();
    template <uint8_t CrossCoreId = 0xff>
    AICORE Event &Wait();
};

template <pipe_t SrcPipe, pipe_t DstPipe>
PTO_INTRINSIC void PtoSetWaitFlag(event_t set_event = EVENT_ID0, event_t wait_event = EVENT_ID0);
template <typename... WaitEvents>
PTO_INTRINSIC std::enable_if_t<all_events_v<WaitEvents...>> WaitAllEvents(WaitEvents &...events);

} // namespace pto
