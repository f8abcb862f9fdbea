#include "note.hpp"

#include <elf.h>

#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>

#include <gantry/abi/manifest.h>

namespace gantry::testing::detail {
namespace {

// Reads a T at `offset` of the file, if it is that long.
template <class T>
bool get(std::string_view bytes, std::size_t offset, T& out) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return false;
  std::memcpy(&out, bytes.data() + offset, sizeof(T));
  return true;
}

std::size_t padded(std::size_t size) { return (size + 3U) & ~std::size_t{3}; }

// The body of Gantry's note in the notes of one segment; empty if there is none.
std::string_view find_note(std::string_view notes) {
  constexpr std::string_view kOwner(GANTRY_NOTE_OWNER, sizeof(GANTRY_NOTE_OWNER));
  std::size_t at = 0;
  Elf64_Nhdr header;
  while (get(notes, at, header)) {
    const std::size_t name = at + sizeof header;
    const std::size_t body = name + padded(header.n_namesz);
    if (body > notes.size() || header.n_descsz > notes.size() - body) return {};
    if (notes.substr(name, header.n_namesz) == kOwner && header.n_type == GANTRY_NOTE_TYPE) {
      return notes.substr(body, header.n_descsz);
    }
    at = body + padded(header.n_descsz);
  }
  return {};
}

}  // namespace

Result<std::string> read_manifest(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return Status::not_found("cannot open '" + file.string() + "'");
  std::ostringstream whole;
  whole << in.rdbuf();
  const std::string bytes = std::move(whole).str();
  Elf64_Ehdr elf;
  if (!get(bytes, 0, elf) || std::memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0) {
    return Status::invalid("'" + file.string() + "' is no ELF file");
  }
  for (std::size_t i = 0; i < elf.e_phnum; ++i) {
    Elf64_Phdr segment;
    if (!get(bytes, elf.e_phoff + i * sizeof segment, segment)) break;
    if (segment.p_type != PT_NOTE || segment.p_offset > bytes.size()) continue;
    std::string_view body =
        find_note(std::string_view(bytes).substr(segment.p_offset, segment.p_filesz));
    while (!body.empty() && body.back() == '\0') body.remove_suffix(1);
    if (!body.empty()) return std::string(body);
  }
  return Status::invalid("'" + file.string() +
                         "' has no manifest note; build it with gantry_add_plugin()");
}

}  // namespace gantry::testing::detail
