#include "ops/read_arguments.hpp"

#include "errors/query_error.hpp"
#include "values/utf8.hpp"

#include <algorithm>

namespace gantry::data {
namespace {

// Limits of distinct ids, and of listed ids with duplicates.
constexpr std::size_t kMaxIds = 50, kMaxListedIds = 1000;

// "name, city" for two names, unless a field has that name.
std::vector<std::string_view> separate(const std::vector<std::string_view>& lists,
                                       const ClassView& cls) {
  std::vector<std::string_view> names;
  for (std::string_view list : lists) {
    const bool is_name = cls.is_open() || cls.find(list) != nullptr;
    for (;;) {
      const auto comma = is_name ? std::string_view::npos : list.find(',');
      std::string_view name = list.substr(0, comma);
      while (!is_name && name.starts_with(' ')) name.remove_prefix(1);
      while (!is_name && name.ends_with(' ')) name.remove_suffix(1);
      names.push_back(name);
      if (comma == std::string_view::npos) break;
      list.remove_prefix(comma + 1);
    }
  }
  return names;
}

// For operators. Another look, without the rules, could tell absent rows from hidden ones, but its
// time would tell the caller too.
std::string_view cause_of_miss(const ClassView& cls) {
  return cls.has_row_rules ? "row_rule" : "row_absent";
}

}  // namespace

Read requested_read(const Request& request) {
  Read read;
  read.view = &requested_class(request);
  if (const auto* where = optional_object(request, "where")) read.filter = value_of(*where);
  read.as_objects = true;
  return read;
}

Shape requested_shape(const Request& request) {
  const ClassView& cls = requested_class(request);
  return {separate(optional_strings(request, "keys", kMostKeyArguments), cls),
          separate(optional_strings(request, "include", kMostIncludes), cls)};
}

// In a class with a tenant scope a miss of any cause has one answer.
DataError no_such_object(const ClassView& cls, std::string_view id, std::string_view hint) {
  DataError error;
  error.cause = cause_of_miss(cls);
  if (!cls.tenant_field.empty()) {
    error.code = error_code::kAccessDenied;
    error.kind = "tenant_scope";
    error.message = "Object '" + clipped(id, 256) + "' of class '" + cls.name +
                    "' is not among those of this agent's tenant";
    return error;
  }
  error.code = error_code::kNotFound;
  error.message = "No object with id '" + clipped(id, 256) + "' in class '" + cls.name + "'" +
                  (hint.empty() ? "" : ". ") + std::string(hint);
  return error;
}

std::vector<std::string_view> distinct_ids(const Request& request) {
  std::vector<std::string_view> distinct;
  for (const std::string_view id : optional_strings(request, "ids", kMaxListedIds)) {
    if (std::find(distinct.begin(), distinct.end(), id) == distinct.end()) distinct.push_back(id);
  }
  if (distinct.empty()) throw QueryError(invalid_argument("'ids' must name at least one id"));
  const std::uint64_t most = capped_rows(request, kMaxIds);
  if (distinct.size() > most) {
    throw QueryError(invalid_argument("'ids' has " + std::to_string(distinct.size()) +
                                      " distinct ids; at most " + std::to_string(most) +
                                      " fit one call"));
  }
  return distinct;
}

}  // namespace gantry::data
