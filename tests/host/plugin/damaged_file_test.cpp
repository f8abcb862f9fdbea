#include <elf.h>

#include <cstring>
#include <random>

#include "host/plugin/elf_inspection.hpp"
#include "host/plugin/manifest.hpp"
#include "tests/host/plugin/plugin_files.hpp"

namespace gantry::host::testing {
namespace {

// A copy on the heap of exactly this size, so that a sanitizer sees a read beyond it.
bool accepts(std::string_view bytes) {
  const std::vector<char> exact(bytes.begin(), bytes.end());
  return inspect_elf({exact.data(), exact.size()}).is_ok();
}

TEST(DamagedFile, NoCutFileIsEverAccepted) {
  for (const char* name : {"good/echo", "good/probe", "broken/throws"}) {
    const std::string bytes = read_all(fixture(name));
    ASSERT_TRUE(accepts(bytes)) << name;
    for (std::size_t i = 0; i < 200; ++i) {
      const std::size_t size = bytes.size() * i / 200;
      EXPECT_FALSE(accepts(std::string_view(bytes).substr(0, size))) << name << " at " << size;
    }
    EXPECT_FALSE(accepts(std::string_view(bytes).substr(0, bytes.size() - 1)));
  }
}

// The dynamic linker would map the first over the next ones and over what lies behind the library.
TEST(DamagedFile, WithSegmentsThatOverlapIsRefused) {
  std::string bytes = read_all(fixture("good/echo"));
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    char* const at = bytes.data() + header.e_phoff + i * sizeof(Elf64_Phdr);
    Elf64_Phdr segment;
    std::memcpy(&segment, at, sizeof segment);
    if (segment.p_type != PT_LOAD) continue;
    segment.p_memsz += std::uint64_t{1} << 23;
    std::memcpy(at, &segment, sizeof segment);
    break;
  }
  EXPECT_EQ(inspect_elf(bytes).message(),
            "the file is damaged: its segments overlap; build or copy it again");
}

// Flips bytes where they matter: half of them in the headers and the dynamic tables.
TEST(DamagedFile, NoChangedByteReadsOutsideTheFile) {
  const std::string good = read_all(fixture("good/echo"));
  std::mt19937 random(20261121);
  const auto below = [&](std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
  };
  constexpr unsigned char kEdges[] = {0x00, 0x01, 0x07, 0x7f, 0x80, 0xff};
  std::size_t accepted = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = good;
    for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
      const std::size_t at = below(2) == 0 ? below(1024) : below(bytes.size());
      bytes[at] = static_cast<char>(below(2) == 0 ? kEdges[below(std::size(kEdges))] : below(256));
    }
    const auto seen = inspect_elf(bytes);
    if (!seen) continue;
    ++accepted;
    (void)parse_manifest(seen->manifest);  // must cope with whatever is left
  }
  EXPECT_GT(accepted, 0u);
  EXPECT_LT(accepted, 20'000u);
}

}  // namespace
}  // namespace gantry::host::testing
