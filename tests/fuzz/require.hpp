// tests/fuzz/require.hpp: reports a broken promise of the code under test.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace gantry::fuzz {

// Ends the process when `holds` is false; libFuzzer then keeps the input. `promise` is the
// sentence that turned out to be wrong.
inline void require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "\nBROKEN PROMISE: %s\n", promise);
  std::abort();
}

}  // namespace gantry::fuzz
