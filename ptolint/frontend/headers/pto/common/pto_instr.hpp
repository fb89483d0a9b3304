// Every instruction of the ISA, by family.
#pragma once

#include <pto/common/debug.h>
#include <pto/instructions/elementwise.hpp>
#include <pto/instructions/matrix.hpp>
#include <pto/instructions/memory.hpp>
#include <pto/instructions/movement.hpp>
#include <pto/instructions/quantise.hpp>
#include <pto/instructions/rearrange.hpp>
#include <pto/instructions/reduce.hpp>
#include <pto/instructions/synchronise.hpp>
