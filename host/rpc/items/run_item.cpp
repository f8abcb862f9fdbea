#include "host/rpc/items/run_item.hpp"

#include <utility>

namespace gantry::host::rpc {

std::optional<Answer> run_item(Core& core, const Message& message, const Context& context,
                               Channel& channel, const SnapshotPtr& snapshot, const Item& item,
                               Asked asked, std::string arguments) {
  ItemEntry request;
  request.snapshot = snapshot;
  request.item = &item;
  request.arguments = std::move(arguments);
  // The request may outlive the borrowed message, so it keeps a copy.
  const auto kept = std::make_shared<const Asked>(std::move(asked));
  request.name = kept->name;
  request.finish = [&core, kept, plugin = plugin_of(item)](ItemAnswer&& answer, std::string_view id,
                                                           std::string_view revision,
                                                           std::string_view modern_meta) {
    ItemResult done = item_result(std::move(answer), *kept, id, revision, modern_meta);
    if (!done.log_text.empty()) log_fault(core, plugin, "'" + kept->name + "': " + done.log_text);
    return std::move(done.answer);
  };
  return start_item_request(core, message, context, channel, std::move(request));
}

}  // namespace gantry::host::rpc
