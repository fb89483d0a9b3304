#pragma once
#include <type_traits>
#define PTOLINT_MATH(name)                                                      \
    extern "C" double name(double);                                             \
    extern "C" float name##f(float);                                            \
    namespace std {                                                             \
    using ::name;                                                               \
    using ::name##f;                                                            \
    float name(float);                                                          \
    template <class T>                                                          \
    enable_if_t<__is_integral(T), double> name(T value);                        \
    }
PTOLINT_MATH(acos)
PTOLINT_MATH(asin)
PTOLINT_MATH(atan)
PTOLINT_MATH(cbrt)
PTOLINT_MATH(ceil)
PTOLINT_MATH(cos)
PTOLINT_MATH(cosh)
PTOLINT_MATH(erf)
PTOLINT_MATH(exp)
PTOLINT_MATH(exp2)
PTOLINT_MATH(expm1)
PTOLINT_MATH(fabs)
PTOLINT_MATH(floor)
PTOLINT_MATH(log)
PTOLINT_MATH(log10)
PTOLINT_MATH(log1p)
PTOLINT_MATH(log2)
PTOLINT_MATH(nearbyint)
PTOLINT_MATH(rint)
PTOLINT_MATH(round)
PTOLINT_MATH(sin)
PTOLINT_MATH(sinh)
PTOLINT_MATH(sqrt)
PTOLINT_MATH(tan)
PTOLINT_MATH(tanh)
PTOLINT_MATH(trunc)
#undef PTOLINT_MATH
#define PTOLINT_MATH2(name)                                                     \
    extern "C" double name(double, double);                                     \
    extern "C" float name##f(float, float);                                     \
    namespace std {                                                             \
    using ::name;                                                               \
    using ::name##f;                                                            \
    float name(float, float);                                                   \
    template <class T, class U>                                                 \
    enable_if_t<!is_same_v<T, float> || !is_same_v<U, float>, double> name(T, U); \
    }
PTOLINT_MATH2(atan2)
PTOLINT_MATH2(copysign)
PTOLINT_MATH2(fmax)
PTOLINT_MATH2(fmin)
PTOLINT_MATH2(fmod)
PTOLINT_MATH2(hypot)
PTOLINT_MATH2(pow)
PTOLINT_MATH2(remainder)
#undef PTOLINT_MATH2
namespace std {
constexpr bool isnan(double value) { return value != value; }
inline bool isinf(double value) { return __builtin_isinf(value); }
inline bool isfinite(double value) { return __builtin_isfinite(value); }
constexpr double abs(double value) { return value < 0 ? -value : value; }
constexpr float abs(float value) { return value < 0 ? -value : value; }
} // namespace std
using std::isfinite;
using std::isinf;
using std::isnan;
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VAL __builtin_huge_val()
#define M_PI 3.14159265358979323846
#define M_E 2.7182818284590452354
#define M_SQRT2 1.41421356237309504880
#include <stdlib.h>
