// Counts allocations. In its own file, because it replaces operator new and delete.
#include <cstdlib>
#include <new>

#include "support.hpp"

namespace {
thread_local std::size_t count = 0;
}

void* operator new(std::size_t size) {
  ++count;
  if (void* p = std::malloc(size != 0 ? size : 1)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace gantry::schema::test {
std::size_t allocations() { return count; }
}  // namespace gantry::schema::test
