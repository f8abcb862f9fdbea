// watch/store_source.hpp: reads the state of an SQLite file for the watcher.
//
// Resources are read with the operations that callers use, so both see the same content. No
// connection is held between looks. One thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>

#include "ops/service.hpp"
#include "watch/read_notes.hpp"
#include "watch/watcher.hpp"

namespace gantry::data {

// The time limit for reading a resource, and the pause after one that exceeded it. During the pause
// every commit counts as a change of the resource.
struct Effort {
  std::int64_t milliseconds = 500;
  std::chrono::milliseconds pause{60'000};
};

class StoreSource final : public Source {
 public:
  // `stopping` cancels a read in progress; all three must outlive this.
  StoreSource(Service& service, ReadNotes& notes, const std::atomic<bool>& stopping,
              Effort effort = {})
      : service_(service), notes_(notes), stopping_(stopping), effort_(effort) {}

  Result<DatabaseState> look() override;
  Content content_of(const ResourceUri& what) override;
  std::optional<std::uint64_t> read_lately(const ResourceUri& what) override;

 private:
  using Clock = std::chrono::steady_clock;

  Budget budget(std::int64_t milliseconds) const;

  Service& service_;
  ReadNotes& notes_;
  const std::atomic<bool>& stopping_;
  const Effort effort_;
  std::map<std::string, Clock::time_point> slow_;  // by URI: not read before that time
};

}  // namespace gantry::data
