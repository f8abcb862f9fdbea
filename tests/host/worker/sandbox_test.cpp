#include <sys/wait.h>
#include <unistd.h>

#include "host/worker/assignment.hpp"
#include "host/worker/spawn.hpp"
#include "worker_fixture.hpp"

namespace gantry::host {
namespace {

using Lines = std::vector<std::string>;

struct Sandbox : WorkerTest {
  static WorkerLimits network() { return {.network = true}; }
  static WorkerLimits processes() { return {.processes = true}; }
};

struct NeverAllowed : Sandbox, testing::WithParamInterface<const char*> {};

TEST_P(NeverAllowed, AnswersEperm) {
  WorkerLimits all;
  all.network = all.processes = true;
  EXPECT_EQ(printed_by(GetParam(), all), Lines{"EPERM"});
}

INSTANTIATE_TEST_SUITE_P(
    Calls, NeverAllowed,
    testing::Values("ptrace", "kill-host", "setsid", "setpgid", "unshare", "mount", "bpf",
                    "io-uring", "keyctl", "raise-limit", "unset-death", "socket-unix",
                    "socket-packet", "socket-vsock", "socket-wide", "socketpair-datagrams",
                    "socketpair-packets", "truncate", "open-truncate", "open-neither", "chmod",
                    "fchmod", "fchown", "utimes", "set-attribute", "list-attributes", "set-flags",
                    "lease", "watch", "memory-file", "secret-memory", "shared-memory", "queue",
                    "inject-input", "paste-input", "affinity", "hide", "be-traced"),
    [](const auto& test) {
      std::string name = test.param;
      std::erase(name, '-');
      return name;
    });

TEST_F(Sandbox, HasNoNetworkUnlessGranted) {
  EXPECT_EQ(printed_by("socket-inet"), Lines{"EPERM"});
  printed_.lines.clear();
  EXPECT_EQ(printed_by("socket-inet6"), Lines{"EPERM"});
}

TEST_F(Sandbox, HasTheInternetsSocketsWhenGranted) {
  EXPECT_EQ(printed_by("socket-inet", network()), Lines{"done"});
}

TEST_F(Sandbox, MakesPairsOfLocalStreams) {
  EXPECT_EQ(printed_by("socketpair"), Lines{"done"});
  printed_.lines.clear();
  EXPECT_EQ(printed_by("bind-abstract"), Lines{"EPERM"});
  printed_.lines.clear();
  EXPECT_EQ(printed_by("send-descriptor"), Lines{"EPERM"});
}

TEST_F(Sandbox, KnowsNoCallsThatItCannotLookInto) {
  for (const char* deed : {"open-how", "newer-call"}) {
    printed_.lines.clear();
    EXPECT_EQ(printed_by(deed), Lines{"ENOSYS"}) << deed;
  }
}

TEST_F(Sandbox, StartsNoProcessUnlessGranted) {
  EXPECT_EQ(printed_by("fork"), Lines{"EPERM"});
  printed_.lines.clear();
  EXPECT_EQ(printed_by("run-program"), Lines{"127"}) << "what system() says when nothing ran";
}

TEST_F(Sandbox, RunsProgramsWhenGranted) {
  EXPECT_EQ(printed_by("run-program", processes()), Lines{"7"});
}

TEST_F(Sandbox, HasThreads) { EXPECT_EQ(printed_by("thread"), Lines{"a thread"}); }

TEST_F(Sandbox, SignalsItselfAndNoOtherProcess) {
  EXPECT_EQ(printed_by("kill-self"), Lines{"done"});
  printed_.lines.clear();
  EXPECT_EQ(printed_by("kill-all"), Lines{"EPERM"});
  printed_.lines.clear();
  EXPECT_EQ(printed_by("owner"), Lines{"EPERM"});
}

TEST_F(Sandbox, CannotOpenTheHostsMemory) { EXPECT_EQ(printed_by("host-memory"), Lines{"EACCES"}); }

TEST_F(Sandbox, HasNoCapabilitiesButThatOnFiles) {
  EXPECT_EQ(printed_by("capabilities"), (Lines{"done", "0"}));
}

TEST_F(Sandbox, CountsDescriptors) {
  WorkerLimits limits;
  limits.descriptors = 20;
  EXPECT_EQ(printed_by("descriptors", limits), Lines{"15 EMFILE"});
}

TEST_F(Sandbox, EndsWhenItsMemoryIsUsedUp) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers and limits on memory exclude each other";
#endif
  WorkerLimits limits;
  limits.memory_bytes = std::uint64_t{128} << 20U;
  EXPECT_EQ(end_of("out-of-memory", limits),
            "ran out of memory (worker.memory_bytes allows 128 MiB)");
}

TEST_F(Sandbox, RefusesToRunWithoutAHost) {
  const auto process = spawn_worker(GANTRY_BINARY_DIR "/tests/worker_deeds", {"worker"}, "/tmp");
  ASSERT_TRUE(process) << process.message();
  ASSERT_TRUE(send_assignment(process->socket, {"x", "parent=1", "idle"}, -1));
  int status = 0;
  ASSERT_EQ(::waitpid(process->pid, &status, 0), process->pid);
  EXPECT_EQ(WEXITSTATUS(status), 65);
  for (const int fd : {process->socket, process->output, process->errors, process->pidfd})
    ::close(fd);
}

}  // namespace
}  // namespace gantry::host
