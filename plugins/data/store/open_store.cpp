#include "store/sqlite/store.hpp"
#include "store/sqlite/writer.hpp"

namespace gantry::data {

Result<std::string> database_file(std::string_view url) {
  constexpr std::string_view kScheme = "sqlite:";
  if (url.starts_with(kScheme)) url.remove_prefix(kScheme.size());
  if (url.empty()) return Status::invalid("the database's path is empty");
  if (const auto colon = url.find("://"); colon != std::string_view::npos) {
    return Status::invalid("'" + std::string(url.substr(0, colon)) +
                           "' databases are not supported; give an SQLite file");
  }
  return std::string(url);
}

Result<StorePtr> open_store(std::string_view url, StoreOptions options) {
  auto path = database_file(url);
  if (!path) return path.status();
  auto store = sqlite::Store::open(*path, std::move(options));
  if (!store) return store.status();
  return StorePtr(std::move(*store));
}

Outcome<WriterPtr> open_writer(std::string_view url, WriterOptions options) {
  auto path = database_file(url);
  if (!path) {
    return DataError{std::string(error_code::kInvalidArgument), path.message(), {}, {}, {}, {}};
  }
  return sqlite::Writer::open(*path, std::move(options));
}

}  // namespace gantry::data
