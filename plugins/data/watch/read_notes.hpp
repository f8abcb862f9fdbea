// watch/read_notes.hpp: fingerprints of the resources that callers read recently.
//
// A subscriber reads its resource shortly before the watcher first sees the subscription. The
// fingerprint of that read shows whether the resource has changed since. Thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "resources/resource_uri.hpp"

namespace gantry::data {

// The fingerprint of a resource's content; `text` as read_resource() returns it. The estimated row
// count of a schema is left out because it changes with the rows.
std::uint64_t content_fingerprint(ResourcePart part, std::string_view text);

class ReadNotes {
 public:
  // The maximum number of recorded resources; further ones are not recorded.
  static constexpr std::size_t kMost = 1000;

  void note(const ResourceUri& what, std::string_view text);
  // The fingerprint of all reads of the resource since the turn before the last one; empty when
  // there was no read, or when reads differed.
  std::optional<std::uint64_t> of(const ResourceUri& what) const;
  // Discards the reads recorded before the previous turn.
  void turn();

 private:
  struct Note {
    std::uint64_t fingerprint = 0;
    bool differs = false;
  };
  using Notes = std::map<std::string, Note>;

  static std::string key_of(const ResourceUri& what);

  mutable std::mutex mutex_;
  Notes new_, old_;
};

}  // namespace gantry::data
