#include "ops/read_arguments.hpp"

#include "values/utf8.hpp"

#include <algorithm>

namespace gantry::data {
namespace {

// Limits of distinct ids, and of listed ids with duplicates.
constexpr std::size_t kMaxIds = 50, kMaxListedIds = 1000;

}  // namespace

DataError no_such_object(const ClassInfo& cls, std::string_view id, std::string_view hint) {
  std::string message = "No object with id '" + clipped(id, 256) + "' in class '" + cls.name + "'" +
                        (hint.empty() ? "" : ". ") + std::string(hint);
  return {std::string(error_code::kNotFound), std::move(message), {}, {}, {}, {}};
}

Outcome<std::vector<std::string_view>> distinct_ids(const Request& request) {
  auto ids = optional_strings(request, "ids", kMaxListedIds);
  if (!ids) return ids.error();
  std::vector<std::string_view> distinct;
  for (const std::string_view id : *ids) {
    if (std::find(distinct.begin(), distinct.end(), id) == distinct.end()) distinct.push_back(id);
  }
  if (distinct.empty()) return invalid_argument("'ids' must name at least one id");
  if (distinct.size() > kMaxIds) {
    return invalid_argument("'ids' has " + std::to_string(distinct.size()) +
                            " distinct ids; at most " + std::to_string(kMaxIds) + " fit one call");
  }
  return distinct;
}

}  // namespace gantry::data
