#include "host/worker/cause.hpp"

#include <gtest/gtest.h>
#include <signal.h>

namespace gantry::host {
namespace {

TEST(Cause, NamesExitsAndSignals) {
  EXPECT_EQ(cause_of({.wait_status = 3 << 8, .last_line = {}}), "called exit(3)");
  EXPECT_EQ(cause_of({.wait_status = SIGBUS, .last_line = {}}), "was killed by signal 7 (SIGBUS)");
}

TEST(Cause, KnowsMemoryByTheLastWords) {
  EXPECT_EQ(cause_of({.wait_status = SIGABRT,
                      .memory_limit = 64 * kMebibyte,
                      .last_line = "  what():  std::bad_alloc"}),
            "ran out of memory (worker.memory_bytes allows 64 MiB)");
  EXPECT_EQ(cause_of({.wait_status = SIGABRT, .last_line = "assertion failed"}),
            "was killed by signal 6 (SIGABRT)");
}

TEST(Cause, NamesMemoryOnlyForAPeakNearTheLimit) {
  End end{.wait_status = SIGSEGV,
          .peak_bytes = 60 * kMebibyte,
          .memory_limit = 64 * kMebibyte,
          .last_line = {}};
  EXPECT_EQ(cause_of(end),
            "ran out of memory (worker.memory_bytes allows 64 MiB): it was killed by signal 11 "
            "(SIGSEGV)");
  end.peak_bytes = 20 * kMebibyte;
  EXPECT_EQ(cause_of(end), "was killed by signal 11 (SIGSEGV)");
}

TEST(Cause, NamesARealTimeSignalByItsNumber) { EXPECT_EQ(signal_words(40), "signal 40"); }

}  // namespace
}  // namespace gantry::host
