#include <pto/common/debug.h>
#undef assert
#define assert(condition) __ptolint_assume(static_cast<bool>(condition))
