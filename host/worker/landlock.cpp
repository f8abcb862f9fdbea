#include "host/worker/landlock.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>

#include "host/base/unique_fd.hpp"

namespace gantry::host {
namespace {

// As the kernel has them; the header of Debian 12 lacks the newer ones.
struct RulesetAttributes {
  std::uint64_t files = 0, network = 0, scoped = 0;
};
struct [[gnu::packed]] PathRule {
  std::uint64_t allowed;
  std::int32_t parent_fd;
};
constexpr std::uint64_t bit(unsigned number) { return std::uint64_t{1} << number; }
constexpr std::uint64_t kExecute = bit(0), kWriteFile = bit(1), kReadFile = bit(2),
                        kReadDirectory = bit(3), kRemoveDirectory = bit(4), kRemoveFile = bit(5),
                        kMakeCharacterDevice = bit(6), kMakeDirectory = bit(7), kMakeFile = bit(8),
                        kMakeBlockDevice = bit(11), kRefer = bit(13), kTruncate = bit(14),
                        kControlDevice = bit(15);
constexpr std::uint64_t kOfFiles = kExecute | kWriteFile | kReadFile | kTruncate | kControlDevice;
constexpr std::uint64_t kRead = kReadFile | kReadDirectory;
constexpr std::uint64_t kChange = kRead | kWriteFile | kRemoveDirectory | kRemoveFile |
                                  kMakeDirectory | kMakeFile | kRefer | kTruncate;
constexpr std::uint64_t kTcp = bit(0) | bit(1);     // bind, connect
constexpr std::uint64_t kScopes = bit(0) | bit(1);  // abstract sockets, signals
constexpr unsigned kVersionFlag = 1;
constexpr int kPathBeneath = 1;
constexpr int kWithTcp = 4, kWithScopes = 6;

// All rights on files that a version knows.
constexpr std::uint64_t files_of(int version) {
  if (version >= 5) return bit(16) - 1;
  if (version >= 3) return bit(15) - 1;
  return version == 2 ? bit(14) - 1 : bit(13) - 1;
}

std::uint64_t rights_of(Access access) {
  if (access == Access::change) return kChange;
  return access == Access::run ? kRead | kExecute : kRead;
}

Status failed(const std::string& what) {
  return Status::failed("the walls of this worker cannot be raised: " + what + ": " +
                        std::strerror(errno));
}

Status allow(int ruleset, std::uint64_t handled, const std::filesystem::path& path,
             std::uint64_t rights, bool must_exist) {
  const UniqueFd fd(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!fd.is_open()) return must_exist ? failed(path.string()) : Status::ok();
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) return failed(path.string());
  if (!S_ISDIR(info.st_mode)) rights &= kOfFiles;
  const PathRule rule{rights & handled, fd.get()};
  const long added = ::syscall(SYS_landlock_add_rule, ruleset, kPathBeneath, &rule, 0);
  // Memory files and pipes have no place in the file system: no domain restricts them.
  if (added == 0 || errno == EBADFD) return Status::ok();
  return failed(path.string());
}

RulesetAttributes handled_by(const Domain& domain, int version) {
  RulesetAttributes out;
  out.files = files_of(version);
  if (domain.all_files) out.files &= kMakeCharacterDevice | kMakeBlockDevice | kRefer;
  if (version >= kWithTcp && !domain.network && !domain.all_files) out.network = kTcp;
  if (version >= kWithScopes) out.scoped = kScopes;
  return out;
}

std::size_t size_for(int version) {
  if (version >= kWithScopes) return sizeof(RulesetAttributes);
  return version >= kWithTcp ? 2 * sizeof(std::uint64_t) : sizeof(std::uint64_t);
}

Status allow_all(int ruleset, std::uint64_t handled, const Domain& domain) {
  // Renaming across directories is refused by every domain that does not allow it.
  if (domain.all_files)
    return (handled & kRefer) != 0 ? allow(ruleset, handled, "/", kRefer, true) : Status::ok();
  for (const PathGrant& grant : domain.paths) {
    Status status = allow(ruleset, handled, grant.path, rights_of(grant.access), grant.must_exist);
    if (!status) return status;
  }
  return Status::ok();
}

}  // namespace

int landlock_version() {
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, kVersionFlag);
  return version < 0 ? 0 : static_cast<int>(version);
}

Result<Walls> raise_walls(const Domain& domain) {
  const int version = landlock_version();
  if (version == 0) {
    if (domain.all_files) return Walls{};
    return Status::failed("the walls of this worker cannot be raised: this kernel has no Landlock");
  }
  const RulesetAttributes attributes = handled_by(domain, version);
  const UniqueFd ruleset(
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, size_for(version), 0)));
  if (!ruleset.is_open()) return failed("a ruleset");
  if (Status status = allow_all(ruleset.get(), attributes.files, domain); !status) return status;
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return failed("no new privileges");
  if (::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) != 0) return failed("the domain");
  return Walls{.signals = version >= kWithScopes};
}

}  // namespace gantry::host
