#pragma once
#include <pto/comm/comm_types.hpp>
