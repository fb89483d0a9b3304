// Low-level intrinsics that kernels call beside the PTO instructions. The analyser does not follow them, so they take
// any operands; a call is recognised by its annotation and name.
#pragma once

#include <pto/detail/annotations.hpp>
#include <pto/detail/dtypes.hpp>

#define RAW(name)            \
    template <class... A>    \
    PTO_INTRINSIC void name(A &&...);
// Moves between memories.
RAW(copy_gm_to_ubuf) RAW(copy_gm_to_ubuf_align) RAW(copy_gm_to_ubuf_align_b8) RAW(copy_gm_to_ubuf_align_b16)
RAW(copy_gm_to_ubuf_align_b32) RAW(copy_gm_to_ubuf_align_v2) RAW(copy_ubuf_to_gm) RAW(copy_ubuf_to_gm_align)
RAW(copy_ubuf_to_gm_align_b8) RAW(copy_ubuf_to_gm_align_b16) RAW(copy_ubuf_to_gm_align_b32)
RAW(copy_ubuf_to_gm_align_v2) RAW(copy_ubuf_to_ubuf) RAW(copy_ubuf_to_cbuf) RAW(copy_cbuf_to_ubuf)
RAW(copy_cbuf_to_gm) RAW(copy_cbuf_to_bt) RAW(copy_cbuf_to_fbuf) RAW(copy_gm_to_cbuf) RAW(copy_gm_to_cbuf_align)
RAW(copy_gm_to_cbuf_align_v2) RAW(copy_gm_to_cbuf_multi_nd2nz) RAW(copy_gm_to_cbuf_multi_dn2nz)
RAW(copy_gm_to_cbuf_multi_nd2nz_b8) RAW(copy_gm_to_cbuf_multi_nd2nz_b16) RAW(copy_gm_to_cbuf_multi_nd2nz_b32s)
RAW(copy_matrix_cc_to_gm) RAW(copy_matrix_cc_to_cbuf) RAW(copy_matrix_cc_to_ub) RAW(copy_matrix_cc_to_ubuf)
RAW(load_cbuf_to_ca) RAW(load_cbuf_to_cb) RAW(load_cbuf_to_ca_s4) RAW(load_cbuf_to_cb_s4) RAW(load_cbuf_to_ca_mx)
RAW(load_cbuf_to_cb_mx) RAW(load_cbuf_to_ca_transpose) RAW(load_cbuf_to_cb_transpose) RAW(load_gm_to_cbuf)
RAW(load_gm_to_ca) RAW(load_gm_to_cb) RAW(img2colv2_cbuf_to_ca) RAW(img2colv2_cbuf_to_cb) RAW(create_cbuf_matrix)
RAW(create_cbuf_matrix_bf16) RAW(create_ca_matrix) RAW(create_cb_matrix) RAW(copy_sram_to_neighbor_sram)
RAW(copy_neighbor_sram_to_sram)
// The cube unit.
RAW(mad) RAW(mad_mx) RAW(mad_s4) RAW(mad_tf32)
// Registers of the core.
RAW(set_vector_mask) RAW(set_mask_norm) RAW(set_mask_count) RAW(set_cmpmask) RAW(set_mov_pad_val)
RAW(set_pad_val_outtoub) RAW(set_pad_val_outtol1) RAW(set_quant_pre) RAW(set_fpc) RAW(set_deqscale) RAW(set_nd_para)
RAW(set_mte2_nz_para) RAW(set_loop3_para) RAW(set_channel_para) RAW(set_padding) RAW(set_padding_b) RAW(set_fmatrix)
RAW(set_fmatrix_b) RAW(set_l3d_rpt) RAW(set_l3d_rpt_b) RAW(set_l1_2d) RAW(set_va_reg_sb) RAW(set_loop_size_outtol1)
RAW(set_loop1_stride_outtol1) RAW(set_loop2_stride_outtol1) RAW(set_loop_size_outtoub) RAW(set_loop1_stride_outtoub)
RAW(set_loop2_stride_outtoub) RAW(set_loop_size_ubtoout) RAW(set_loop1_stride_ubtoout) RAW(set_loop2_stride_ubtoout)
RAW(set_st_atomic_cfg) RAW(set_atomic_none) RAW(set_atomic_add) RAW(set_atomic_max) RAW(set_atomic_min)
RAW(set_atomic_s8) RAW(set_atomic_s16) RAW(set_atomic_s32) RAW(set_atomic_f16) RAW(set_atomic_f32)
RAW(set_atomic_bf16) RAW(st_dev) RAW(preload) RAW(hset_flag) RAW(hwait_flag) RAW(set_flag_dev) RAW(dc_preload)
RAW(set_l0_set_value_ui) RAW(set_l0_set_value_h) RAW(movemask) RAW(sprclr) RAW(sprsts) RAW(__sync_workitems)
// Vector instructions on memory and on registers.
RAW(vector_dup) RAW(vlds) RAW(vsts) RAW(vldas) RAW(vldus) RAW(vstus) RAW(vstur) RAW(vstas) RAW(vstar) RAW(vsstb)
RAW(vsldb) RAW(vbr) RAW(vdup) RAW(vci) RAW(vmov) RAW(vcopy) RAW(vsel) RAW(vselr) RAW(vsqz) RAW(vusqz) RAW(vadd)
RAW(vsub) RAW(vmul) RAW(vdiv) RAW(vmax) RAW(vmin) RAW(vadds) RAW(vsubs) RAW(vmuls) RAW(vmaxs) RAW(vmins) RAW(vdivs)
RAW(vand) RAW(vor) RAW(vxor) RAW(vnot) RAW(vshl) RAW(vshr) RAW(vshls) RAW(vshrs) RAW(vabs) RAW(vneg) RAW(vexp)
RAW(vln) RAW(vlog) RAW(vsqrt) RAW(vrsqrt) RAW(vrec) RAW(vrelu) RAW(vlrelu) RAW(vprelu) RAW(vmod) RAW(vmula) RAW(vmla)
RAW(vmadd) RAW(vmull) RAW(vmaddrelu) RAW(vsubrelu) RAW(vaddrelu) RAW(vaxpy) RAW(vexpdif) RAW(vaddc) RAW(vaddcs)
RAW(vsubc) RAW(vsubcs) RAW(vcvt) RAW(vtrc) RAW(vcmp_eq) RAW(vcmp_ne) RAW(vcmp_lt) RAW(vcmp_le) RAW(vcmp_gt)
RAW(vcmp_ge) RAW(vcmps_eq) RAW(vcmps_ne) RAW(vcmps_lt) RAW(vcmps_le) RAW(vcmps_gt) RAW(vcmps_ge) RAW(vcmpv_eq)
RAW(vcmpv_ne) RAW(vcmpv_lt) RAW(vcmpv_le) RAW(vcmpv_gt) RAW(vcmpv_ge) RAW(vcmpvs_eq) RAW(vcmpvs_ne) RAW(vcmpvs_lt)
RAW(vcmpvs_le) RAW(vcmpvs_gt) RAW(vcmpvs_ge) RAW(vcadd) RAW(vcmax) RAW(vcmin) RAW(vcgadd) RAW(vcgmax) RAW(vcgmin)
RAW(vcpadd) RAW(vbrcb) RAW(vgather) RAW(vgatherb) RAW(vgather2) RAW(vgather2_bc) RAW(vscatter) RAW(vreducev2)
RAW(vbitsort) RAW(vmrgsort4) RAW(vintlv) RAW(vdintlv) RAW(vpack) RAW(vunpack) RAW(vtranspose)
RAW(scatter_vnchwconv_b8) RAW(scatter_vnchwconv_b16) RAW(scatter_vnchwconv_b32) RAW(vconv_deq) RAW(vconv_f162f32)
RAW(vconv_f322f16) RAW(vconv_f322f16r) RAW(vconv_f322f16a) RAW(vconv_f322f16c) RAW(vconv_f322f16f)
RAW(vconv_f322f16z) RAW(vconv_f322f16o) RAW(vconv_f322bf16r) RAW(vconv_bf162f32) RAW(vconv_s322f32)
RAW(vconv_f322s32r) RAW(vconv_f322s32z) RAW(vconv_f322s32a) RAW(vconv_f322s32c) RAW(vconv_f322s32f)
RAW(vconv_f162s32r) RAW(vconv_f162s32a) RAW(vconv_f162s8z) RAW(vconv_f162s8r) RAW(vconv_f162s8) RAW(vconv_f162u8)
RAW(vconv_s82f16) RAW(vconv_u82f16) RAW(vconv_s162f16) RAW(vconv_s162f32) RAW(vconv_f322f32r) RAW(vconv_f322f32z)
RAW(vconv_f322f32f) RAW(vconv_f322f32a) RAW(vconv_f322f32c) RAW(pand) RAW(por) RAW(pxor) RAW(pnot) RAW(psel)
RAW(ppack) RAW(punpack) RAW(pintlv_b8) RAW(pintlv_b16) RAW(pintlv_b32) RAW(pdintlv_b8) RAW(pdintlv_b16)
RAW(pdintlv_b32) RAW(plds) RAW(psts) RAW(mem_bar)
#undef RAW

#define RAW(name)            \
    template <class... A>    \
    PTO_INTRINSIC uint64_t name(A &&...);
// Values of registers, predicates and clocks.
RAW(get_imm) RAW(get_vms4_sr) RAW(get_rsvd_cnt) RAW(get_icache_prl_st) RAW(get_neighbor_sram_addr) RAW(get_ar)
RAW(get_system_cycle) RAW(get_syscnt) RAW(ld_dev) RAW(__cce_simt_get_TID_X) RAW(__cce_simt_get_TID_Y)
RAW(__cce_simt_get_TID_Z) RAW(get_loop_size) RAW(get_fpc) RAW(__builtin_cce_redux_add_f32)
RAW(__builtin_cce_expf)
#undef RAW

// Vector registers and predicates of vector functions.
struct vector_bool {};
struct vector_align {};
struct vector_address {};
template <class T>
struct __ptolint_register {};
typedef __ptolint_register<float> vector_f32;
typedef __ptolint_register<half> vector_f16;
typedef __ptolint_register<bfloat16_t> vector_bf16;
typedef __ptolint_register<int8_t> vector_s8;
typedef __ptolint_register<int16_t> vector_s16;
typedef __ptolint_register<int32_t> vector_s32;
typedef __ptolint_register<int64_t> vector_s64;
typedef __ptolint_register<uint8_t> vector_u8;
typedef __ptolint_register<uint16_t> vector_u16;
typedef __ptolint_register<uint32_t> vector_u32;
typedef __ptolint_register<uint64_t> vector_u64;
#define PREDICATE(name)      \
    template <class... A>    \
    PTO_INTRINSIC vector_bool name(A &&...);
PREDICATE(plt_b8) PREDICATE(plt_b16) PREDICATE(plt_b32) PREDICATE(pge_b8) PREDICATE(pge_b16) PREDICATE(pge_b32)
PREDICATE(pset_b8) PREDICATE(pset_b16) PREDICATE(pset_b32)
#undef PREDICATE
#define CCE_VL 256
// Modes that vector instructions take as operands.
enum class __ptolint_mode { any };
#define MODE(name) constexpr __ptolint_mode name = __ptolint_mode::any;
MODE(MODE_ZEROING) MODE(MODE_MERGING) MODE(MODE_UNKNOWN) MODE(NORM) MODE(NORM_B8) MODE(NORM_B16) MODE(NORM_B32)
MODE(POST_UPDATE) MODE(NO_POST_UPDATE) MODE(PAT_ALL) MODE(PAT_H) MODE(PAT_Q) MODE(PAT_VL1) MODE(PAT_VL8)
MODE(PAT_VL16)
MODE(ONEPT_B8) MODE(ONEPT_B16) MODE(ONEPT_B32) MODE(BRC_B8) MODE(BRC_B16) MODE(BRC_B32) MODE(PK_B16) MODE(PK_B32)
MODE(UNPK_B8) MODE(UNPK_B16) MODE(PART_EVEN) MODE(PART_ODD) MODE(RS_ENABLE) MODE(RS_DISABLE) MODE(VST_VLD)
MODE(VST_VST) MODE(VST_LD) MODE(ST_VLD) MODE(VLD_VST)
#undef MODE

// An address in the memory of a neighbouring core.
struct neighbor_sram_addr {
    uint64_t value;
};

namespace cce {
PTO_INTRINSIC int printf(const char *format, ...);
template <auto function, class... A>
PTO_INTRINSIC void async_invoke(A &&...);
struct dim3 {
    uint32_t x, y, z;
    constexpr dim3(uint32_t x_ = 1, uint32_t y_ = 1, uint32_t z_ = 1) : x(x_), y(y_), z(z_) {}
};
} // namespace cce
