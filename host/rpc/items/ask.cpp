#include "host/rpc/items/ask.hpp"

#include <utility>

namespace gantry::host::rpc {

std::optional<Answer> ask_item(Core& core, const Message& message, const Context& context,
                               Channel& channel, const SnapshotPtr& snapshot, const Item& item,
                               Asked asked, std::string arguments) {
  RunRequest request;
  request.snapshot = snapshot;
  request.item = &item;
  request.arguments = std::move(arguments);
  // The run may outlive this request's borrowed parts: it keeps its own.
  const auto kept = std::make_shared<const Asked>(std::move(asked));
  request.name = kept->name;
  request.finish = [&core, kept, plugin = plugin_of(item)](ItemAnswer&& answer, std::string_view id,
                                                           std::string_view revision,
                                                           std::string_view modern_meta) {
    Finished done = finish_item(std::move(answer), *kept, id, revision, modern_meta);
    if (!done.story.empty()) log_fault(core, plugin, "'" + kept->name + "': " + done.story);
    return std::move(done.answer);
  };
  return run_item(core, message, context, channel, std::move(request));
}

}  // namespace gantry::host::rpc
