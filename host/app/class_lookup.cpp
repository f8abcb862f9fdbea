#include "host/app/class_lookup.hpp"

#include <algorithm>
#include <chrono>
#include <future>
#include <memory>
#include <utility>

#include "host/base/json.hpp"

namespace gantry::host {
namespace {

constexpr std::string_view kClassResource = "data://{class}/schema";
constexpr std::chrono::seconds kPatience{10};

class OneAnswer final : public CallListener {
 public:
  void progress(double, double, std::string_view) override {}
  void log(int, std::string_view, std::string_view) override {}
  void done(ItemAnswer&& answer) override { answer_.set_value(std::move(answer)); }
  std::future<ItemAnswer> future() { return answer_.get_future(); }

 private:
  std::promise<ItemAnswer> answer_;
};

// The reader matches a URI before it gets here, so the class goes in the variable alone.
std::string arguments_of_class(const std::string& name) {
  std::string variables = "{";
  append_text_member(variables, "class", name);
  std::string out = "{";
  append_text_member(out, "uri", kClassResource);
  append_json_member(out, "variables", variables + "}");
  return out + "}";
}

}  // namespace

std::optional<bool> ClassLookup::exists(const std::string& name) const {
  const SnapshotPtr snapshot = registry_.snapshot();
  const auto found =
      std::find_if(snapshot->templates.begin(), snapshot->templates.end(),
                   [](const ItemPtr& item) { return item->spec.uri == kClassResource; });
  if (found == snapshot->templates.end()) return std::nullopt;
  static const AgentPtr kAll = share(Agent());
  const std::string arguments = arguments_of_class(name);
  ItemCall call;
  call.agent = kAll;
  call.party = "agents file";
  call.snapshot = snapshot;
  call.item = found->get();
  call.name = kClassResource;
  call.arguments = arguments;
  call.most_time = kPatience;
  const auto listener = std::make_shared<OneAnswer>();
  auto answer = listener->future();
  const auto handle = calls_.start(call, listener);
  if (answer.wait_for(kPatience + std::chrono::seconds(1)) != std::future_status::ready)
    return std::nullopt;
  const ItemAnswer got = answer.get();
  if (got.kind == ItemAnswer::Kind::result) return !got.is_error;
  const bool absent = got.error_code == "not_found" || got.error_code == "access_denied";
  return absent ? std::optional(false) : std::nullopt;
}

}  // namespace gantry::host
