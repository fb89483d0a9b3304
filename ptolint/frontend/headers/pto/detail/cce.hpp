// Pipes, events and the scalar and synchronisation intrinsics of the core; raw data movers come from
// cce_raw.hpp, which accepts whatever a kernel passes.
#pragma once

#include <pto/detail/annotations.hpp>
#include <pto/detail/dtypes.hpp>

// Portable code defines PIPE_FIX for compilers without it.
#undef PIPE_FIX
enum pipe_t {
    PIPE_S,
    PIPE_V,
    PIPE_M,
    PIPE_MTE1,
    PIPE_MTE2,
    PIPE_MTE3,
    PIPE_ALL,
    PIPE_MTE4,
    PIPE_MTE5,
    PIPE_V2,
    PIPE_FIX,
    PIPE_NUM
};
enum event_t { EVENT_ID0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 };
#define EVENT_ID_MAX 8
typedef event_t CceEventIdType;

enum mem_dsb_t { DSB_ALL = 0, DSB_DDR = 1, DSB_UB = 2, DSB_SEQ = 3 };
enum class cache_line_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE = 1 };
enum class dcci_dst_t { CACHELINE_ALL = 0, CACHELINE_UB = 1, CACHELINE_OUT = 2, CACHELINE_ATOMIC = 3 };
constexpr cache_line_t SINGLE_CACHE_LINE = cache_line_t::SINGLE_CACHE_LINE;
constexpr cache_line_t ENTIRE_DATA_CACHE = cache_line_t::ENTIRE_DATA_CACHE;
constexpr dcci_dst_t CACHELINE_ALL = dcci_dst_t::CACHELINE_ALL;
constexpr dcci_dst_t CACHELINE_UB = dcci_dst_t::CACHELINE_UB;
constexpr dcci_dst_t CACHELINE_OUT = dcci_dst_t::CACHELINE_OUT;
constexpr dcci_dst_t CACHELINE_ATOMIC = dcci_dst_t::CACHELINE_ATOMIC;

// Requantisation modes of the fixpipe.
enum QuantMode_t {
    NoQuant,
    F322F16,
    F322BF16,
    DEQF16,
    VDEQF16,
    QF322B8_PRE,
    VQF322B8_PRE,
    REQ8,
    VREQ8,
    QF322F16_PRE,
    VQF322F16_PRE,
    QF322BF16_PRE,
    VQF322BF16_PRE,
    QS322BF16_PRE,
    VQS322BF16_PRE,
    QF322HIF8_PRE,
    VQF322HIF8_PRE,
    QF322HIF8_PRE_HYBRID,
    VQF322HIF8_PRE_HYBRID,
    QF322FP8_PRE,
    VQF322FP8_PRE,
    QF322F32_PRE,
    VQF322F32_PRE,
};

// An event or flag number comes as event_t or as any integer.
#define PTOLINT_FLAG(name)                                                    \
    PTO_INTRINSIC void name(pipe_t src_pipe, pipe_t dst_pipe, event_t event); \
    PTO_INTRINSIC void name(pipe_t src_pipe, pipe_t dst_pipe, uint64_t event)
PTOLINT_FLAG(set_flag);
PTOLINT_FLAG(wait_flag);
PTOLINT_FLAG(set_cross_flag);
#undef PTOLINT_FLAG
PTO_INTRINSIC void pipe_barrier(pipe_t pipe);
PTO_INTRINSIC void set_intra_block(pipe_t pipe, uint64_t flag);
PTO_INTRINSIC void wait_intra_block(pipe_t pipe, uint64_t flag);
PTO_INTRINSIC void ffts_cross_core_sync(pipe_t pipe, uint64_t config);
PTO_INTRINSIC void wait_flag_dev(uint64_t flag);
PTO_INTRINSIC void wait_flag_dev(pipe_t pipe, uint64_t flag);
PTO_INTRINSIC void set_ffts_base_addr(uint64_t address);
PTO_INTRINSIC void get_buf(pipe_t pipe, uint64_t buffer, uint64_t mode);
PTO_INTRINSIC void rls_buf(pipe_t pipe, uint64_t buffer, uint64_t mode);
PTO_INTRINSIC event_t __pto_set_flag(pipe_t src_pipe, pipe_t dst_pipe);
PTO_INTRINSIC void __pto_wait_flag(pipe_t src_pipe, pipe_t dst_pipe, event_t event);

PTO_INTRINSIC int64_t get_block_idx();
PTO_INTRINSIC int64_t get_block_num();
extern PTO_INTRINSIC const int64_t block_idx;
extern PTO_INTRINSIC const int64_t block_num;
PTO_INTRINSIC int64_t get_subblockid();
PTO_INTRINSIC int64_t get_subblockdim();
PTO_INTRINSIC int64_t get_task_rank();
PTO_INTRINSIC uint64_t get_coreid();
PTO_INTRINSIC int64_t get_sys_cnt();
PTO_INTRINSIC uint64_t get_ctrl();
PTO_INTRINSIC void set_ctrl(uint64_t value);
PTO_INTRINSIC uint64_t sbitset0(uint64_t value, int bit);
PTO_INTRINSIC uint64_t sbitset1(uint64_t value, int bit);

PTO_INTRINSIC void dsb(mem_dsb_t kind);
PTO_INTRINSIC void dsb(uint64_t kind);
PTO_INTRINSIC void trap();
template <class P, class... A>
PTO_INTRINSIC void dcci(P *address, A... how);

// A tile's address as the core sees it.
template <class T>
PTO_INTRINSIC T __cce_get_tile_ptr(T address);
template <class T>
PTO_INTRINSIC T __cce_tinit(T address);

#include <pto/detail/cce_raw.hpp>
