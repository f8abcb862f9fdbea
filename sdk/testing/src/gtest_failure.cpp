// Violations fail the running GoogleTest.
#include <gtest/gtest.h>

#include "state.hpp"

namespace gantry::testing::detail {

void fail_test(const std::string& sentence) { ADD_FAILURE() << sentence; }

}  // namespace gantry::testing::detail
