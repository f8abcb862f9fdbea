#include "edge/writes_service.hpp"

#include <gantry/json.hpp>
#include <gantry/json_writer.hpp>

#include <string>

#include "edge/answer.hpp"
#include "ops/change/undo.hpp"
#include "ops/change/written.hpp"

namespace gantry::data {
namespace {

constexpr std::string_view kWritesService = "gantry.writes/1";
constexpr std::size_t kMostListed = 1000;

std::string text_in(const Json& arguments, std::string_view name) {
  const auto member = arguments.find(name);
  return member ? member->as_string().value_or("") : std::string();
}

Status answer(const Call& call, const Outcome<std::string>& text) {
  return text ? call.part("text", *text) : fail(call, text.error());
}

Status list(Service& service, const Json& arguments, const Budget& budget, const Call& call) {
  WritesQuestion question;
  question.agent = text_in(arguments, "agent");
  question.class_name = text_in(arguments, "class_name");
  question.cursor = text_in(arguments, "cursor");
  if (const auto limit = arguments.find("limit")) {
    const std::int64_t wanted = limit->as_integer().value_or(0);
    if (wanted < 1 || wanted > std::int64_t{kMostListed}) {
      return fail(call, invalid_argument("'limit' must be an integer from 1 to 1000"));
    }
    question.limit = static_cast<std::size_t>(wanted);
  }
  return answer(call, list_writes(service, question, budget));
}

Status take_back(Service& service, Caller caller, const std::string& by, const Call& call) {
  std::string agent;
  JsonWriter(agent).begin_object().key("name").string(by).end_object();
  caller.rules = nullptr;
  caller.origin = {agent, "writes.undo", call.property("correlation_id")};
  constexpr Change kUndo{"undo", false, undo};
  const auto reply = service.change(kUndo, call.arguments(), caller);
  if (!reply) return fail(call, reply.error());
  note_for_audit(call, reply->meta);
  return call.part("text", reply->meta);
}

Status run(Service& service, const Call& call) {
  service.note_use();
  const auto arguments = Json::parse(call.arguments());
  if (call.property("is_of_host").empty() || !arguments) {
    return call.fail(error_code::kAccessDenied, "gantry.writes/1 answers operators alone");
  }
  const auto caller = caller_of(service, call);
  if (!caller) return caller.status();
  const std::string op = text_in(*arguments, "op");
  if (op == "list") return list(service, *arguments, caller->budget, call);
  if (op == "show") {
    return answer(call, show_write(service, text_in(*arguments, "id"), caller->budget));
  }
  if (op == "undo") return take_back(service, *caller, text_in(*arguments, "by"), call);
  return fail(call, invalid_argument("'op' must be list, show or undo"));
}

}  // namespace

void offer_writes(Offer& offer, Service& service) {
  offer.service(kWritesService, [&service](Call& call) { return run(service, call); });
}

}  // namespace gantry::data
