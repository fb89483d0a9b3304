#pragma once
#include <acl/acl.h>
#include <pto/comm/comm_types.hpp>
