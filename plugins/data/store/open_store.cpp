#include "store/sqlite/store.hpp"

namespace gantry::data {

Result<StorePtr> open_store(std::string_view url, StoreOptions options) {
  constexpr std::string_view kScheme = "sqlite:";
  if (url.starts_with(kScheme)) url.remove_prefix(kScheme.size());
  if (url.empty()) return Status::invalid("the database's path is empty");
  if (const auto colon = url.find("://"); colon != std::string_view::npos) {
    return Status::invalid("'" + std::string(url.substr(0, colon)) +
                           "' databases are not supported; give an SQLite file");
  }
  auto store = sqlite::Store::open(std::string(url), std::move(options));
  if (!store) return store.status();
  return StorePtr(std::move(*store));
}

}  // namespace gantry::data
