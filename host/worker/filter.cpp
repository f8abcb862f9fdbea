#include "host/worker/filter.hpp"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <string>
#include <vector>

namespace gantry::host {
namespace {

// kFilters[index_of(grants)], from filter_maker.cpp.
#include "host/worker/filters.inc"

static_assert(std::size(kFilters) == kGrantCombinations);

// The newest call that libseccomp of Debian 12 may know by name, and those after it that do no
// harm.
constexpr std::uint32_t kLastKnown = 450;
constexpr std::uint32_t kHarmless[] = {453, 454, 455, 456,
                                       462};  // map_shadow_stack, futex_*, mseal

// Of both halves of a 64-bit argument the kernel reads the lower one where it takes an int.
constexpr unsigned kFirstArgument =
    offsetof(seccomp_data, args) + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0);

sock_filter refuse_with(int error) {
  return BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error));
}

// Loads the call's number; calls that are newer than the rules answer ENOSYS. libseccomp has no
// ranges: one rule for each number would take longer than all others together.
void refuse_newer(std::vector<sock_filter>& code) {
  constexpr auto kSkip = static_cast<std::uint8_t>(std::size(kHarmless) + 1);
  code.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)));
  code.push_back(BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, kLastKnown, 0, kSkip));
  auto left = kSkip;
  for (const std::uint32_t number : kHarmless)
    code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, --left, 0));
  code.push_back(refuse_with(ENOSYS));
}

// With the call's number loaded. The rules were written before this process had a number.
void refuse_signals_to_others(std::vector<sock_filter>& code) {
  constexpr std::uint32_t kSignals[] = {SYS_kill, SYS_tgkill, SYS_rt_sigqueueinfo,
                                        SYS_rt_tgsigqueueinfo};
  auto left = static_cast<std::uint8_t>(std::size(kSignals));
  for (const std::uint32_t number : kSignals) {
    --left;
    const auto otherwise = static_cast<std::uint8_t>(left == 0 ? 3 : 0);
    code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, left, otherwise));
  }
  code.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kFirstArgument));
  code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(::getpid()), 1, 0));
  code.push_back(refuse_with(EPERM));
}

}  // namespace

// What stands before the rules only refuses, so their look at the architecture may come after it.
Status apply_filter(const Grants& grants) {
  std::vector<sock_filter> code;
  refuse_newer(code);
  if (!grants.signals) refuse_signals_to_others(code);
  const auto rules = kFilters[index_of(grants)];
  code.insert(code.end(), rules.begin(), rules.end());
  const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
      ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0)
    return {};
  return Status::failed(std::string("system calls cannot be filtered here: ") +
                        std::strerror(errno) + "; the kernel needs CONFIG_SECCOMP_FILTER");
}

}  // namespace gantry::host
