#include "host/loader/worker/landlock.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace gantry::host {
namespace {

// As the kernel has them; its header of Debian 12 does not know the newer ones.
struct RulesetAttributes {
  std::uint64_t files = 0, network = 0, scoped = 0;
};
struct [[gnu::packed]] PathRule {
  std::uint64_t allowed;
  std::int32_t parent_fd;
};
constexpr std::uint64_t kMakeCharacterDevice = 1U << 6U, kMakeBlockDevice = 1U << 11U;
constexpr std::uint64_t kRefer = 1U << 13U;  // renaming across folders
constexpr std::uint64_t kAbstractSockets = 1U << 0U, kSignals = 1U << 1U;
constexpr unsigned kVersionFlag = 1;
constexpr int kPathBeneath = 1;
constexpr long kWithRefer = 2, kWithScopes = 6;

// Renaming across folders is refused under any rules that do not allow it.
bool allow_renaming(int ruleset) {
  const int root = ::open("/", O_PATH | O_CLOEXEC);
  if (root < 0) return false;
  const PathRule rule{kRefer, root};
  const long done = ::syscall(SYS_landlock_add_rule, ruleset, kPathBeneath, &rule, 0);
  ::close(root);
  return done == 0;
}

}  // namespace

Walls raise_walls() {
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, kVersionFlag);
  if (version < kWithRefer) return {};
  const bool scopes = version >= kWithScopes;
  RulesetAttributes attributes;
  attributes.files = kMakeCharacterDevice | kMakeBlockDevice | kRefer;
  if (scopes) attributes.scoped = kAbstractSockets | kSignals;
  const std::size_t size = scopes ? sizeof attributes : sizeof attributes.files;
  const int ruleset =
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, size, 0));
  if (ruleset < 0) return {};
  const bool raised = allow_renaming(ruleset) && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                      ::syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
  ::close(ruleset);
  return {.memory = raised, .signals = raised && scopes};
}

}  // namespace gantry::host
