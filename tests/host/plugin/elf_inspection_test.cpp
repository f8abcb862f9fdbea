#include "host/plugin/elf_inspection.hpp"

#include <elf.h>

#include <algorithm>
#include <cstring>

#include "tests/host/plugin/plugin_files.hpp"

namespace gantry::host::testing {
namespace {

std::string message_of(const std::string& bytes) {
  const auto seen = inspect_elf(bytes);
  return seen ? "accepted" : seen.message();
}

Elf64_Ehdr header_of(const std::string& bytes) {
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  return header;
}

std::string with_header(std::string bytes, const Elf64_Ehdr& header) {
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

TEST(ElfInspection, ReadsTheManifestWithoutItsPadding) {
  const auto seen = inspect_elf(read_all(fixture("good/keeps")));
  ASSERT_TRUE(seen.is_ok()) << seen.message();
  EXPECT_EQ(seen->manifest, R"({"name":"keeps","version":"1.0.0","abi":1,"items":[]})");
  EXPECT_TRUE(seen->exported.empty());
  EXPECT_EQ(seen->unique_symbols, 0u);
  EXPECT_TRUE(seen->warnings().empty());
}

TEST(ElfInspection, ReportsUndefinedSymbols) {
  const auto seen = inspect_elf(read_all(fixture("broken/undefined_symbol")));
  ASSERT_TRUE(seen.is_ok()) << seen.message();
  EXPECT_NE(std::find(seen->undefined.begin(), seen->undefined.end(), "fixture_nowhere"),
            seen->undefined.end());
}

TEST(ElfInspection, AcceptsBytesBehindTheEnd) {
  const std::string bytes = read_all(fixture("good/echo"));
  EXPECT_EQ(message_of(bytes + std::string(1000, 'x')), "accepted");
}

TEST(ElfInspection, AcceptsTheOutputOfEveryLinker) {
  for (const char* linker : {"bfd", "gold", "lld"}) {
    EXPECT_EQ(message_of(read_all(fixture(std::string("linked/") + linker))), "accepted") << linker;
  }
}

TEST(ElfInspection, NamesAForeignMachine) {
  const std::string bytes = read_all(fixture("good/echo"));
  Elf64_Ehdr header = header_of(bytes);
  header.e_machine = header.e_machine == EM_386 ? EM_ARM : EM_386;
  EXPECT_TRUE(message_of(with_header(bytes, header))
                  .starts_with("the file is built for x86, this host is "));
}

TEST(ElfInspection, NamesAFileThatIsNoSharedLibrary) {
  const std::string bytes = read_all(fixture("good/echo"));
  Elf64_Ehdr header = header_of(bytes);
  header.e_type = ET_REL;
  EXPECT_EQ(message_of(with_header(bytes, header)),
            "the file is ELF but no shared library; link it with -shared (gantry_add_plugin() "
            "does)");
}

TEST(ElfInspection, NamesAForeignWordSize) {
  std::string bytes = read_all(fixture("good/echo"));
  bytes[EI_CLASS] = ELFCLASS32;
  EXPECT_EQ(message_of(bytes),
            "the file is not a 64-bit little-endian library; build it for this machine");
}

TEST(ElfInspection, SaysWhereACutFileEnds) {
  const std::string bytes = read_all(fixture("good/echo"));
  const std::string cut = message_of(bytes.substr(0, bytes.size() - 1));
  EXPECT_EQ(cut, "the file is cut off: its section headers end at byte " +
                     std::to_string(bytes.size()) + ", the file at byte " +
                     std::to_string(bytes.size() - 1) +
                     "; copy it again under another name and rename it when it is complete");
}

TEST(ElfInspection, AnEmptyFileIsNoLibrary) {
  EXPECT_TRUE(message_of("").starts_with("the file is not a shared library"));
}

TEST(ElfWarnings, NameTheCausesThatPinALibrary) {
  ElfInspection seen;
  seen.unique_symbols = 14;
  seen.never_unloads = true;
  seen.exported = {"a", "b", "c"};
  const auto warnings = seen.warnings();
  ASSERT_EQ(warnings.size(), 3u);
  EXPECT_TRUE(warnings[0].starts_with("has 14 unique symbols and can never be unloaded"));
  EXPECT_TRUE(warnings[1].starts_with("is linked with -z nodelete"));
  EXPECT_TRUE(warnings[2].starts_with("exports a and 2 more names besides gantry_plugin_v1"));
}

}  // namespace
}  // namespace gantry::host::testing
