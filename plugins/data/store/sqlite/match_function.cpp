#include "store/sqlite/match_function.hpp"

#include <algorithm>
#include <array>
#include <exception>

#include "values/row_matcher.hpp"
#include "values/spending.hpp"

namespace gantry::data::sqlite {
namespace {

constexpr const char* kPointerType = "gantry.matcher";
using Shared = std::shared_ptr<const Matcher>;

constexpr unsigned kCallsBetweenLooks = 16;
constexpr int kLargeValue = 16 << 10;

bool must_stop(sqlite3_context* context, sqlite3_value* value) {
  auto* guard = static_cast<MatchGuard*>(sqlite3_user_data(context));
  if (!guard) return false;
  const int type = sqlite3_value_type(value);
  const bool large =
      (type == SQLITE_TEXT || type == SQLITE_BLOB) && sqlite3_value_bytes(value) > kLargeValue;
  const bool look = large || ++guard->calls % kCallsBetweenLooks == 0;
  return look && guard->spent(guard->context);
}

void fail(sqlite3_context* context, const char* what) {
  sqlite3_result_error(context, what, -1);
  sqlite3_result_error_code(context, SQLITE_CONSTRAINT_FUNCTION);
}

// Calls `use` with the bound matcher; turns an exception into the statement's error.
template <class Use>
void with_matcher(sqlite3_context* context, sqlite3_value** arguments, const Use& use) {
  const auto* matcher = static_cast<Shared*>(sqlite3_value_pointer(arguments[0], kPointerType));
  if (!matcher || !*matcher) {
    sqlite3_result_error(context, "this function needs a bound matcher", -1);
    return;
  }
  if (must_stop(context, arguments[1])) {
    return sqlite3_result_error_code(context, SQLITE_INTERRUPT);
  }
  try {
    use(**matcher, view_value(arguments[1]));
  } catch (const TimeSpent&) {
    sqlite3_result_error_code(context, SQLITE_INTERRUPT);
  } catch (const std::exception& error) {
    fail(context, error.what());
  } catch (...) {
    fail(context, "a matcher failed");
  }
}

void call_matcher(sqlite3_context* context, int, sqlite3_value** arguments) {
  with_matcher(context, arguments, [&](const Matcher& matcher, const StoredValue& value) {
    sqlite3_result_int(context, matcher.match(value) ? 1 : 0);
  });
}

void call_key(sqlite3_context* context, int, sqlite3_value** arguments) {
  with_matcher(context, arguments, [&](const Matcher& matcher, const StoredValue& value) {
    const std::string key = matcher.key(value);
    sqlite3_result_blob64(context, key.data(), key.size(), SQLITE_TRANSIENT);
  });
}

void give(sqlite3_context* context, const StoredValue& value) {
  switch (value.type) {
    case StoredValue::Type::integer:
      return sqlite3_result_int64(context, value.integer);
    case StoredValue::Type::real:
      return sqlite3_result_double(context, value.real);
    case StoredValue::Type::text:
      return sqlite3_result_text64(context, value.bytes.data(), value.bytes.size(),
                                   SQLITE_TRANSIENT, SQLITE_UTF8);
    case StoredValue::Type::blob:
      return sqlite3_result_blob64(context, value.bytes.data(), value.bytes.size(),
                                   SQLITE_TRANSIENT);
    case StoredValue::Type::null:
      return sqlite3_result_null(context);
  }
}

void call_shown(sqlite3_context* context, int count, sqlite3_value** arguments) {
  if (count < 2) return fail(context, "this function needs a matcher and a value");
  with_matcher(context, arguments, [&](const Matcher& matcher, const StoredValue&) {
    std::array<StoredValue, kMostRowColumns> row;
    const std::size_t columns = std::min(row.size(), static_cast<std::size_t>(count) - 1);
    for (std::size_t i = 0; i < columns; ++i) row[i] = view_value(arguments[i + 1]);
    std::string room;
    give(context, matcher.shown({row.data(), columns}, room));
  });
}

// A matcher of all columns that follow it as arguments.
void call_row_matcher(sqlite3_context* context, int count, sqlite3_value** arguments) {
  if (count < 2) return fail(context, "this function needs a matcher and a value");
  with_matcher(context, arguments, [&](const Matcher& matcher, const StoredValue&) {
    const auto* of_rows = dynamic_cast<const RowMatcher*>(&matcher);
    std::array<StoredValue, kMostRowColumns> row;
    const std::size_t columns = static_cast<std::size_t>(count) - 1;
    if (of_rows == nullptr || columns > row.size()) {
      return fail(context, "this function needs a matcher of rows and its columns");
    }
    for (std::size_t i = 0; i < columns; ++i) row[i] = view_value(arguments[i + 1]);
    sqlite3_result_int(context, of_rows->match_row({row.data(), columns}) ? 1 : 0);
  });
}

std::string_view bytes_of(sqlite3_value* value, const void* data) {
  return {static_cast<const char*>(data), static_cast<std::size_t>(sqlite3_value_bytes(value))};
}

}  // namespace

StoredValue view_value(sqlite3_value* value) {
  switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER:
      return {StoredValue::Type::integer, sqlite3_value_int64(value), 0, {}};
    case SQLITE_FLOAT:
      return {StoredValue::Type::real, 0, sqlite3_value_double(value), {}};
    case SQLITE_TEXT: {
      const void* text = sqlite3_value_text(value);
      return {StoredValue::Type::text, 0, 0, bytes_of(value, text)};
    }
    case SQLITE_BLOB: {
      const void* blob = sqlite3_value_blob(value);
      return {StoredValue::Type::blob, 0, 0, bytes_of(value, blob)};
    }
    default:
      return {};
  }
}

namespace {

int compare_bytes(void*, int a_size, const void* a, int b_size, const void* b) {
  const std::string_view left(static_cast<const char*>(a), static_cast<std::size_t>(a_size));
  return left.compare({static_cast<const char*>(b), static_cast<std::size_t>(b_size)});
}

}  // namespace

int register_match_function(sqlite3* db, MatchGuard* guard) {
  constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY;
  const int result = sqlite3_create_function_v2(db, "gantry_match", 2, kFlags, guard, call_matcher,
                                                nullptr, nullptr, nullptr);
  if (result != SQLITE_OK) return result;
  // Not SQLITE_DETERMINISTIC: a row matcher may use $rand, and may read no column at all.
  const int rows =
      sqlite3_create_function_v2(db, "gantry_match_row", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, guard,
                                 call_row_matcher, nullptr, nullptr, nullptr);
  if (rows != SQLITE_OK) return rows;
  const int key = sqlite3_create_function_v2(db, "gantry_key", 2, kFlags, guard, call_key, nullptr,
                                             nullptr, nullptr);
  if (key != SQLITE_OK) return key;
  const int shown = sqlite3_create_function_v2(db, "gantry_shown", -1, kFlags, guard, call_shown,
                                               nullptr, nullptr, nullptr);
  if (shown != SQLITE_OK) return shown;
  return sqlite3_create_collation_v2(db, "gantry_utf8", SQLITE_UTF8, nullptr, compare_bytes,
                                     nullptr);
}

int bind_matcher(sqlite3_stmt* stmt, int parameter, const Shared& matcher) {
  return sqlite3_bind_pointer(stmt, parameter, new Shared(matcher), kPointerType,
                              [](void* shared) { delete static_cast<Shared*>(shared); });
}

}  // namespace gantry::data::sqlite
