// What a kernel includes: the types, the instructions and the intrinsics of PTO.
#pragma once

#include <pto/common/constants.hpp>
#include <pto/common/pto_instr.hpp>
#include <pto/common/pto_tile.hpp>
#include <pto/common/type.hpp>
