// watch/read_notes.hpp: what was read of which resources lately, as numbers.
//
// A subscriber has read its resource a moment before it is first seen among the watched ones. By
// that read it is known whether anything that it can see has changed since. Thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "resources/resource_uri.hpp"

namespace gantry::data {

// A number for what a resource holds, `text` as read_resource() gives it. The estimate of a
// schema's rows moves with the rows and does not count.
std::uint64_t content_print(ResourcePart part, std::string_view text);

class ReadNotes {
 public:
  // At most so many resources are noted; of others nothing is known.
  static constexpr std::size_t kMost = 1000;

  void note(const ResourceUri& what, std::string_view text);
  // The print of all that was read of the resource since the turn before the last one; nothing when
  // there was no read, or reads differed.
  std::optional<std::uint64_t> of(const ResourceUri& what) const;
  // What was noted before the previous turn is forgotten.
  void turn();

 private:
  struct Note {
    std::uint64_t print = 0;
    bool differs = false;
  };
  using Notes = std::map<std::string, Note>;

  static std::string key_of(const ResourceUri& what);

  mutable std::mutex mutex_;
  Notes new_, old_;
};

}  // namespace gantry::data
