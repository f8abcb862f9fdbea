// resources/read: a resource by its URI, or by a template that matches it.
#include "host/rpc/core.hpp"
#include "host/rpc/items/find_item.hpp"
#include "host/rpc/items/run_item.hpp"
#include "host/rpc/methods.hpp"

namespace gantry::host::rpc {

std::optional<Answer> read_resource(Core& core, const Message& message, const Context& context,
                                    Channel& channel) {
  const auto uri = text_of(message.param("uri"));
  if (!uri) return failure(message, Error::invalid_params("params.uri must be a string"));
  Asked asked;
  asked.what = Asked::What::resource;
  asked.name = *uri;
  const SnapshotPtr snapshot = core.registry.current();
  const FoundResource found = find_resource(core.calls, *context.principal.agent, *snapshot, *uri);
  if (found.item == nullptr) return failure(message, not_there(asked, context.revision));
  const ItemSpec& spec = found.item->spec;
  asked.mime_type = spec.mime_type;
  asked.ttl = spec.ttl;
  asked.is_public = spec.is_public;
  return run_item(core, message, context, channel, snapshot, *found.item, std::move(asked),
                  arguments_of(*uri, found));
}

}  // namespace gantry::host::rpc
