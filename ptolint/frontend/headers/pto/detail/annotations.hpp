// What the device compiler knows as keywords or attributes, for a plain C++ parser.
//
// `__global__` and the AICORE family leave an annotation in the AST, so that kernels and device functions
// are recognisable; memory qualifiers vanish, so that overloads and templates behave as plain C++.
#pragma once

#define PTOLINT_NOTE(text) __attribute__((annotate(text)))

#define PTO_INSTRUCTION PTOLINT_NOTE("ptolint.instruction")
#define PTO_INTRINSIC PTOLINT_NOTE("ptolint.intrinsic")
#define PTO_ASSUMPTION PTOLINT_NOTE("ptolint.assume")

#define __global__ PTOLINT_NOTE("ptolint.kernel")
#define __aicore__ PTOLINT_NOTE("ptolint.device")
#define AICORE PTOLINT_NOTE("ptolint.device")
#define PTO_INST PTOLINT_NOTE("ptolint.device") inline
#define PTO_INTERNAL PTOLINT_NOTE("ptolint.device") inline
#define PTO_INLINE inline
// `[aicore]` becomes a standard attribute; the front end rewrites it to AICORE where the grammar forbids one.
#define aicore [clang::annotate("ptolint.device")]
#define __host_aicore__ PTOLINT_NOTE("ptolint.device")
#define __cube__ PTOLINT_NOTE("ptolint.cube")
#define __vector__ PTOLINT_NOTE("ptolint.vector")
#define __mix__(...)
#define __simd_vf__ PTOLINT_NOTE("ptolint.device")
#define __simt_vf__ PTOLINT_NOTE("ptolint.device")
#define __simt_callee__ PTOLINT_NOTE("ptolint.device")
#define __VEC_SCOPE__
#define LAUNCH_BOUND(...)
#define OP_NAME(...)
#define OP_TYPE(...)

#define __gm__
#define __ubuf__
#define __cbuf__
#define __ca__
#define __cb__
#define __cc__
#define __fbuf__
#define __biasbuf__
#define __ssbuf__
#define __tf__
#define __in__
#define __out__
#define __inout__
#define __ffts__
#define __check_sync_alias__
#define __force_inline__ inline
#define __forceinline__ inline
