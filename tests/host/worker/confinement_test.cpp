#include "host/worker/confinement.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "host/worker/sandbox.hpp"

namespace gantry::host::confinement_test {
namespace {

TEST(Confinement, IsReadAsItWasWritten) {
  WorkerLimits limits;
  limits.memory_bytes = 12'345'678'901;
  limits.descriptors = 77;
  limits.network = true;
  limits.walls = false;
  limits.disk_bytes = 99;
  limits.files = {{"/a,b", "/50%2c"}, {"/c=d"}};
  const auto read = read_confinement(confinement(limits, "/tmp/own"));
  ASSERT_TRUE(read) << read.message();
  EXPECT_EQ(read->limits.memory_bytes, 12'345'678'901U);
  EXPECT_EQ(read->limits.descriptors, 77);
  EXPECT_TRUE(read->limits.network);
  EXPECT_FALSE(read->limits.processes);
  EXPECT_FALSE(read->limits.walls);
  EXPECT_EQ(read->limits.disk_bytes, 99U);
  EXPECT_EQ(read->limits.files, limits.files);
  EXPECT_EQ(read->temporary, "/tmp/own");
  EXPECT_EQ(read->parent, ::getpid());
}

TEST(Confinement, RefusesUnknownAndMalformedEntries) {
  for (const char* text :
       {"color=1,parent=1", "memory=,parent=1", "memory,parent=1", "memory=1x,parent=1",
        "memory=-1,parent=1", "open=1,parent=1", "read=,parent=1"}) {
    EXPECT_EQ(read_confinement(text).status().code(), GANTRY_INVALID_ARGUMENT) << text;
  }
}

TEST(Confinement, RefusesAWorkerWithoutAHost) {
  EXPECT_EQ(read_confinement("memory=1").message(), "a worker is started by gantryd, not by hand");
  EXPECT_FALSE(read_confinement(""));
}

}  // namespace
}  // namespace gantry::host::confinement_test
