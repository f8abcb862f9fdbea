#include "watch/store_source.hpp"

#include "resources/resources.hpp"

namespace gantry::data {
namespace {

constexpr std::int64_t kLookMs = 200;

// FNV-1a, 64 bits.
class Print {
 public:
  void add(const void* bytes, std::size_t size) {
    const auto* at = static_cast<const unsigned char*>(bytes);
    for (const auto* const end = at + size; at != end; ++at) {
      value_ = (value_ ^ *at) * 0x100000001b3u;
    }
    size_ += static_cast<std::int64_t>(size);
  }
  void add(std::string_view text) { add(text.data(), text.size()); }

  // Type and length first, so that neighbours do not flow together.
  void add_column(sqlite3_stmt* row, int column) {
    const int type = sqlite3_column_type(row, column);
    const void* bytes = nullptr;
    if (type == SQLITE_TEXT) bytes = sqlite3_column_text(row, column);
    if (type == SQLITE_BLOB) bytes = sqlite3_column_blob(row, column);
    const std::int64_t integer = type == SQLITE_INTEGER ? sqlite3_column_int64(row, column) : 0;
    const double real = type == SQLITE_FLOAT ? sqlite3_column_double(row, column) : 0;
    const int size = bytes == nullptr ? 0 : sqlite3_column_bytes(row, column);
    add(&type, sizeof type);
    if (type == SQLITE_INTEGER) add(&integer, sizeof integer);
    if (type == SQLITE_FLOAT) add(&real, sizeof real);
    add(&size, sizeof size);
    if (size > 0) add(bytes, static_cast<std::size_t>(size));
  }

  std::uint64_t value() const { return value_; }
  std::int64_t size() const { return size_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
  std::int64_t size_ = 0;
};

}  // namespace

Budget StoreSource::budget(std::int64_t milliseconds) const {
  Budget budget = Budget::for_ms(milliseconds);
  budget.cancelled = [&stopping = stopping_] { return stopping.load(); };
  return budget;
}

Result<Sight> StoreSource::look() {
  auto now = service_.store().now(budget(kLookMs));
  if (!now) return now.status();
  catalog_ = std::move(now->catalog);
  Sight sight{now->version, {}};
  for (const ClassInfo* cls : Scope(catalog_).visible_classes()) {
    sight.classes.push_back(cls->name);
  }
  return sight;
}

std::optional<std::uint64_t> StoreSource::rows_of(const std::string& class_name) {
  const ClassInfo* cls = catalog_ ? Scope(catalog_).find_class(class_name) : nullptr;
  if (cls == nullptr) return std::nullopt;
  const auto large = large_.find(class_name);
  if (large != large_.end() && large->second == catalog_->schema_version()) return std::nullopt;
  const auto print = read_print(*cls);
  if (!print) return std::nullopt;  // locked, or replaced just now: another time
  if (!*print) large_[class_name] = catalog_->schema_version();
  return *print;
}

// Empty when the class is too large; an error when it could not be read.
Result<std::optional<std::uint64_t>> StoreSource::read_print(const ClassInfo& cls) {
  auto lease = service_.store().lease(budget(limits_.milliseconds));
  if (!lease) return lease.status();
  auto statement = lease->prepare("SELECT * FROM " + cls.table);
  if (!statement) return statement.status();
  Print print;
  std::int64_t rows = 0;
  for (; statement->next(); ++rows) {
    if (rows >= limits_.rows || print.size() > limits_.bytes) return std::optional<std::uint64_t>();
    const int columns = sqlite3_column_count(statement->raw());
    for (int i = 0; i < columns; ++i) print.add_column(statement->raw(), i);
    print.add("\n");
  }
  const bool slow = statement->status().code() == GANTRY_TIMED_OUT && rows > 0;
  if (slow) return std::optional<std::uint64_t>();
  if (!statement->status()) return statement->status();
  return std::optional(print.value());
}

std::optional<std::uint64_t> StoreSource::schema_of(const std::string& class_name) {
  const Budget limits = budget(limits_.milliseconds);
  const auto text = read_resource({service_, limits}, class_name, ResourcePart::schema);
  if (!text) return std::nullopt;
  // The estimate, which is last, moves with the rows and is none of the schema.
  Print print;
  print.add(std::string_view(*text).substr(0, text->rfind(R"("estimated_rows")")));
  return print.value();
}

}  // namespace gantry::data
