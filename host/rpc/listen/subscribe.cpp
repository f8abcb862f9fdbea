// resources/subscribe and resources/unsubscribe: the subscriptions of a legacy session.
#include "host/rpc/core.hpp"
#include "host/rpc/listen/may_subscribe.hpp"
#include "host/rpc/listen/scoped_lists.hpp"
#include "host/rpc/listen/scoped_updates.hpp"
#include "host/rpc/listen/session_listeners.hpp"
#include "host/rpc/message/envelope.hpp"
#include "host/rpc/methods.hpp"

namespace gantry::host::rpc {
namespace {

std::optional<Error> read_uri(const Message& message, const Context& context,
                              std::string_view& uri) {
  if (context.session == nullptr) return Error::invalid_request("Send initialize first");
  const auto text = text_of(message.param("uri"));
  if (!text) return Error::invalid_params("params.uri must be a string");
  uri = *text;
  return std::nullopt;
}

Answer empty_result(std::string_view id) { return {result_message(id, "{}")}; }

}  // namespace

std::optional<Answer> subscribe(Core& core, const Message& message, const Context& context,
                                Channel& channel) {
  std::string_view uri;
  if (const auto error = read_uri(message, context, uri)) return failure(message, *error);
  Session& session = *context.session;
  core.scoped_lists->expect(context.principal, [] {});
  core.session_listeners->join(session, context.principal.agent);
  auto begun = core.session_listeners->begin(session, uri);
  if (begun.error) return failure(message, *begun.error);
  const auto sink = channel.sink();  // keeps the session
  sink->started([](Stop) {});        // reading is short; its end answers
  auto done = [sink, id = std::string(message.id()), listeners = core.session_listeners,
               updates = core.scoped_updates, caller = context.principal, uri = std::string(uri),
               &session, ticket = begun.ticket](MaySubscribe may) {
    const auto error = listeners->complete(session, ticket, may.yes);
    if (!may.yes) return sink->answer(std::move(may.refusal));
    if (!error) updates->subscribed(caller, uri);
    sink->answer(error ? Answer{error->to_message(id), error->status} : empty_result(id));
  };
  may_subscribe(core, context, message.id(), uri, std::move(done));
  return std::nullopt;
}

std::optional<Answer> unsubscribe(Core& core, const Message& message, const Context& context,
                                  Channel&) {
  std::string_view uri;
  if (const auto error = read_uri(message, context, uri)) return failure(message, *error);
  core.session_listeners->unsubscribe(*context.session, uri);
  return result_of(message, "{}");
}

}  // namespace gantry::host::rpc
