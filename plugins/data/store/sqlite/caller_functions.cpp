#include "store/sqlite/caller_functions.hpp"

#include <algorithm>
#include <iterator>

#include "catalog/column_type.hpp"
#include "catalog/sql_words.hpp"

namespace gantry::data::sqlite {
namespace {

constexpr std::string_view kSafe[] = {
    "ceil",   "ceiling",    "coalesce", "floor",  "ifnull",  "iif",      "instr",
    "length", "likelihood", "likely",   "lower",  "nullif",  "round",    "sign",
    "substr", "substring",  "trunc",    "typeof", "unicode", "unlikely", "upper"};
constexpr std::string_view kOther[] = {"->",
                                       "->>",
                                       "abs",
                                       "acos",
                                       "acosh",
                                       "asin",
                                       "asinh",
                                       "atan",
                                       "atan2",
                                       "atanh",
                                       "avg",
                                       "char",
                                       "cos",
                                       "cosh",
                                       "count",
                                       "cume_dist",
                                       "degrees",
                                       "dense_rank",
                                       "exp",
                                       "first_value",
                                       "format",
                                       "glob",
                                       "group_concat",
                                       "hex",
                                       "json",
                                       "json_array",
                                       "json_array_length",
                                       "json_extract",
                                       "json_group_array",
                                       "json_group_object",
                                       "json_insert",
                                       "json_object",
                                       "json_quote",
                                       "json_remove",
                                       "json_replace",
                                       "json_set",
                                       "json_type",
                                       "json_valid",
                                       "lag",
                                       "last_value",
                                       "lead",
                                       "like",
                                       "ln",
                                       "log",
                                       "log10",
                                       "log2",
                                       "ltrim",
                                       "max",
                                       "min",
                                       "mod",
                                       "nth_value",
                                       "ntile",
                                       "percent_rank",
                                       "pi",
                                       "pow",
                                       "power",
                                       "printf",
                                       "quote",
                                       "radians",
                                       "rank",
                                       "replace",
                                       "row_number",
                                       "rtrim",
                                       "sin",
                                       "sinh",
                                       "sqrt",
                                       "sum",
                                       "tan",
                                       "tanh",
                                       "total",
                                       "trim"};
constexpr std::string_view kDates[] = {"date",     "datetime", "julianday",
                                       "strftime", "time",     "unixepoch"};
constexpr std::string_view kClock[] = {"current_date", "current_time", "current_timestamp"};

constexpr std::string_view kOwnDate = "gantry_";

template <class Names>
bool is_listed(const Names& names, std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

std::string_view date_text(sqlite3_value* value) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  if (text == nullptr) return {};
  return {text, static_cast<std::size_t>(sqlite3_value_bytes(value))};
}

// The modifiers that convert from and to the host's time zone.
bool asks_time_zone(sqlite3_value* value) {
  if (sqlite3_value_type(value) == SQLITE_NULL) return false;
  std::string word = lower(date_text(value).substr(0, 32));
  word.erase(0, word.find_first_not_of(" \t\r\n"));
  return word.starts_with("localtime") || word.starts_with("utc");
}

bool is_now(sqlite3_value* value) {
  return sqlite3_value_type(value) != SQLITE_NULL && lower(date_text(value).substr(0, 8)) == "now";
}

// Whether words[at] begins "name(…) AS [[NOT] MATERIALIZED] (", which defines a query.
bool defines_query(const std::vector<SqlWord>& words, std::size_t at) {
  int depth = 0;
  for (++at; at < words.size(); ++at) {
    depth += words[at].nesting();
    if (depth == 0) break;
  }
  if (at + 2 >= words.size() || lower(words[at + 1].text) != "as") return false;
  const SqlWord& next = words[at + 2];
  return next.is_sign('(') || lower(next.text) == "not" || lower(next.text) == "materialized";
}

bool calls_date(const std::vector<SqlWord>& words, std::size_t at) {
  return words[at].is_name() && words[at + 1].is_sign('(') &&
         is_listed(kDates, lower(words[at].text)) && !defines_query(words, at);
}

}  // namespace

FunctionUse use_of_function(std::string_view name) {
  const std::string known = lower(name);
  if (is_listed(kSafe, known)) return FunctionUse::safe;
  if (is_listed(kOther, known)) return FunctionUse::other;
  const bool is_date = is_listed(kDates, known) || is_listed(kClock, known);
  return is_date ? FunctionUse::clock : FunctionUse::refused;
}

bool is_own_date_function(std::string_view name) {
  return name.starts_with(kOwnDate) && is_listed(kDates, name.substr(kOwnDate.size()));
}

std::string with_own_date_functions(std::string_view sql) {
  const std::vector<SqlWord> words = sql_words(sql);
  std::string text;
  std::size_t done = 0;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (!calls_date(words, i)) continue;
    text.append(sql.substr(done, words[i].begin - done))
        .append(kOwnDate)
        .append(lower(words[i].text));
    done = words[i].end;
  }
  return text.append(sql.substr(done));
}

struct DateFunctions::Named {
  DateFunctions* owner;
  const char* name;
};

DateFunctions::~DateFunctions() { sqlite3_close_v2(helper_); }

int DateFunctions::register_with(sqlite3* db) {
  for (const std::string_view name : kDates) {
    const std::string own = "gantry_" + std::string(name);
    auto* named = new Named{this, name.data()};
    const int code = sqlite3_create_function_v2(
        db, own.c_str(), -1, SQLITE_UTF8 | SQLITE_DIRECTONLY | SQLITE_DETERMINISTIC, named, call,
        nullptr, nullptr, [](void* gone) { delete static_cast<Named*>(gone); });
    if (code != SQLITE_OK) return code;
  }
  return SQLITE_OK;
}

void DateFunctions::call(sqlite3_context* context, int count, sqlite3_value** arguments) {
  const auto* named = static_cast<Named*>(sqlite3_user_data(context));
  named->owner->run(context, named->name, count, arguments);
}

sqlite3* DateFunctions::helper() {
  if (helper_ == nullptr) {
    sqlite3_open_v2(":memory:", &helper_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  }
  return helper_;
}

const std::string& DateFunctions::now() {
  if (!now_.empty()) return now_;
  sqlite3_stmt* stmt = nullptr;
  sqlite3_prepare_v2(helper(), "SELECT strftime('%Y-%m-%d %H:%M:%f','now')", -1, &stmt, nullptr);
  if (sqlite3_step(stmt) == SQLITE_ROW) now_ = date_text(sqlite3_column_value(stmt, 0));
  sqlite3_finalize(stmt);
  return now_;
}

void DateFunctions::run(sqlite3_context* context, const char* name, int count,
                        sqlite3_value** arguments) {
  constexpr int kMost = 12;
  const bool is_format = std::string_view(name) == "strftime";
  const int time_at = is_format ? 1 : 0;
  if (count > kMost) return sqlite3_result_error(context, "too many arguments", -1);
  for (int i = time_at; i < count; ++i) {
    if (!asks_time_zone(arguments[i])) continue;
    return sqlite3_result_error(context, "times are in UTC: there is no local time", -1);
  }
  std::string sql = "SELECT " + std::string(name) + "(";
  for (int i = 0; i < std::max(count, time_at + 1); ++i) sql += i == 0 ? "?" : ",?";
  sqlite3_stmt* stmt = nullptr;
  sqlite3_prepare_v2(helper(), (sql + ")").c_str(), -1, &stmt, nullptr);
  for (int i = 0; i < count; ++i) sqlite3_bind_value(stmt, i + 1, arguments[i]);
  if (count <= time_at || is_now(arguments[time_at])) {
    const std::string& time = now();
    sqlite3_bind_text64(stmt, time_at + 1, time.data(), time.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  }
  if (sqlite3_step(stmt) != SQLITE_ROW) {
    sqlite3_result_error(context, "the date cannot be computed", -1);
  } else if (is_format && count > 0 && sqlite3_column_type(stmt, 0) == SQLITE_NULL &&
             !knows_format(arguments[0])) {
    sqlite3_result_error(context,
                         "strftime() has no such format; it has %d %f %H %j %J %m %M %s %S %w %W "
                         "%Y and %%",
                         -1);
  } else {
    sqlite3_result_value(context, sqlite3_column_value(stmt, 0));
  }
  sqlite3_finalize(stmt);
}

// SQLite answers NULL for a letter that it does not know, as for a date that is none.
bool DateFunctions::knows_format(sqlite3_value* format) {
  if (sqlite3_value_type(format) == SQLITE_NULL) return true;
  sqlite3_stmt* stmt = nullptr;
  sqlite3_prepare_v2(helper(), "SELECT strftime(?, 0) IS NOT NULL", -1, &stmt, nullptr);
  sqlite3_bind_value(stmt, 1, format);
  const bool is_known = sqlite3_step(stmt) != SQLITE_ROW || sqlite3_column_int(stmt, 0) != 0;
  sqlite3_finalize(stmt);
  return is_known;
}

}  // namespace gantry::data::sqlite
