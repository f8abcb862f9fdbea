// ops/page.hpp: fits one page of a query's rows into the answer, and describes what was left out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ops/request.hpp"
#include "ops/row_reader.hpp"
#include "values/json_text.hpp"

namespace gantry::data {

// A query's answer while it is being reduced to fit.
struct Fitted {
  Rows rows;
  std::size_t original = 0;  // rows of the query before the reduction, at most `limit`
  std::vector<std::string> dropped_fields;
  bool rows_dropped = false;
  std::string truncated_includes = {};  // a member of the answer, see objects.hpp
};

// The number of leading rows that fit into `room` bytes.
std::size_t rows_that_fit(const Rows& rows, std::size_t room);

// The answer of `query`; `more`: there are rows beyond these. A whole page has the call that reads
// the next one.
Reply page_reply(const Request& request, Fitted fitted, std::int64_t limit, std::int64_t skip,
                 bool more);

// The answer of `get_many`: `find` returns an object's JSON, or nothing.
template <class Find>
Reply objects_reply(const std::vector<std::string_view>& ids, Find find);

// A list of texts as JSON.
std::string quoted_list(const std::vector<std::string>& names);

template <class Find>
Reply objects_reply(const std::vector<std::string_view>& ids, Find find) {
  Reply reply;
  reply.rows = "{";
  std::vector<std::string> missing;
  for (const std::string_view id : ids) {
    const std::string_view object = find(id);
    if (object.empty()) {
      missing.emplace_back(id);
      continue;
    }
    if (reply.rows.size() > 1) reply.rows += ',';
    reply.rows += quoted_json(id) + ":";
    reply.rows += object;
  }
  reply.rows += '}';
  reply.meta = R"({"missing":)" + quoted_list(missing) + R"(,"requested":)" +
               std::to_string(ids.size()) + R"(,"found":)" +
               std::to_string(ids.size() - missing.size()) + "}";
  return reply;
}

}  // namespace gantry::data
