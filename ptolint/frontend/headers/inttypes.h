#pragma once
#include <stdint.h>
#define PRIu64 "lu"
#define PRId64 "ld"
#define PRIu32 "u"
