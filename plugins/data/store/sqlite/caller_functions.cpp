#include "store/sqlite/caller_functions.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>

#include "catalog/column_type.hpp"
#include "catalog/sql_words.hpp"
#include "values/ascii.hpp"

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
// Those that functions of this file take the place of: the dates, and two of kOther.
constexpr std::string_view kReplaced[] = {"date", "datetime",  "julianday", "strftime",
                                          "time", "unixepoch", "format",    "printf"};
constexpr std::string_view kClock[] = {"current_date", "current_time", "current_timestamp"};

constexpr std::string_view kOwn = "gantry_";

template <class Names>
bool is_listed(const Names& names, std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

std::string_view text_of_value(sqlite3_value* value) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  if (text == nullptr) return {};
  return {text, static_cast<std::size_t>(sqlite3_value_bytes(value))};
}

// The modifiers that convert from and to the host's time zone.
bool asks_time_zone(sqlite3_value* value) {
  if (sqlite3_value_type(value) == SQLITE_NULL) return false;
  std::string word = lower(text_of_value(value).substr(0, 32));
  word.erase(0, word.find_first_not_of(" \t\r\n"));
  return word.starts_with("localtime") || word.starts_with("utc");
}

bool is_now(sqlite3_value* value) {
  return sqlite3_value_type(value) != SQLITE_NULL &&
         lower(text_of_value(value).substr(0, 8)) == "now";
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

bool calls_replaced(const std::vector<SqlWord>& words, std::size_t at) {
  return words[at].is_name() && words[at + 1].is_sign('(') &&
         is_listed(kReplaced, lower(words[at].text)) && !defines_query(words, at);
}

using Values = std::span<sqlite3_value* const>;

Values given_values(int count, sqlite3_value** values) {
  return {values, static_cast<std::size_t>(count)};
}

// "SELECT name(?,?)"
std::string call_of(const std::string& name, int count) {
  std::string sql = "SELECT " + name + "(";
  for (int i = 0; i < count; ++i) sql += i == 0 ? "?" : ",?";
  return sql + ")";
}

// The arguments behind a format, in their order.
class FormatArguments {
 public:
  FormatArguments(int count, sqlite3_value** arguments) : count_(count), arguments_(arguments) {}

  void skip() { ++at_; }
  // As SQLite reads what '*' stands for.
  std::int64_t size() {
    const int at = at_++;
    if (at >= count_) return 0;
    const auto given = static_cast<std::int32_t>(sqlite3_value_int64(arguments_[at]));
    return std::abs(std::int64_t{given});
  }

 private:
  int count_;
  sqlite3_value** arguments_;
  int at_ = 1;
};

// How often "%-6.9c" repeats its character, from what stands between '%' and 'c'.
std::int64_t repetitions_of(std::string_view between, FormatArguments& arguments) {
  constexpr std::int64_t kMost = INT32_MAX;
  const auto point = between.find('.');
  if (between.substr(0, point).find('*') != std::string_view::npos) arguments.skip();
  if (point == std::string_view::npos) return 0;
  const std::string_view digits = between.substr(point + 1);
  if (digits.find('*') != std::string_view::npos) return arguments.size();
  std::int64_t number = 0;
  for (const char c : digits) {
    if (is_digit(c)) number = std::min(kMost, number * 10 + (c - '0'));
  }
  return number;
}

// The characters that all "%c" of a format repeat: SQLite makes each by a loop of as many rounds,
// also beyond the limit of a value.
std::int64_t repeated_characters(std::string_view format, FormatArguments arguments) {
  std::int64_t sum = 0;
  for (std::size_t at = format.find('%'); at < format.size(); at = format.find('%', at + 1)) {
    const std::size_t type = format.find_first_not_of("-+ #!0,l123456789*.", at + 1);
    if (type >= format.size()) break;
    const std::int64_t repeated = repetitions_of(format.substr(at + 1, type - at - 1), arguments);
    if (format[type] == 'c') sum += repeated;
    if (format[type] != '%') arguments.skip();
    at = type;
  }
  return sum;
}

}  // namespace

FunctionUse use_of_function(std::string_view name) {
  const std::string known = lower(name);
  if (is_listed(kSafe, known)) return FunctionUse::safe;
  if (is_listed(kOther, known)) return FunctionUse::other;
  const bool is_date = is_listed(kReplaced, known) || is_listed(kClock, known);
  return is_date ? FunctionUse::clock : FunctionUse::refused;
}

bool is_own_function(std::string_view name) {
  return name.starts_with(kOwn) && is_listed(kReplaced, name.substr(kOwn.size()));
}

std::string with_own_functions(std::string_view sql) {
  const std::vector<SqlWord> words = sql_words(sql);
  std::string text;
  std::size_t done = 0;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (!calls_replaced(words, i)) continue;
    text.append(sql.substr(done, words[i].begin - done)).append(kOwn).append(lower(words[i].text));
    done = words[i].end;
  }
  return text.append(sql.substr(done));
}

struct OwnFunctions::Named {
  OwnFunctions* owner;
  const char* name;
  bool is_date;
};

OwnFunctions::~OwnFunctions() {
  statements_.clear();
  sqlite3_close_v2(helper_);
}

int OwnFunctions::register_with(sqlite3* db) {
  for (const std::string_view name : kReplaced) {
    const std::string own = std::string(kOwn) + std::string(name);
    const bool is_date = use_of_function(name) == FunctionUse::clock;
    auto* named = new Named{this, name.data(), is_date};
    const int code = sqlite3_create_function_v2(
        db, own.c_str(), -1, SQLITE_UTF8 | SQLITE_DIRECTONLY | SQLITE_DETERMINISTIC, named, call,
        nullptr, nullptr, [](void* gone) { delete static_cast<Named*>(gone); });
    if (code != SQLITE_OK) return code;
  }
  return SQLITE_OK;
}

void OwnFunctions::call(sqlite3_context* context, int count, sqlite3_value** arguments) {
  const auto* named = static_cast<Named*>(sqlite3_user_data(context));
  named->is_date ? named->owner->run_date(context, named->name, count, arguments)
                 : named->owner->run_format(context, count, arguments);
}

sqlite3* OwnFunctions::helper() {
  if (helper_ == nullptr) {
    sqlite3_open_v2(":memory:", &helper_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  }
  return helper_;
}

const std::string& OwnFunctions::now() {
  if (!now_.empty()) return now_;
  const auto clock = helper_statement("SELECT strftime('%Y-%m-%d %H:%M:%f','now')", {});
  if (sqlite3_step(clock->stmt) == SQLITE_ROW) {
    now_ = text_of_value(sqlite3_column_value(clock->stmt, 0));
  }
  return now_;
}

OwnFunctions::HelperStatement OwnFunctions::helper_statement(const std::string& sql,
                                                             Values values) {
  CachedStatement* entry = statements_.take(sql);
  if (entry == nullptr) entry = statements_.add(sql, nullptr);
  if (entry->stmt == nullptr) {
    sqlite3_prepare_v2(helper(), sql.c_str(), -1, &entry->stmt, nullptr);
  }
  int at = 0;
  for (sqlite3_value* const value : values) sqlite3_bind_value(entry->stmt, ++at, value);
  return HelperStatement(entry);
}

// The values may be large.
void OwnFunctions::FreeStatement::operator()(CachedStatement* entry) const {
  sqlite3_reset(entry->stmt);
  sqlite3_clear_bindings(entry->stmt);
  entry->in_use = false;
}

void OwnFunctions::run_format(sqlite3_context* context, int count, sqlite3_value** arguments) {
  const int most = sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1);
  if (count > 0) {
    const FormatArguments given(count, arguments);
    if (repeated_characters(text_of_value(arguments[0]), given) > most) {
      return sqlite3_result_error_toobig(context);
    }
  }
  sqlite3_limit(helper(), SQLITE_LIMIT_LENGTH, most);
  const auto call = helper_statement(call_of("printf", count), given_values(count, arguments));
  if (const int code = sqlite3_step(call->stmt); code == SQLITE_ROW) {
    sqlite3_result_value(context, sqlite3_column_value(call->stmt, 0));
  } else {
    sqlite3_result_error_code(context, code);
  }
}

void OwnFunctions::run_date(sqlite3_context* context, const char* name, int count,
                            sqlite3_value** arguments) {
  constexpr int kMost = 12;
  const bool is_format = std::string_view(name) == "strftime";
  const int time_at = is_format ? 1 : 0;
  if (count > kMost) return sqlite3_result_error(context, "too many arguments", -1);
  for (int i = time_at; i < count; ++i) {
    if (!asks_time_zone(arguments[i])) continue;
    return sqlite3_result_error(context, "times are in UTC: there is no local time", -1);
  }
  const auto call =
      helper_statement(call_of(name, std::max(count, time_at + 1)), given_values(count, arguments));
  sqlite3_stmt* const stmt = call->stmt;
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
}

// SQLite answers NULL for a letter that it does not know, as for a date that is none.
bool OwnFunctions::knows_format(sqlite3_value* format) {
  if (sqlite3_value_type(format) == SQLITE_NULL) return true;
  const auto test = helper_statement("SELECT strftime(?, 0) IS NOT NULL", given_values(1, &format));
  return sqlite3_step(test->stmt) != SQLITE_ROW || sqlite3_column_int(test->stmt, 0) != 0;
}

}  // namespace gantry::data::sqlite
