// resources/list: the declared resources, then those that plugins list for their templates now.
#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include "host/base/exact_json.hpp"
#include "host/rpc/core.hpp"
#include "host/rpc/items/run_item.hpp"
#include "host/rpc/lists/entries.hpp"
#include "host/rpc/lists/pages.hpp"
#include "host/rpc/methods.hpp"

namespace gantry::host::rpc {
namespace {

// The resources that the plugin lists, or a sentence for the log.
Result<rapidjson::Document> listed(const ItemAnswer& answer) {
  if (answer.kind == ItemAnswer::Kind::busy) return Status{GANTRY_BUSY, "too many calls run"};
  if (answer.kind != ItemAnswer::Kind::result || answer.is_error) {
    const bool said = !answer.error_code.empty();
    return Status{GANTRY_FAILED, said ? answer.error_code + ": " + answer.message : "it failed"};
  }
  rapidjson::Document result;
  const bool is_json = parse_exact(answer.structured, result);
  const rapidjson::Value* list = is_json ? member(&result, "resources") : nullptr;
  if (list == nullptr || !list->IsArray()) {
    return Status{GANTRY_FAILED, "the result has no array \"resources\""};
  }
  return result;
}

// Gathers the parts, each in its place. Answers after the last part, or when the client cancels.
class Gathering {
 public:
  Gathering(Core& core, const Message& message, const Context& context, SnapshotPtr snapshot,
            std::shared_ptr<const ItemList> own, std::vector<const Item*> templates,
            std::shared_ptr<Sink> sink)
      : core_(core),
        id_(message.id()),
        revision_(context.revision),
        cursor_(text_of(message.param("cursor"))),
        snapshot_(std::move(snapshot)),
        own_(std::move(own)),
        templates_(std::move(templates)),
        parts_(templates_.size()),
        open_(templates_.size()),
        sink_(std::move(sink)) {}

  void take(std::size_t place, ItemAnswer&& answer) {
    const ItemSpec& spec = templates_[place]->spec;
    const Result<rapidjson::Document> result = listed(answer);
    if (!result)
      complain(place, "its listed resources are left out: " + std::string(result.message()));
    if (result) {
      for (const auto& each : (*result)["resources"].GetArray()) {
        ListedResource entry = listed_resource(each, spec, revision_);
        if (!entry.problem.empty()) complain(place, entry.problem);
        if (entry.problem.empty()) parts_[place].push_back(std::move(entry));
      }
    }
    if (open_.fetch_sub(1) == 1) send(page());
  }

  // The plugins' calls continue; their answers are dropped.
  void stop() {
    const Error error{kInternalError, "Cancelled by client", 200, {}};
    send({error.to_message(id_), error.status});
  }

 private:
  void complain(std::size_t place, const std::string& problem) {
    const Item& item = *templates_[place];
    log_fault(core_, plugin_of(item), "resource list of '" + item.spec.uri + "': " + problem);
  }

  // Plugin by plugin. For a plugin with several templates: the first resource of each template,
  // then the second of each, so that the resources of one subject are adjacent.
  std::vector<const ListedResource*> in_order() const {
    std::vector<const ListedResource*> all;
    for (std::size_t begin = 0, end = 0; begin < parts_.size(); begin = end) {
      const std::string plugin = plugin_of(*templates_[begin]);
      std::size_t longest = 0;
      for (; end < parts_.size() && plugin_of(*templates_[end]) == plugin; ++end) {
        longest = std::max(longest, parts_[end].size());
      }
      for (std::size_t row = 0; row < longest; ++row) {
        for (std::size_t place = begin; place < end; ++place) {
          if (row < parts_[place].size()) all.push_back(&parts_[place][row]);
        }
      }
    }
    return all;
  }

  // A URI that occurs twice is listed once, at its first place.
  Answer page() const {
    ItemList all = *own_;
    std::set<std::string, std::less<>> seen(all.keys.begin(), all.keys.end());
    for (const ListedResource* each : in_order()) {
      if (seen.insert(each->uri).second) all.add(each->uri, each->entry);
    }
    std::optional<std::string_view> cursor;
    if (cursor_) cursor = *cursor_;
    return page_of(core_, id_, kResources, all, cursor, revision_, std::chrono::milliseconds(0));
  }

  void send(Answer answer) {
    if (!answered_.exchange(true)) sink_->answer(std::move(answer));
  }

  Core& core_;
  const std::string id_, revision_;
  const std::optional<std::string> cursor_;
  const SnapshotPtr snapshot_;
  const std::shared_ptr<const ItemList> own_;
  const std::vector<const Item*> templates_;
  std::vector<std::vector<ListedResource>> parts_;  // each written by its provider's answer alone
  std::atomic<std::size_t> open_;
  std::atomic<bool> answered_{false};
  const std::shared_ptr<Sink> sink_;
};

}  // namespace

std::optional<Answer> list_resources(Core& core, const Message& message, const Context& context,
                                     Channel& channel) {
  std::optional<std::string_view> cursor;
  if (auto error = read_text(message, "cursor", cursor)) return failure(message, *error);
  const SnapshotPtr snapshot = core.registry.current();
  const Agent& agent = *context.principal.agent;
  const auto own = core.lists.get(*snapshot, kResources, agent, context.revision);
  const auto templates = listing_templates(core, *snapshot, agent);
  if (templates.empty()) {
    return page_of(core, message.id(), kResources, *own, cursor, context.revision,
                   core.settings.limits.list_ttl);
  }
  const auto sink = channel.sink();
  const auto all =
      std::make_shared<Gathering>(core, message, context, snapshot, own, templates, sink);
  sink->started([weak = std::weak_ptr<Gathering>(all)](Stop) {
    if (const auto gathering = weak.lock()) gathering->stop();
  });
  for (std::size_t i = 0; i < templates.size(); ++i) {
    enter_listing(core, context, snapshot, *templates[i],
                  [all, i](ItemAnswer&& answer) { all->take(i, std::move(answer)); });
  }
  return std::nullopt;
}

}  // namespace gantry::host::rpc
