#include "note.hpp"

#include <fstream>
#include <sstream>

#include "sdk/contract/manifest_note.hpp"

namespace gantry::testing::detail {

Result<std::string> read_manifest(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return Status::not_found("cannot open '" + file.string() + "'");
  std::ostringstream whole;
  whole << in.rdbuf();
  const std::string bytes = std::move(whole).str();
  const Result<contract::ElfView> elf = contract::ElfView::open(bytes);
  Result<std::string> manifest = elf ? contract::find_manifest(*elf) : elf.status();
  if (manifest) return manifest;
  return Status::invalid("'" + file.string() + "': " + manifest.message());
}

}  // namespace gantry::testing::detail
