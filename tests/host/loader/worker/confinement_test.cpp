#include "host/loader/worker/confinement.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "host/loader/worker/sandbox.hpp"

namespace gantry::host {
namespace {

TEST(Confinement, IsReadAsItWasWritten) {
  WorkerLimits limits;
  limits.memory_bytes = 12'345'678'901;
  limits.descriptors = 77;
  limits.network = true;
  const auto read = read_confinement(confinement(limits));
  ASSERT_TRUE(read) << read.message();
  EXPECT_EQ(read->limits.memory_bytes, 12'345'678'901U);
  EXPECT_EQ(read->limits.descriptors, 77);
  EXPECT_TRUE(read->limits.network);
  EXPECT_FALSE(read->limits.processes);
  EXPECT_EQ(read->parent, ::getpid());
}

TEST(Confinement, RefusesWhatItDoesNotKnow) {
  for (const char* text : {"color=1,parent=1", "memory=,parent=1", "memory,parent=1",
                           "memory=1x,parent=1", "memory=-1,parent=1"}) {
    EXPECT_EQ(read_confinement(text).status().code(), GANTRY_INVALID_ARGUMENT) << text;
  }
}

TEST(Confinement, RefusesAWorkerWithoutAHost) {
  EXPECT_EQ(read_confinement("memory=1").message(), "a worker is started by gantryd, not by hand");
  EXPECT_FALSE(read_confinement(""));
}

}  // namespace
}  // namespace gantry::host
