#pragma once
#include <pto/pto-inst.hpp>
