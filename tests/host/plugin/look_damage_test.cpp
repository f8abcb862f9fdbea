#include <elf.h>

#include <cstring>
#include <random>

#include "host/plugin/look.hpp"
#include "host/plugin/manifest.hpp"
#include "tests/host/plugin/plugin_files.hpp"

namespace gantry::host::testing {
namespace {

// A copy on the heap of exactly this size, so that a sanitizer sees a read beyond it.
bool accepts(std::string_view bytes) {
  const std::vector<char> exact(bytes.begin(), bytes.end());
  return look({exact.data(), exact.size()}).is_ok();
}

TEST(LookDamage, NoCutFileIsEverAccepted) {
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

// Flips bytes where they matter: half of them in the headers and the dynamic tables.
TEST(LookDamage, NoChangedByteReadsOutsideTheFile) {
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
    const auto seen = look(bytes);
    if (!seen) continue;
    ++accepted;
    (void)parse_manifest(seen->manifest);  // must cope with whatever is left
  }
  EXPECT_GT(accepted, 0u);
  EXPECT_LT(accepted, 20'000u);
}

// A library with everything that segments say: thread-local variables, variables, zeros,
// relocations.
class Segments : public ::testing::Test {
 protected:
  // Why the library is refused when the first segment of this type is changed.
  std::string with(unsigned type, void (*change)(Elf64_Phdr&), unsigned flags = 0) const {
    std::string bytes = good_;
    Elf64_Ehdr header;
    std::memcpy(&header, bytes.data(), sizeof header);
    for (unsigned i = 0; i < header.e_phnum; ++i) {
      char* const at = bytes.data() + header.e_phoff + i * sizeof(Elf64_Phdr);
      Elf64_Phdr segment;
      std::memcpy(&segment, at, sizeof segment);
      if (segment.p_type != type || (segment.p_flags & flags) != flags) continue;
      change(segment);
      std::memcpy(at, &segment, sizeof segment);
      const auto seen = look(bytes);
      return seen ? "accepted" : seen.message();
    }
    return "there is no such segment";
  }
  static constexpr auto kNothing = [](Elf64_Phdr&) {};

  const std::string good_ = read_all(fixture("good/thread_local"));
  const std::string local_ =
      "the file is damaged: its thread-local memory makes no sense; build or copy it again";
  const std::string load_ =
      "the file is damaged: a segment's protection or size does not fit its sections; build or "
      "copy "
      "it again";
  const std::string elsewhere_ =
      "the file is damaged: a segment lies elsewhere than it says; build or copy it again";
};

TEST_F(Segments, AreAcceptedAsTheyAre) {
  for (const unsigned type : {PT_LOAD, PT_TLS, PT_DYNAMIC, PT_GNU_RELRO, PT_GNU_EH_FRAME}) {
    EXPECT_EQ(with(type, kNothing), "accepted") << type;
  }
}

TEST_F(Segments, WantNoThreadLocalMemoryThatAThreadCannotHave) {
  EXPECT_EQ(with(PT_TLS, [](Elf64_Phdr& s) { s.p_memsz += std::uint64_t{1} << 38; }), local_);
  EXPECT_EQ(with(PT_TLS, [](Elf64_Phdr& s) { s.p_align |= std::uint64_t{1} << 52; }), local_);
  EXPECT_EQ(with(PT_TLS, [](Elf64_Phdr& s) { s.p_align = std::uint64_t{1} << 52; }), local_);
  EXPECT_EQ(with(PT_TLS, [](Elf64_Phdr& s) { s.p_align = 0; }), local_);
}

TEST_F(Segments, HoldTheirThreadLocalVariables) {
  EXPECT_EQ(with(PT_TLS, [](Elf64_Phdr& s) { s.p_memsz -= 4; }), local_);
  EXPECT_EQ(with(PT_TLS, [](Elf64_Phdr& s) { s.p_filesz -= 4; }), local_);
  EXPECT_EQ(with(PT_TLS, [](Elf64_Phdr& s) { s.p_filesz += 4; }), local_);
  EXPECT_EQ(with(PT_TLS, [](Elf64_Phdr& s) { s.p_vaddr += 8; }), elsewhere_);
  EXPECT_EQ(with(PT_TLS, [](Elf64_Phdr& s) { s.p_type = PT_NULL; }),
            "the file is damaged: its thread-local memory is not there; build or copy it again");
}

TEST_F(Segments, LieWhereTheySay) {
  EXPECT_EQ(with(PT_GNU_EH_FRAME, [](Elf64_Phdr& s) { s.p_vaddr ^= 0x10; }), elsewhere_);
  EXPECT_EQ(with(PT_GNU_EH_FRAME, [](Elf64_Phdr& s) { s.p_offset ^= 0x10; }), elsewhere_);
  EXPECT_EQ(with(PT_DYNAMIC, [](Elf64_Phdr& s) { s.p_vaddr ^= 0x100; }), elsewhere_);
  EXPECT_EQ(with(PT_GNU_RELRO, [](Elf64_Phdr& s) { s.p_vaddr ^= 0x1000; }), elsewhere_);
}

TEST_F(Segments, AreOfKindsThatExist) {
  const std::string unknown =
      "the file is damaged: it has a segment of no known kind; build or copy it again";
  EXPECT_EQ(with(PT_GNU_EH_FRAME, [](Elf64_Phdr& s) { s.p_type ^= 0x08; }), unknown);
  EXPECT_EQ(with(PT_GNU_EH_FRAME, [](Elf64_Phdr& s) { s.p_type ^= 0x20000000; }), unknown);
}

TEST_F(Segments, MayDoWhatTheirSectionsNeed) {
  EXPECT_EQ(with(
                PT_LOAD, [](Elf64_Phdr& s) { s.p_flags = PF_R; }, PF_W),
            load_);
  EXPECT_EQ(with(
                PT_LOAD, [](Elf64_Phdr& s) { s.p_flags = PF_R; }, PF_X),
            load_);
  EXPECT_EQ(with(PT_LOAD, [](Elf64_Phdr& s) { s.p_flags &= ~unsigned{PF_R}; }), load_);
}

TEST_F(Segments, LeaveZerosAlone) {
  EXPECT_EQ(with(
                PT_LOAD, [](Elf64_Phdr& s) { s.p_filesz += 64; }, PF_W),
            load_);
}

TEST_F(Segments, ProtectNoVariables) {
  EXPECT_EQ(with(PT_GNU_RELRO, [](Elf64_Phdr& s) { s.p_memsz += 0x2000; }),
            "the file is damaged: what it protects from writing makes no sense; build or copy it "
            "again");
}

}  // namespace
}  // namespace gantry::host::testing
