#include "ops/page.hpp"

#include <algorithm>

#include "ops/next_call.hpp"
#include "values/json_text.hpp"

namespace gantry::data {
namespace {

std::string truncation(const Fitted& fitted, std::int64_t skip) {
  const std::size_t kept = fitted.rows.kept();
  std::string json = R"({"reason":"response_exceeded_max_bytes","dropped_fields":)" +
                     quoted_list(fitted.dropped_fields) + R"(,"kept_count":)" +
                     std::to_string(kept) + R"(,"original_count":)" +
                     std::to_string(fitted.original);
  std::string hint = "Name the fields you need in keys";
  if (!fitted.dropped_fields.empty()) hint += "; dropped fields can be read with get_object";
  if (fitted.rows_dropped) {
    json += R"(,"next_skip":)" + std::to_string(skip + static_cast<std::int64_t>(kept));
    hint += "; go on with skip = next_skip";
  }
  return json + R"(,"hint":)" + quoted_json(hint) + "}";
}

std::string next_page(const Request& request, std::int64_t limit, std::int64_t skip) {
  return next_call("query_class", request.arguments,
                   {{"limit", std::to_string(limit)}, {"skip", std::to_string(skip)}});
}

}  // namespace

std::string quoted_list(const std::vector<std::string>& names) {
  std::string json = "[";
  for (const std::string& name : names) json += (json.size() > 1 ? "," : "") + quoted_json(name);
  return json += ']';
}

std::size_t rows_that_fit(const Rows& rows, std::size_t room) {
  const auto end = std::upper_bound(rows.ends.begin(), rows.ends.end(), room);
  return static_cast<std::size_t>(end - rows.ends.begin());
}

Reply page_reply(const Request& request, Fitted fitted, std::int64_t limit, std::int64_t skip,
                 bool more) {
  const std::size_t kept = fitted.rows.kept();
  const bool truncated = fitted.rows_dropped || !fitted.dropped_fields.empty();
  Reply reply;
  reply.meta = R"({"result_count":)" + std::to_string(kept) + R"(,"pagination":{"limit":)" +
               std::to_string(limit) + R"(,"skip":)" + std::to_string(skip) + R"(,"has_more":)" +
               (more || fitted.rows_dropped ? "true}" : "false}") + fitted.truncated_includes;
  if (truncated) {
    reply.meta += R"(,"_truncated":)" + truncation(fitted, skip);
  } else if (more) {
    reply.meta += R"(,"next_call":)" + next_page(request, limit, skip + limit);
  }
  reply.meta += '}';
  reply.rows = std::move(fitted.rows.text);
  reply.rows += ']';
  return reply;
}

}  // namespace gantry::data
