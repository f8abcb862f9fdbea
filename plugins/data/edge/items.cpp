#include "edge/items.hpp"

#include <gantry/data.hpp>
#include <gantry/json.hpp>

#include "edge/answer.hpp"
#include "edge/export_link.hpp"
#include "edge/store_span.hpp"
#include "ops/introduction.hpp"
#include "ops/layers_ops.hpp"
#include "ops/model_check.hpp"
#include "policy/redaction.hpp"
#include "resources/resources.hpp"

namespace gantry::data {
namespace {

constexpr std::size_t kMostSuggestions = 100;
constexpr std::string_view kRedactionService = "gantry.redaction/1";
constexpr std::string_view kInstructionsService = "gantry.instructions/1";
constexpr std::string_view kAccessService = "gantry.access/1";

Status run_request(Service& service, const Call& call, std::string_view request) {
  service.note_use();
  const auto caller = caller_of(service, call);
  if (!caller) return caller.status();
  const StoreSpan span(call);
  const auto reply = service.run(request, *caller);
  span.give(reply);
  if (!reply) return fail(call, reply.error());
  return give(call, *reply, reply->meta);
}

Status read_class(Service& service, const ResourceUri& what, const Call& call) {
  service.note_use();
  const auto caller = caller_of(service, call);
  if (!caller) return caller.status();
  const auto text = read_resource(service, *caller, what.class_name, what.part);
  return text ? call.part("application/json", *text) : fail(call, text.error());
}

// An error has ended the call.
Result<std::vector<std::string>> names(Service& service, const Call& call) {
  service.note_use();
  const auto caller = caller_of(service, call);
  if (!caller) return caller.status();
  auto names = visible_class_names(service, *caller);
  if (!names) return fail(call, names.error());
  return std::move(*names);
}

std::string access_request(const Call& call) {
  return R"({"op":"access","args":)" + std::string(call.arguments()) + "}";
}

std::string description_of(ResourcePart part, const std::string& class_name) {
  switch (part) {
    case ResourcePart::count:
      return "How many objects the class " + class_name + " has.";
    case ResourcePart::samples:
      return "A few objects of the class " + class_name + ", to see their shape.";
    case ResourcePart::schema:
      break;
  }
  return "Fields, types, pointers and indexes of the class " + class_name + ".";
}

Result<Listing> list_part(Service& service, ResourcePart part, const Call& call) {
  const auto classes = names(service, call);
  if (!classes) return classes.status();
  Listing listing;
  for (const std::string& name : *classes) {
    Listed listed{resource_uri(name, part), name + "/" + std::string(part_name(part))};
    listed.title = name + ": " + std::string(part_name(part));
    listed.description = description_of(part, name);
    listing.resources.push_back(std::move(listed));
  }
  return listing;
}

Result<Completion> complete(Service& service, const Completing& what, const Call& call) {
  if (what.argument != "class") return Completion{};
  const auto classes = names(service, call);
  if (!classes) return classes.status();
  Completion some{names_that_begin(*classes, what.value)};
  some.total = some.values.size();
  some.has_more = some.values.size() > kMostSuggestions;
  if (some.has_more) some.values.resize(kMostSuggestions);
  return some;
}

// The part "text": the introduction for the call's agent.
Status instruct(Service& service, const Call& call) {
  service.note_use();
  const auto caller = caller_of(service, call);
  if (!caller) return caller.status();
  const auto text_alone = [](const Request& request) {
    return Reply{introduction_text(request), {}};
  };
  const auto reply = service.run(R"({"op":"introduction"})", text_alone, *caller);
  return reply ? call.part("text", reply->rows) : fail(call, reply.error());
}

// Gives the operation's answer as the part "text". Only the host may ask, for its operators.
Status tell_operators(Service& service, const Service::Operation& operation, const Call& call) {
  if (call.property("is_of_host").empty()) {
    return call.fail(error_code::kAccessDenied, "gantry.access/1 tells this to operators alone");
  }
  service.note_use();
  const auto caller = caller_of(service, call);
  if (!caller) return caller.status();
  const auto reply = service.run(access_request(call), operation, *caller);
  return reply ? call.part("text", reply->meta) : fail(call, reply.error());
}

Status access(Service& service, const Call& call) {
  const auto arguments = Json::parse(call.arguments());
  const auto tell = arguments ? arguments->find("tell") : std::nullopt;
  if (!tell) return run_request(service, call, access_request(call));
  const std::string what = tell->as_string().value_or("");
  if (what == "layers") return tell_operators(service, describe_layers, call);
  if (what == "notes") return tell_operators(service, note_model, call);
  if (what == "filters") return tell_operators(service, check_agent_filters, call);
  return fail(call, invalid_argument("'tell' must be layers, notes or filters"));
}

// The value is the answer of another plugin; no part: nothing is to be hidden in it.
Status redact(Service& service, const Call& call) {
  const auto caller = caller_of(service, call);
  if (!caller) return caller.status();
  const auto redact_value = [&call](const Request& request) {
    auto text = redacted_answer(call.arguments(), request.scope.shown().get());
    return Reply{text ? std::move(*text) : std::string(), {}};
  };
  const auto reply = service.run(R"({"op":"introduction"})", redact_value, *caller);
  if (!reply) return fail(call, reply.error());
  return reply->rows.empty() ? Status::ok() : call.part("value", reply->rows);
}

}  // namespace

void offer_service(Offer& offer, Service& service, ExportStore* export_store,
                   const std::string& download_path) {
  offer.service(kDataService, [&service, export_store, download_path](Call& call) {
    const bool is_link = export_store != nullptr && is_export_link(call.arguments());
    return is_link ? export_link(service, *export_store, download_path, call)
                   : run_request(service, call, call.arguments());
  });
  offer.service(kRedactionService, [&service](Call& call) { return redact(service, call); });
  offer.service(kAccessService, [&service](Call& call) { return access(service, call); });
  offer.service(kInstructionsService, [&service](Call& call) { return instruct(service, call); });
}

void offer_resources(Offer& offer, Service& service) {
  for (const ResourcePart part : kResourceParts) {
    const std::string_view name = part_template(part);
    offer.handler("resource_template", name, [&service, part](const Reading& what, Call& call) {
      return read_class(service, {std::string(what.variable("class")), part}, call);
    });
    offer.handler("resource_list", name,
                  [&service, part](Call& call) { return list_part(service, part, call); });
    offer.handler("completion", name, [&service](const Completing& what, Call& call) {
      return complete(service, what, call);
    });
  }
}

}  // namespace gantry::data
