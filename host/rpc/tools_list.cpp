#include "host/rpc/cursor.hpp"
#include "host/rpc/methods.hpp"

#include "host/base/json.hpp"

namespace gantry::host::rpc {
namespace {

constexpr std::size_t kPage = 250;

struct Wish {
  std::optional<std::string_view> cursor, category;
  std::optional<Error> error;
};

std::optional<Error> read_text(const Message& message, std::string_view name,
                               std::optional<std::string_view>& out) {
  const auto* value = message.param(name);
  if (value == nullptr) return std::nullopt;
  out = text_of(value);
  if (out) return std::nullopt;
  return Error::invalid_params("params." + std::string(name) + " must be a string");
}

Wish read_wish(const Message& message) {
  Wish wish;
  wish.error = read_text(message, "cursor", wish.cursor);
  if (!wish.error) wish.error = read_text(message, "category", wish.category);
  return wish;
}

std::string page_of(const Core& core, const ToolList& list, std::size_t from, bool modern) {
  const std::size_t to = std::min(from + kPage, list.names.size());
  const std::string_view entries = list.slice(from, to);
  std::string out;
  out.reserve(entries.size() + 512);
  out += "{\"tools\":[";
  out += entries;
  out += ']';
  if (to < list.names.size())
    out += ",\"nextCursor\":" + json_string(make_cursor(list.names, to - 1));
  if (modern) {
    out += ",\"resultType\":\"complete\",\"ttlMs\":" + std::to_string(core.facts.list_ttl.count());
    out +=
        core.facts.lists_are_public ? ",\"cacheScope\":\"public\"" : ",\"cacheScope\":\"private\"";
    out += core.modern_meta;
  }
  out += '}';
  return out;
}

}  // namespace

std::optional<Answer> list_tools(Core& core, const Message& message, const Context& context,
                                 Channel&) {
  const Wish wish = read_wish(message);
  if (wish.error) return failure(message, *wish.error);
  const SnapshotPtr snapshot = core.registry.current();
  const auto list =
      core.lists.get(*snapshot, *context.principal.agent, context.revision, wish.category);
  std::size_t from = 0;
  if (wish.cursor) {
    const auto place = place_of_cursor(*wish.cursor, list->names);
    if (!place)
      return failure(message, Error::invalid_params("params.cursor is none of this server"));
    from = *place;
  }
  return result_of(message, page_of(core, *list, from, context.era() == Era::modern));
}

}  // namespace gantry::host::rpc
