#include "host/rpc/lists/pages.hpp"

#include "host/base/json.hpp"
#include "host/rpc/core.hpp"
#include "host/rpc/lists/cursor.hpp"
#include "host/rpc/message/envelope.hpp"

namespace gantry::host::rpc {
namespace {

void append_caching(std::string& out, const Core& core, std::chrono::milliseconds ttl) {
  out += ",\"resultType\":\"complete\",\"ttlMs\":" + std::to_string(ttl.count());
  out +=
      core.settings.lists_are_public ? ",\"cacheScope\":\"public\"" : ",\"cacheScope\":\"private\"";
  out += core.modern_meta;
}

}  // namespace

std::optional<Error> read_text(const Message& message, std::string_view name,
                               std::optional<std::string_view>& out) {
  const auto* value = message.param(name);
  if (value == nullptr) return std::nullopt;
  out = text_of(value);
  if (out) return std::nullopt;
  return Error::invalid_params("params." + std::string(name) + " must be a string");
}

Answer page_of(const Core& core, std::string_view id, const ListKind& kind, const ItemList& list,
               std::optional<std::string_view> cursor, std::string_view revision,
               std::chrono::milliseconds ttl) {
  std::size_t from = 0;
  if (cursor && !cursor->empty()) {  // an empty cursor means the first page
    const auto place = place_of_cursor(*cursor, list.keys);
    if (!place) {
      const auto error = Error::invalid_params("params.cursor is none of this server");
      return {error.to_message(id), error.status};
    }
    from = *place;
  }
  const std::size_t to = std::min(from + kPage, list.keys.size());
  const std::string_view entries = list.slice(from, to);
  Answer answer;
  std::string& out = answer.body;
  out = response_head(id, "result", entries.size() + 512);
  out.append("{\"").append(kind.member).append("\":[").append(entries) += ']';
  if (to < list.keys.size()) {
    out += ",\"nextCursor\":" + json_string(make_cursor(list.keys, from, to - 1));
  }
  if (era_of(revision) == Era::modern) append_caching(out, core, ttl);
  out += "}}";
  return answer;
}

}  // namespace gantry::host::rpc
