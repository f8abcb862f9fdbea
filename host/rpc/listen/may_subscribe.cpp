#include "host/rpc/listen/may_subscribe.hpp"

#include "host/rpc/core.hpp"
#include "host/rpc/items/find_item.hpp"
#include "host/rpc/items/start_item.hpp"
#include "host/rpc/listen/scoped_updates.hpp"
#include "host/rpc/results/item_result.hpp"

namespace gantry::host::rpc {
namespace {

MaySubscribe refused(const Error& error, std::string_view id) {
  return {false, {error.to_message(id), error.status}};
}

Error reports_nothing(std::string_view uri) {
  return Error::invalid_params("The resource '" + std::string(uri) +
                               "' does not report changes, so it cannot be subscribed to; read it "
                               "when you need it");
}

void enter(Core& core, const Context& context, std::string_view uri, SnapshotPtr snapshot,
           const FoundResource& found, std::function<void(ItemAnswer&&)> done) {
  ItemEntry request;
  request.snapshot = std::move(snapshot);
  request.item = found.item;
  request.name = uri;
  request.arguments = arguments_of(uri, found);
  enter_item(core, context, std::move(request), std::move(done));
}

}  // namespace

void read_as(Core& core, const Context& context, std::string_view uri,
             std::function<void(ItemAnswer&&)> done) {
  SnapshotPtr snapshot = core.registry.snapshot();
  const auto found = find_resource(core.calls, *context.principal.agent, *snapshot, uri);
  if (found.item != nullptr) {
    return enter(core, context, uri, std::move(snapshot), found, std::move(done));
  }
  ItemAnswer absent;
  absent.kind = ItemAnswer::Kind::unknown_item;
  done(std::move(absent));
}

void may_subscribe(Core& core, const Context& context, std::string_view id, std::string_view uri,
                   std::function<void(MaySubscribe)> done) {
  Asked asked;
  asked.what = Asked::What::resource;
  asked.name = uri;
  SnapshotPtr snapshot = core.registry.snapshot();
  const auto found = find_resource(core.calls, *context.principal.agent, *snapshot, uri);
  if (found.item == nullptr) return done(refused(not_there(asked, context.revision), id));
  if (!found.item->spec.subscribe) return done(refused(reports_nothing(uri), id));
  auto finish = [asked = std::move(asked), id = std::string(id),
                 revision = std::string(context.revision), caller = context.principal,
                 updates = core.scoped_updates, done = std::move(done)](ItemAnswer&& answer) {
    SeenContent content(answer);
    if (!content.is_readable)
      return done({false, item_result(std::move(answer), asked, id, revision, {}).answer});
    updates->will_subscribe(caller, asked.name, std::move(content));
    done({true, {}});
  };
  core.scoped_updates->will_read(context.principal, uri);
  enter(core, context, uri, std::move(snapshot), found, std::move(finish));
}

}  // namespace gantry::host::rpc
