// What a kernel includes: the types, the instructions and the intrinsics of PTO.
#pragma once

#include <pto/common/constants.hpp>
#include <pto/common/pto_instr.hpp>
#include <pto/common/pto_tile.hpp>
#include <pto/common/type.hpp>
#include <pto/common/utils.hpp>
#ifndef PTO_COMM_NOT_SUPPORTED
#include <pto/comm/pto_comm_inst.hpp>
#endif
