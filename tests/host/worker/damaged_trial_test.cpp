// Damage that the inspection of a file does not see: the trial's process ends of it, this one
// never.
#include <elf.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "host/base/sha256.hpp"
#include "host/plugin/elf_inspection.hpp"
#include "host/worker/probe.hpp"
#include "tests/host/loader/loader_fixture.hpp"

namespace gantry::host::testing {
namespace {

constexpr std::uint64_t kHuge = std::uint64_t{1} << 38;

class DamagedTrial : public ::testing::Test {
 protected:
  void SetUp() override {
    auto made = WorkerKeeper::create();
    ASSERT_TRUE(made) << made.message();
    keeper_ = std::move(made).value();
  }

  // What the trial says of the fixture with its first segment of this type changed.
  std::string with(const char* name, unsigned type,
                   const std::function<void(Elf64_Phdr&)>& change) {
    std::string bytes = read_all(fixture(name));
    Elf64_Ehdr header;
    std::memcpy(&header, bytes.data(), sizeof header);
    for (unsigned i = 0; i < header.e_phnum; ++i) {
      char* const at = bytes.data() + header.e_phoff + i * sizeof(Elf64_Phdr);
      Elf64_Phdr segment;
      std::memcpy(&segment, at, sizeof segment);
      if (segment.p_type != type) continue;
      change(segment);
      std::memcpy(at, &segment, sizeof segment);
      return verdict(bytes);
    }
    return "there is no such segment";
  }

  std::string verdict(const std::string& bytes) {
    const auto seen = inspect_elf(bytes);
    if (!seen) return "refused before the trial: " + seen.message();
    Origin origin;
    origin.sha256 = sha256_hex(bytes);
    origin.manifest = parse_manifest(seen->manifest).value();
    Prober prober({.keeper = *keeper_,
                   .clock = clock_,
                   .program = GANTRY_BINARY_DIR "/bin/gantry-worker",
                   .changed = {}},
                  services_, {}, directory_.path() / "trials");
    const Status status = prober.probe(origin, *SealedFile::of(bytes));
    return status ? "passed" : status.message();
  }

  TemporaryDirectory directory_;
  FakeServices services_;
  SystemClock clock_;
  std::unique_ptr<WorkerKeeper> keeper_;
};

constexpr auto kNothing = [](Elf64_Phdr&) {};
const std::string kTried = "it was tried in a process of its own, and during ";

TEST_F(DamagedTrial, PassesALibraryThatIsWhole) {
  for (const unsigned type : {PT_LOAD, PT_TLS, PT_DYNAMIC, PT_GNU_RELRO}) {
    EXPECT_EQ(with("good/thread_local", type, kNothing), "passed") << type;
  }
}

TEST_F(DamagedTrial, RefusesThreadLocalMemoryThatNoThreadCanHave) {
  const std::string local = kTried + "the first use of its thread-local memory that process ";
  const auto larger = [](Elf64_Phdr& s) { s.p_memsz += kHuge << 8U; };
  const auto alignment = [](Elf64_Phdr& s) { s.p_align = std::uint64_t{1} << 52U; };
  EXPECT_TRUE(with("good/thread_local", PT_TLS, larger).starts_with(local));
  EXPECT_TRUE(with("good/thread_local", PT_TLS, alignment).starts_with(local));
}

// A call would overrun it much later, when it first uses the last variable.
TEST_F(DamagedTrial, IsNotNeededForThreadLocalMemoryThatIsTooSmall) {
  const auto smaller = [](Elf64_Phdr& s) {
    s.p_memsz /= 2;
    s.p_filesz = std::min(s.p_filesz, s.p_memsz);
  };
  EXPECT_EQ(
      with("good/thread_local", PT_TLS, smaller),
      "refused before the trial: the file is damaged: its thread-local memory makes no sense; "
      "build or copy it again");
}

// The C library would write behind the memory that it allocated, which ends no process at once.
TEST_F(DamagedTrial, IsNotNeededForMoreBytesThanMemory) {
  for (const unsigned type : {PT_LOAD, PT_TLS}) {
    const auto more = [](Elf64_Phdr& s) { s.p_filesz = s.p_memsz + 1; };
    EXPECT_EQ(with("good/thread_local", type, more),
              "refused before the trial: the file is damaged: a segment's bounds make no sense; "
              "build or copy it again");
  }
}

// What reads these segments later may be an exception, which a trial does not throw.
TEST_F(DamagedTrial, IsNotNeededForASegmentThatLiesElsewhere) {
  const auto moved = [](Elf64_Phdr& s) { s.p_vaddr ^= 0x100; };
  for (const unsigned type : {PT_DYNAMIC, PT_GNU_EH_FRAME}) {
    EXPECT_EQ(with("good/thread_local", type, moved),
              "refused before the trial: the file is damaged: a segment lies elsewhere than it "
              "says; build or copy it again");
  }
  const auto other = [](Elf64_Phdr& s) { s.p_type ^= 0x08; };
  EXPECT_EQ(with("good/thread_local", PT_GNU_EH_FRAME, other),
            "refused before the trial: the file is damaged: it has a segment of no known type; "
            "build or copy it again");
}

TEST_F(DamagedTrial, RefusesAProtectionThatCoversVariables) {
  const auto more = [](Elf64_Phdr& s) { s.p_memsz += 0x10000; };
  EXPECT_NE(with("good/echo", PT_GNU_RELRO, more), "passed");
}

}  // namespace
}  // namespace gantry::host::testing
