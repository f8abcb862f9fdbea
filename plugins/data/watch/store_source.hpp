// watch/store_source.hpp: reads the state of an SQLite file for the watcher.
//
// A schema is read with the operation that callers use. The content of the other resources depends
// on the reader, and is not read. No connection is held between looks. One thread.
#pragma once

#include <atomic>
#include <cstdint>

#include "ops/service.hpp"
#include "watch/watcher.hpp"

namespace gantry::data {

class StoreSource final : public Source {
 public:
  // `stopping` cancels a read in progress; both must outlive this.
  StoreSource(Service& service, const std::atomic<bool>& stopping)
      : service_(service), stopping_(stopping) {}

  Result<DatabaseState> look() override;
  Content content_of(const ResourceUri& what) override;

 private:
  Budget budget(std::int64_t milliseconds) const;

  Service& service_;
  const std::atomic<bool>& stopping_;
};

}  // namespace gantry::data
