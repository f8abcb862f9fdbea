// watch/store_source.hpp: looks at an SQLite file for the watcher.
//
// A connection is leased for each class that is compared and given back at once; nothing is held
// between looks. One thread.
#pragma once

#include <atomic>
#include <map>

#include "ops/service.hpp"
#include "watch/watcher.hpp"

namespace gantry::data {

// Classes beyond these are not compared: every commit counts as a change of theirs.
struct PrintLimits {
  std::int64_t rows = 10'000;
  std::int64_t bytes = 8 << 20;
  std::int64_t milliseconds = 250;
};

class StoreSource final : public Source {
 public:
  // `stopping` ends what is under way; both outlive this.
  StoreSource(Service& service, const std::atomic<bool>& stopping, PrintLimits limits = {})
      : service_(service), stopping_(stopping), limits_(limits) {}

  Result<Sight> look() override;
  std::optional<std::uint64_t> rows_of(const std::string& class_name) override;
  std::optional<std::uint64_t> schema_of(const std::string& class_name) override;

 private:
  Budget budget(std::int64_t milliseconds) const;
  Result<std::optional<std::uint64_t>> read_print(const ClassInfo& cls);

  Service& service_;
  const std::atomic<bool>& stopping_;
  const PrintLimits limits_;
  CatalogPtr catalog_;                         // of the last look
  std::map<std::string, std::int64_t> large_;  // not compared, and their schema's version
};

}  // namespace gantry::data
