// Architecture macros that PTO derives from __NPU_ARCH__.
#pragma once

#if __NPU_ARCH__ == 2201 && !defined(PTO_NPU_ARCH_A2A3)
#define PTO_NPU_ARCH_A2A3
#elif (__NPU_ARCH__ == 3510 || __NPU_ARCH__ == 3101) && !defined(PTO_NPU_ARCH_A5)
#define PTO_NPU_ARCH_A5
#elif __NPU_ARCH__ == 3113 && !defined(PTO_NPU_ARCH_KIRIN9030)
#define PTO_NPU_ARCH_KIRIN9030
#elif __NPU_ARCH__ == 3003 && !defined(PTO_NPU_ARCH_KIRINX90)
#define PTO_NPU_ARCH_KIRINX90
#endif

#if __NPU_ARCH__ == 3510 && !defined(PTO_URMA_SUPPORTED)
#define PTO_URMA_SUPPORTED
#endif
#if (__NPU_ARCH__ == 3113 || __NPU_ARCH__ == 3003) && !defined(PTO_COMM_NOT_SUPPORTED)
#define PTO_COMM_NOT_SUPPORTED
#endif

// The file is always read as the device compiler reads it.
#ifndef __CCE_AICORE__
#if __NPU_ARCH__ == 2201
#define __CCE_AICORE__ 220
#else
#define __CCE_AICORE__ 310
#endif
#endif
