// tools/list, prompts/list and resources/templates/list: the declared items of plugins.
#include "host/rpc/core.hpp"
#include "host/rpc/lists/pages.hpp"
#include "host/rpc/methods.hpp"

namespace gantry::host::rpc {
namespace {

std::optional<Answer> list(Core& core, const Message& message, const Context& context,
                           const ListKind& kind) {
  std::optional<std::string_view> cursor, category;
  if (auto error = read_text(message, "cursor", cursor)) return failure(message, *error);
  if (kind.items == kTools.items) {
    if (auto error = read_text(message, "category", category)) return failure(message, *error);
  }
  const SnapshotPtr snapshot = core.registry.current();
  const auto items =
      core.lists.get(*snapshot, kind, *context.principal.agent, context.revision, category);
  return page_of(core, message.id(), kind, *items, cursor, context.revision,
                 core.settings.limits.list_ttl);
}

}  // namespace

std::optional<Answer> list_tools(Core& core, const Message& message, const Context& context,
                                 Channel&) {
  return list(core, message, context, kTools);
}

std::optional<Answer> list_prompts(Core& core, const Message& message, const Context& context,
                                   Channel&) {
  return list(core, message, context, kPrompts);
}

std::optional<Answer> list_templates(Core& core, const Message& message, const Context& context,
                                     Channel&) {
  return list(core, message, context, kTemplates);
}

}  // namespace gantry::host::rpc
