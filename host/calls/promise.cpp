#include "host/calls/promise.hpp"

#include <rapidjson/document.h>

#include "host/base/exact_json.hpp"
#include "host/calls/call.hpp"
#include "host/calls/kinds.hpp"

namespace gantry::host {
namespace {

#ifdef NDEBUG
constexpr bool kCheckAll = false;
#else
constexpr bool kCheckAll = true;
#endif

constexpr const char* kTooDeep = "the structured result nests deeper than 200 levels";
static_assert(kMaxJsonDepth == 200);

std::string wrong_json(const Item& item, const std::string& json) {
  rapidjson::Document document;
  if (!parse_exact<rapidjson::kParseValidateEncodingFlag>(json, document))
    return "the structured result is not one JSON value";
  if (!item.output || item.output->validate(document)) return {};
  return "the result does not fit its output schema: " +
         schema::explain(item.output->errors(document));
}

bool needs_check(const gantry_call& call) {
  return kCheckAll || call.client.tainted || !call.target.plugin->builtin();
}

std::string broken_tool(gantry_call& call) {
  Output& output = call.output;
  if (std::string broken(output.json().broken_at_end()); !broken.empty()) return broken;
  // Output spliced into the caller's result is checked there.
  if (call.nested.splice_into != nullptr && call.nested.splice_part == "json") return {};
  if (output.structured().empty()) {
    return call.target.item->output ? "it has an output schema and gave no structured result" : "";
  }
  if (nests_too_deep(output.structured())) return kTooDeep;
  if (!needs_check(call)) return {};
  return wrong_json(*call.target.item, output.structured());
}

// For the other kinds that clients enter: one object, or entries that the host has made.
std::string broken_object(gantry_call& call) {
  Output& output = call.output;
  const bool entries = !output.content().empty();
  if (std::string broken(output.json().broken_at_end()); !broken.empty()) return broken;
  if (entries && !output.structured().empty()) return "it wrote contents and a structured result";
  if (entries) return {};
  if (output.structured().empty()) return "it gave no result";
  if (nests_too_deep(output.structured())) return kTooDeep;
  return needs_check(call) ? wrong_form(*call.target.kind, output.structured()) : "";
}

}  // namespace

std::string broken_promise(gantry_call& call) {
  const bool has_blocks = call.target.kind->form == contract::AnswerForm::blocks;
  return has_blocks ? broken_tool(call) : broken_object(call);
}

}  // namespace gantry::host
