#pragma once
#include <pto/common/utils.hpp>
