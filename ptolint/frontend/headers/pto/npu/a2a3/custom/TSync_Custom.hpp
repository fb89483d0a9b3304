#pragma once
#include <pto/npu/custom.hpp>
