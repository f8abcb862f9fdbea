#include "sdk/contract/manifest_note.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include <gantry/abi/manifest.h>

namespace gantry::contract {
namespace {

std::uint64_t padded(std::uint64_t size, std::uint64_t align) {
  return (size + align - 1) & ~(align - 1);
}

// Takes the first note off `rest`; nullopt when `rest` does not begin with a whole note.
struct Note {
  std::uint32_t type;
  std::string_view owner, body;
};
std::optional<Note> next_note(std::string_view& rest, std::uint64_t align) {
  std::array<std::uint32_t, 3> head{};
  if (rest.size() < sizeof head) return std::nullopt;
  std::memcpy(head.data(), rest.data(), sizeof head);
  const std::uint64_t body = padded(sizeof head + head[0], align);
  const std::uint64_t end = body + head[1];
  if (end > rest.size()) return std::nullopt;
  Note note{head[2], rest.substr(sizeof head, head[0]), rest.substr(body, head[1])};
  rest.remove_prefix(std::min<std::uint64_t>(padded(end, align), rest.size()));
  return note;
}

bool is_manifest(const Note& note) {
  constexpr std::string_view kOwner{GANTRY_NOTE_OWNER, sizeof GANTRY_NOTE_OWNER};
  return note.type == GANTRY_NOTE_TYPE && note.owner == kOwner;
}

}  // namespace

Result<std::string> find_manifest(const ElfView& elf) {
  std::optional<std::string_view> found;
  for (const Elf64_Phdr& segment : elf.segments()) {
    if (segment.p_type != PT_NOTE) continue;
    std::string_view rest = *elf.slice(segment.p_offset, segment.p_filesz);
    while (const auto note = next_note(rest, segment.p_align == 8 ? 8 : 4)) {
      if (!is_manifest(*note)) continue;
      if (found && found->data() != note->body.data()) {
        return Status::invalid("the library holds two manifests; keep one GANTRY_MANIFEST");
      }
      found = note->body;
    }
  }
  if (!found) {
    return Status::invalid(
        "the library has no manifest; build it with gantry_add_plugin() or use GANTRY_MANIFEST "
        "once");
  }
  if (found->size() > GANTRY_NOTE_MAX) {
    return Status::invalid("the manifest has " + std::to_string(found->size()) +
                           " bytes, at most 4 MiB are read; shorten its schemas");
  }
  const std::size_t last = found->find_last_not_of(std::string_view("\0 \n\r\t", 5));
  if (last == std::string_view::npos) return Status::invalid("the manifest is empty");
  return std::string(found->substr(0, last + 1));
}

}  // namespace gantry::contract
