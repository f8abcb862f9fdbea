#include "host/rpc/listen/may_subscribe.hpp"

#include "host/rpc/core.hpp"
#include "host/rpc/items/find_item.hpp"
#include "host/rpc/items/start_item.hpp"
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

}  // namespace

void may_subscribe(Core& core, const Context& context, std::string_view id, std::string_view uri,
                   std::function<void(MaySubscribe)> done) {
  Asked asked;
  asked.what = Asked::What::resource;
  asked.name = uri;
  ItemEntry request;
  request.snapshot = core.registry.snapshot();
  const auto found = find_resource(core.calls, *context.principal.agent, *request.snapshot, uri);
  if (found.item == nullptr) return done(refused(not_there(asked, context.revision), id));
  if (!found.item->spec.subscribe) return done(refused(reports_nothing(uri), id));
  request.item = found.item;
  request.name = uri;
  request.arguments = arguments_of(uri, found);
  auto finish = [asked = std::move(asked), id = std::string(id),
                 revision = std::string(context.revision),
                 done = std::move(done)](ItemAnswer&& answer) {
    if (answer.kind == ItemAnswer::Kind::result && !answer.is_error) return done({true, {}});
    done({false, item_result(std::move(answer), asked, id, revision, {}).answer});
  };
  enter_item(core, context, std::move(request), std::move(finish));
}

}  // namespace gantry::host::rpc
