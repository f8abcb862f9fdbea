#include "host/app/one_call.hpp"

#include <future>
#include <memory>
#include <utility>

#include "host/registry/find.hpp"

namespace gantry::host {
namespace {

class OneAnswer final : public CallListener {
 public:
  void progress(double, double, std::string_view) override {}
  void log(int, std::string_view, std::string_view) override {}
  void done(ItemAnswer&& answer) override { answer_.set_value(std::move(answer)); }
  std::future<ItemAnswer> future() { return answer_.get_future(); }

 private:
  std::promise<ItemAnswer> answer_;
};

}  // namespace

AgentPtr operators_agent() {
  Agent all;
  all.tier = Tier::admin;
  return share(std::move(all));
}

ItemCall own_call(const SnapshotPtr& snapshot, const Item& item, const AgentPtr& agent,
                  std::string_view party) {
  ItemCall call;
  call.agent = agent;
  call.party = party;
  call.snapshot = snapshot;
  call.item = &item;
  call.name = item.spec.key();
  return call;
}

std::optional<ItemAnswer> answer_of(Calls& calls, ItemCall call, std::chrono::seconds patience) {
  call.most_time = patience;
  const auto listener = std::make_shared<OneAnswer>();
  auto answer = listener->future();
  const auto handle = calls.start(call, listener);
  if (answer.wait_for(patience + std::chrono::seconds(1)) != std::future_status::ready)
    return std::nullopt;
  return answer.get();
}

Result<ItemAnswer> ask_access(const SnapshotPtr& snapshot, Calls& calls, const AgentPtr& agent,
                              std::string_view party, std::string_view arguments) {
  const Item* const service = find_item(snapshot->service_by_name, kAccessService);
  if (service == nullptr) {
    return Status::not_found("no plugin offers classes: there is no database");
  }
  ItemCall call = own_call(snapshot, *service, agent, party);
  call.arguments = arguments;
  auto answer = answer_of(calls, std::move(call));
  if (!answer) return Status(GANTRY_TIMED_OUT, "the plugin of the classes did not answer in time");
  return std::move(*answer);
}

}  // namespace gantry::host
