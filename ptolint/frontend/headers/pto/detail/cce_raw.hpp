// Low-level intrinsics that kernels call beside the PTO instructions. The analyser does not follow them, so they take
// any operands; a call is recognised by its annotation and name.
#pragma once

#include <pto/detail/annotations.hpp>
#include <pto/detail/dtypes.hpp>

#define PTOLINT_RAW(name) \
    template <class... A> \
    PTO_INTRINSIC void name(A &&...);
// Moves between memories.
PTOLINT_RAW(copy_gm_to_ubuf) PTOLINT_RAW(copy_gm_to_ubuf_align) PTOLINT_RAW(copy_gm_to_ubuf_align_b8)
PTOLINT_RAW(copy_gm_to_ubuf_align_b16) PTOLINT_RAW(copy_gm_to_ubuf_align_b32) PTOLINT_RAW(copy_gm_to_ubuf_align_v2)
PTOLINT_RAW(copy_ubuf_to_gm) PTOLINT_RAW(copy_ubuf_to_gm_align) PTOLINT_RAW(copy_ubuf_to_gm_align_b8)
PTOLINT_RAW(copy_ubuf_to_gm_align_b16) PTOLINT_RAW(copy_ubuf_to_gm_align_b32) PTOLINT_RAW(copy_ubuf_to_gm_align_v2)
PTOLINT_RAW(copy_ubuf_to_ubuf) PTOLINT_RAW(copy_ubuf_to_cbuf) PTOLINT_RAW(copy_cbuf_to_ubuf)
PTOLINT_RAW(copy_cbuf_to_gm) PTOLINT_RAW(copy_cbuf_to_bt) PTOLINT_RAW(copy_cbuf_to_fbuf) PTOLINT_RAW(copy_gm_to_cbuf)
PTOLINT_RAW(copy_gm_to_cbuf_align) PTOLINT_RAW(copy_gm_to_cbuf_align_v2) PTOLINT_RAW(copy_gm_to_cbuf_multi_nd2nz)
PTOLINT_RAW(copy_gm_to_cbuf_multi_dn2nz) PTOLINT_RAW(copy_gm_to_cbuf_multi_nd2nz_b8)
PTOLINT_RAW(copy_gm_to_cbuf_multi_nd2nz_b16) PTOLINT_RAW(copy_gm_to_cbuf_multi_nd2nz_b32s)
PTOLINT_RAW(copy_matrix_cc_to_gm) PTOLINT_RAW(copy_matrix_cc_to_cbuf) PTOLINT_RAW(copy_matrix_cc_to_ub)
PTOLINT_RAW(copy_matrix_cc_to_ubuf) PTOLINT_RAW(load_cbuf_to_ca) PTOLINT_RAW(load_cbuf_to_cb)
PTOLINT_RAW(load_cbuf_to_ca_s4) PTOLINT_RAW(load_cbuf_to_cb_s4) PTOLINT_RAW(load_cbuf_to_ca_mx)
PTOLINT_RAW(load_cbuf_to_cb_mx) PTOLINT_RAW(load_cbuf_to_ca_transpose) PTOLINT_RAW(load_cbuf_to_cb_transpose)
PTOLINT_RAW(load_gm_to_cbuf) PTOLINT_RAW(load_gm_to_ca) PTOLINT_RAW(load_gm_to_cb) PTOLINT_RAW(img2colv2_cbuf_to_ca)
PTOLINT_RAW(img2colv2_cbuf_to_cb) PTOLINT_RAW(create_cbuf_matrix) PTOLINT_RAW(create_cbuf_matrix_bf16)
PTOLINT_RAW(create_ca_matrix) PTOLINT_RAW(create_cb_matrix) PTOLINT_RAW(copy_sram_to_neighbor_sram)
PTOLINT_RAW(copy_neighbor_sram_to_sram)
// The cube unit.
PTOLINT_RAW(mad) PTOLINT_RAW(mad_mx) PTOLINT_RAW(mad_s4) PTOLINT_RAW(mad_tf32)
// Registers of the core.
PTOLINT_RAW(set_vector_mask) PTOLINT_RAW(set_mask_norm) PTOLINT_RAW(set_mask_count) PTOLINT_RAW(set_cmpmask)
PTOLINT_RAW(set_mov_pad_val) PTOLINT_RAW(set_pad_val_outtoub) PTOLINT_RAW(set_pad_val_outtol1)
PTOLINT_RAW(set_quant_pre) PTOLINT_RAW(set_fpc) PTOLINT_RAW(set_deqscale) PTOLINT_RAW(set_nd_para)
PTOLINT_RAW(set_mte2_nz_para) PTOLINT_RAW(set_loop3_para) PTOLINT_RAW(set_channel_para) PTOLINT_RAW(set_padding)
PTOLINT_RAW(set_padding_b) PTOLINT_RAW(set_fmatrix) PTOLINT_RAW(set_fmatrix_b) PTOLINT_RAW(set_l3d_rpt)
PTOLINT_RAW(set_l3d_rpt_b) PTOLINT_RAW(set_l1_2d) PTOLINT_RAW(set_va_reg_sb) PTOLINT_RAW(set_loop_size_outtol1)
PTOLINT_RAW(set_loop1_stride_outtol1) PTOLINT_RAW(set_loop2_stride_outtol1) PTOLINT_RAW(set_loop_size_outtoub)
PTOLINT_RAW(set_loop1_stride_outtoub) PTOLINT_RAW(set_loop2_stride_outtoub) PTOLINT_RAW(set_loop_size_ubtoout)
PTOLINT_RAW(set_loop1_stride_ubtoout) PTOLINT_RAW(set_loop2_stride_ubtoout) PTOLINT_RAW(set_st_atomic_cfg)
PTOLINT_RAW(set_atomic_none) PTOLINT_RAW(set_atomic_add) PTOLINT_RAW(set_atomic_max) PTOLINT_RAW(set_atomic_min)
PTOLINT_RAW(set_atomic_s8) PTOLINT_RAW(set_atomic_s16) PTOLINT_RAW(set_atomic_s32) PTOLINT_RAW(set_atomic_f16)
PTOLINT_RAW(set_atomic_f32) PTOLINT_RAW(set_atomic_bf16) PTOLINT_RAW(st_dev) PTOLINT_RAW(preload)
PTOLINT_RAW(hset_flag) PTOLINT_RAW(hwait_flag) PTOLINT_RAW(set_flag_dev) PTOLINT_RAW(dc_preload)
PTOLINT_RAW(set_l0_set_value_ui) PTOLINT_RAW(set_l0_set_value_h) PTOLINT_RAW(movemask) PTOLINT_RAW(sprclr)
PTOLINT_RAW(sprsts) PTOLINT_RAW(__sync_workitems)
// Vector instructions on memory and on registers.
PTOLINT_RAW(vector_dup) PTOLINT_RAW(vlds) PTOLINT_RAW(vsts) PTOLINT_RAW(vldas) PTOLINT_RAW(vldus) PTOLINT_RAW(vstus)
PTOLINT_RAW(vstur) PTOLINT_RAW(vstas) PTOLINT_RAW(vstar) PTOLINT_RAW(vsstb) PTOLINT_RAW(vsldb) PTOLINT_RAW(vbr)
PTOLINT_RAW(vdup) PTOLINT_RAW(vci) PTOLINT_RAW(vmov) PTOLINT_RAW(vcopy) PTOLINT_RAW(vsel) PTOLINT_RAW(vselr)
PTOLINT_RAW(vsqz) PTOLINT_RAW(vusqz) PTOLINT_RAW(vadd) PTOLINT_RAW(vsub) PTOLINT_RAW(vmul) PTOLINT_RAW(vdiv)
PTOLINT_RAW(vmax) PTOLINT_RAW(vmin) PTOLINT_RAW(vadds) PTOLINT_RAW(vsubs) PTOLINT_RAW(vmuls) PTOLINT_RAW(vmaxs)
PTOLINT_RAW(vmins) PTOLINT_RAW(vdivs) PTOLINT_RAW(vand) PTOLINT_RAW(vor) PTOLINT_RAW(vxor) PTOLINT_RAW(vnot)
PTOLINT_RAW(vshl) PTOLINT_RAW(vshr) PTOLINT_RAW(vshls) PTOLINT_RAW(vshrs) PTOLINT_RAW(vabs) PTOLINT_RAW(vneg)
PTOLINT_RAW(vexp) PTOLINT_RAW(vln) PTOLINT_RAW(vlog) PTOLINT_RAW(vsqrt) PTOLINT_RAW(vrsqrt) PTOLINT_RAW(vrec)
PTOLINT_RAW(vrelu) PTOLINT_RAW(vlrelu) PTOLINT_RAW(vprelu) PTOLINT_RAW(vmod) PTOLINT_RAW(vmula) PTOLINT_RAW(vmla)
PTOLINT_RAW(vmadd) PTOLINT_RAW(vmull) PTOLINT_RAW(vmaddrelu) PTOLINT_RAW(vsubrelu) PTOLINT_RAW(vaddrelu)
PTOLINT_RAW(vaxpy) PTOLINT_RAW(vexpdif) PTOLINT_RAW(vaddc) PTOLINT_RAW(vaddcs) PTOLINT_RAW(vsubc) PTOLINT_RAW(vsubcs)
PTOLINT_RAW(vcvt) PTOLINT_RAW(vtrc) PTOLINT_RAW(vcmp_eq) PTOLINT_RAW(vcmp_ne) PTOLINT_RAW(vcmp_lt)
PTOLINT_RAW(vcmp_le) PTOLINT_RAW(vcmp_gt) PTOLINT_RAW(vcmp_ge) PTOLINT_RAW(vcmps_eq) PTOLINT_RAW(vcmps_ne)
PTOLINT_RAW(vcmps_lt) PTOLINT_RAW(vcmps_le) PTOLINT_RAW(vcmps_gt) PTOLINT_RAW(vcmps_ge) PTOLINT_RAW(vcmpv_eq)
PTOLINT_RAW(vcmpv_ne) PTOLINT_RAW(vcmpv_lt) PTOLINT_RAW(vcmpv_le) PTOLINT_RAW(vcmpv_gt) PTOLINT_RAW(vcmpv_ge)
PTOLINT_RAW(vcmpvs_eq) PTOLINT_RAW(vcmpvs_ne) PTOLINT_RAW(vcmpvs_lt) PTOLINT_RAW(vcmpvs_le) PTOLINT_RAW(vcmpvs_gt)
PTOLINT_RAW(vcmpvs_ge) PTOLINT_RAW(vcadd) PTOLINT_RAW(vcmax) PTOLINT_RAW(vcmin) PTOLINT_RAW(vcgadd)
PTOLINT_RAW(vcgmax) PTOLINT_RAW(vcgmin) PTOLINT_RAW(vcpadd) PTOLINT_RAW(vbrcb) PTOLINT_RAW(vgather)
PTOLINT_RAW(vgatherb) PTOLINT_RAW(vgather2) PTOLINT_RAW(vgather2_bc) PTOLINT_RAW(vscatter) PTOLINT_RAW(vreducev2)
PTOLINT_RAW(vbitsort) PTOLINT_RAW(vmrgsort4) PTOLINT_RAW(vintlv) PTOLINT_RAW(vdintlv) PTOLINT_RAW(vpack)
PTOLINT_RAW(vunpack) PTOLINT_RAW(vtranspose) PTOLINT_RAW(scatter_vnchwconv_b8) PTOLINT_RAW(scatter_vnchwconv_b16)
PTOLINT_RAW(scatter_vnchwconv_b32) PTOLINT_RAW(vconv_deq) PTOLINT_RAW(vconv_f162f32) PTOLINT_RAW(vconv_f322f16)
PTOLINT_RAW(vconv_f322f16r) PTOLINT_RAW(vconv_f322f16a) PTOLINT_RAW(vconv_f322f16c) PTOLINT_RAW(vconv_f322f16f)
PTOLINT_RAW(vconv_f322f16z) PTOLINT_RAW(vconv_f322f16o) PTOLINT_RAW(vconv_f322bf16r) PTOLINT_RAW(vconv_bf162f32)
PTOLINT_RAW(vconv_s322f32) PTOLINT_RAW(vconv_f322s32r) PTOLINT_RAW(vconv_f322s32z) PTOLINT_RAW(vconv_f322s32a)
PTOLINT_RAW(vconv_f322s32c) PTOLINT_RAW(vconv_f322s32f) PTOLINT_RAW(vconv_f162s32r) PTOLINT_RAW(vconv_f162s32a)
PTOLINT_RAW(vconv_f162s8z) PTOLINT_RAW(vconv_f162s8r) PTOLINT_RAW(vconv_f162s8) PTOLINT_RAW(vconv_f162u8)
PTOLINT_RAW(vconv_s82f16) PTOLINT_RAW(vconv_u82f16) PTOLINT_RAW(vconv_s162f16) PTOLINT_RAW(vconv_s162f32)
PTOLINT_RAW(vconv_f322f32r) PTOLINT_RAW(vconv_f322f32z) PTOLINT_RAW(vconv_f322f32f) PTOLINT_RAW(vconv_f322f32a)
PTOLINT_RAW(vconv_f322f32c) PTOLINT_RAW(pand) PTOLINT_RAW(por) PTOLINT_RAW(pxor) PTOLINT_RAW(pnot) PTOLINT_RAW(psel)
PTOLINT_RAW(ppack) PTOLINT_RAW(punpack) PTOLINT_RAW(pintlv_b8) PTOLINT_RAW(pintlv_b16) PTOLINT_RAW(pintlv_b32)
PTOLINT_RAW(pdintlv_b8) PTOLINT_RAW(pdintlv_b16) PTOLINT_RAW(pdintlv_b32) PTOLINT_RAW(plds) PTOLINT_RAW(psts)
PTOLINT_RAW(mem_bar)
#undef PTOLINT_RAW

#define PTOLINT_RAW(name) \
    template <class... A> \
    PTO_INTRINSIC uint64_t name(A &&...);
// Values of registers, predicates and clocks.
PTOLINT_RAW(get_imm) PTOLINT_RAW(get_vms4_sr) PTOLINT_RAW(get_rsvd_cnt) PTOLINT_RAW(get_icache_prl_st)
PTOLINT_RAW(get_neighbor_sram_addr) PTOLINT_RAW(get_ar) PTOLINT_RAW(get_system_cycle) PTOLINT_RAW(get_syscnt)
PTOLINT_RAW(ld_dev) PTOLINT_RAW(__cce_simt_get_TID_X) PTOLINT_RAW(__cce_simt_get_TID_Y)
PTOLINT_RAW(__cce_simt_get_TID_Z) PTOLINT_RAW(get_loop_size) PTOLINT_RAW(get_fpc)
PTOLINT_RAW(__builtin_cce_redux_add_f32) PTOLINT_RAW(__builtin_cce_expf)
#undef PTOLINT_RAW

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
#define PTOLINT_PREDICATE(name) \
    template <class... A>       \
    PTO_INTRINSIC vector_bool name(A &&...);
PTOLINT_PREDICATE(plt_b8) PTOLINT_PREDICATE(plt_b16) PTOLINT_PREDICATE(plt_b32) PTOLINT_PREDICATE(pge_b8)
PTOLINT_PREDICATE(pge_b16) PTOLINT_PREDICATE(pge_b32) PTOLINT_PREDICATE(pset_b8) PTOLINT_PREDICATE(pset_b16)
PTOLINT_PREDICATE(pset_b32)
#undef PTOLINT_PREDICATE
#define CCE_VL 256
// Modes that vector instructions take as operands.
enum class __ptolint_mode { any };
#define PTOLINT_MODE(name) constexpr __ptolint_mode name = __ptolint_mode::any;
PTOLINT_MODE(MODE_ZEROING) PTOLINT_MODE(MODE_MERGING) PTOLINT_MODE(MODE_UNKNOWN) PTOLINT_MODE(NORM)
PTOLINT_MODE(NORM_B8) PTOLINT_MODE(NORM_B16) PTOLINT_MODE(NORM_B32) PTOLINT_MODE(POST_UPDATE)
PTOLINT_MODE(NO_POST_UPDATE) PTOLINT_MODE(PAT_ALL) PTOLINT_MODE(PAT_H) PTOLINT_MODE(PAT_Q) PTOLINT_MODE(PAT_VL1)
PTOLINT_MODE(PAT_VL8) PTOLINT_MODE(PAT_VL16) PTOLINT_MODE(ONEPT_B8) PTOLINT_MODE(ONEPT_B16) PTOLINT_MODE(ONEPT_B32)
PTOLINT_MODE(BRC_B8) PTOLINT_MODE(BRC_B16) PTOLINT_MODE(BRC_B32) PTOLINT_MODE(PK_B16) PTOLINT_MODE(PK_B32)
PTOLINT_MODE(UNPK_B8) PTOLINT_MODE(UNPK_B16) PTOLINT_MODE(PART_EVEN) PTOLINT_MODE(PART_ODD) PTOLINT_MODE(RS_ENABLE)
PTOLINT_MODE(RS_DISABLE) PTOLINT_MODE(VST_VLD) PTOLINT_MODE(VST_VST) PTOLINT_MODE(VST_LD) PTOLINT_MODE(ST_VLD)
PTOLINT_MODE(VLD_VST)
#undef PTOLINT_MODE

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
