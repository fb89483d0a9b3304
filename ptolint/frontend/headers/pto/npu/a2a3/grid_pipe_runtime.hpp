#pragma once
#include <pto/npu/a2a3/grid_intrinsic.hpp>
