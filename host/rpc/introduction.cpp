#include "host/rpc/introduction.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <utility>

#include "host/registry/find.hpp"
#include "host/rpc/core.hpp"
#include "host/rpc/items/run_item.hpp"
#include "host/rpc/message/envelope.hpp"

namespace gantry::host::rpc {
namespace {

constexpr std::string_view kService = "gantry.instructions/1";
constexpr std::chrono::seconds kMostTime{2};
constexpr std::size_t kMostBytes = 16u << 10;

// One request that waits for the text. Kept by the call and, until then, by the sink's cancel.
class Introduction {
 public:
  Introduction(Core& core, const Message& message, std::string plugin, MakeResult make,
               std::shared_ptr<Sink> sink)
      : scoped_count_(core.runs),
        core_(core),
        id_(message.id()),
        plugin_(std::move(plugin)),
        make_(std::move(make)),
        sink_(std::move(sink)) {}

  void take(const ItemAnswer& answer) {
    if (answered_.exchange(true)) return;
    sink_->answer({result_message(id_, make_(text_of(answer)))});
  }

  void stop() {
    if (answered_.exchange(true)) return;
    const Error error{kInternalError, "Cancelled by client", 200, {}};
    sink_->answer({error.to_message(id_), error.status});
  }

 private:
  std::string_view text_of(const ItemAnswer& answer) const {
    if (answer.kind != ItemAnswer::Kind::result) {
      log_fault(core_, plugin_, "no instructions: " + answer.error_code + ": " + answer.message);
      return {};
    }
    if (answer.content.size() <= kMostBytes) return answer.content;
    log_fault(core_, plugin_, "its instructions are left out: they are larger than 16 KiB");
    return {};
  }

  const ScopedCount scoped_count_;
  Core& core_;
  const std::string id_, plugin_;
  const MakeResult make_;
  const std::shared_ptr<Sink> sink_;
  std::atomic<bool> answered_{false};
};

}  // namespace

const Item* introduction_of(const Core& core, const Snapshot& snapshot) {
  if (!core.settings.instructions.empty()) return nullptr;
  const Item* const item = find_item(snapshot.service_by_name, kService);
  return item != nullptr && item->plugin->builtin() ? item : nullptr;
}

void introduce(Core& core, const Message& message, const Context& context, Channel& channel,
               Introducer from, MakeResult make) {
  const auto sink = channel.sink();
  const auto one =
      std::make_shared<Introduction>(core, message, plugin_of(*from.item), std::move(make), sink);
  sink->started([weak = std::weak_ptr<Introduction>(one)](Stop) {
    if (const auto waiting = weak.lock()) waiting->stop();
  });
  ItemEntry request;
  request.snapshot = std::move(from.snapshot);
  request.item = from.item;
  request.name = kService;
  request.arguments = "{}";
  request.most_time = kMostTime;
  enter_item(core, context, std::move(request), [one](ItemAnswer&& answer) { one->take(answer); });
}

}  // namespace gantry::host::rpc
