// Assertions. The condition stays in the AST as the argument of an annotated call: the analyser takes it as
// vouched for by the author.
#pragma once

#include <pto/detail/annotations.hpp>

PTO_ASSUMPTION constexpr void __ptolint_assume(bool) {}

#define PTO_ASSERT(condition, ...) __ptolint_assume(static_cast<bool>(condition))
#define DEBUG_CHECK(condition, ...) __ptolint_assume(static_cast<bool>(condition))
#ifndef assert
#define assert(condition) __ptolint_assume(static_cast<bool>(condition))
#endif
