#include "watch/read_notes.hpp"

namespace gantry::data {

// FNV-1a, 64 bits.
std::uint64_t content_fingerprint(ResourcePart part, std::string_view text) {
  if (part == ResourcePart::schema) text = text.substr(0, text.rfind(R"("estimated_rows":)"));
  std::uint64_t fingerprint = 0xcbf29ce484222325u;
  for (const char c : text)
    fingerprint = (fingerprint ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return fingerprint;
}

std::string ReadNotes::key_of(const ResourceUri& what) {
  return resource_uri(what.class_name, what.part);
}

void ReadNotes::note(const ResourceUri& what, std::string_view text) {
  const std::uint64_t fingerprint = content_fingerprint(what.part, text);
  const std::string key = key_of(what);
  const std::lock_guard lock(mutex_);
  const auto note = new_.find(key);
  if (note != new_.end()) {
    note->second.differs = note->second.differs || note->second.fingerprint != fingerprint;
  } else if (new_.size() < kMost) {
    new_.emplace(key, Note{fingerprint, false});
  }
}

std::optional<std::uint64_t> ReadNotes::of(const ResourceUri& what) const {
  const std::string key = key_of(what);
  const std::lock_guard lock(mutex_);
  std::optional<std::uint64_t> fingerprint;
  for (const Notes* notes : {&old_, &new_}) {
    const auto note = notes->find(key);
    if (note == notes->end()) continue;
    const bool differs =
        note->second.differs || (fingerprint && *fingerprint != note->second.fingerprint);
    if (differs) return std::nullopt;
    fingerprint = note->second.fingerprint;
  }
  return fingerprint;
}

void ReadNotes::turn() {
  const std::lock_guard lock(mutex_);
  old_ = std::move(new_);
  new_.clear();
}

}  // namespace gantry::data
