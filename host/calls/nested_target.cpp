#include "host/calls/nested_target.hpp"

#include <utility>

#include "host/approvals/policy.hpp"
#include "host/base/exact_json.hpp"
#include "host/calls/approval_check.hpp"
#include "host/calls/engine.hpp"
#include "host/calls/methods.hpp"
#include "host/calls/nested_end.hpp"
#include "host/plugin/contract_bytes.hpp"
#include "host/registry/find.hpp"

namespace gantry::host {
namespace {

Status refuse_target(NestedTarget& out, Output::Failure why, gantry_status code) {
  out.error_code = std::move(why.code);
  out.details = std::move(why.details);
  return Status(code, std::move(why.message));
}

// The built-in tool that resolves the object under the caller's scope; no other item enters
// methods.
bool may_enter_methods(const gantry_call& parent) {
  const Item* const item = parent.target.item;
  return item != nullptr && item->spec.name == kCallMethod && parent.target.plugin->builtin();
}

Status find_item_of(gantry_host* host, const gantry_call& parent, std::string_view kind,
                    std::string_view name, const Item*& item) {
  if (kind == "service") {
    Instance& plugin = instance_of(host);
    if (!plugin.manifest().asks_for(name)) {
      plugin.report_undeclared(name);
      return Status::not_found("the plugin '" + plugin.manifest().name +
                               "' does not name the service '" + std::string(name) +
                               "' in its manifest: add it to \"needs\"");
    }
  } else if (kind == "method") {
    if (!may_enter_methods(parent)) {
      return Status(GANTRY_UNSUPPORTED, "a method is called by the tool 'call_method'");
    }
  } else if (kind != "tool") {
    return Status(GANTRY_UNSUPPORTED, "kind must be 'tool' or 'service'");
  }
  item = find_item(*parent.target.snapshot, kind, name);
  if (item != nullptr) return {};
  return Status::not_found("no " + std::string(kind) + " '" + std::string(name) + "' is offered");
}

Status check_arguments(const Item& item, const rapidjson::Value& given, NestedTarget& out) {
  if (item.spec.kind == "method") {
    if (auto wrong = wrong_entry(item, given)) {
      return refuse_target(out, std::move(*wrong), GANTRY_INVALID_ARGUMENT);
    }
    return {};
  }
  if (!item.input || item.input->validate(given)) return {};
  return Status::invalid(schema::explain(item.input->errors(given)));
}

Status check_entry(gantry_call& parent, std::string_view arguments, NestedTarget& out) {
  const Item& item = *out.item;
  if (item.spec.kind == "service") return {};
  if (auto no = parent.engine->denied(*out.agent, item)) {
    report_refused(parent, *out.agent, item, arguments, no->error_code);
    return refuse_target(
        out, {std::move(no->error_code), std::move(no->message), std::move(no->details)},
        GANTRY_DENIED);
  }
  rapidjson::Document given;
  if (!parse_exact(arguments, given)) return Status::invalid("the arguments are not JSON");
  if (Status wrong = check_arguments(item, given, out); !wrong) return wrong;
  if (Status no = unapproved_inside(*parent.root, *out.agent, item, given); !no) return no;
  const bool is_method = item.spec.kind == "method";
  if (is_method && says_dry_run(given) && !item.spec.supports_dry_run) {
    out.preview = structural_preview(item, given);
  }
  return {};
}

}  // namespace

Status find_nested(gantry_host* host, gantry_call& parent, const gantry_invocation& what,
                   NestedTarget& out) {
  out.agent = parent.agent.profile;
  if (what.narrowing.size > 0) {
    auto narrowed = out.agent->narrowed(view(what.narrowing));
    if (!narrowed) return narrowed.status();
    out.agent = std::move(*narrowed);
  }
  Status found = find_item_of(host, parent, view(what.kind), view(what.name), out.item);
  if (!found) return found;
  return check_entry(parent, what.arguments.size > 0 ? view(what.arguments) : "{}", out);
}

}  // namespace gantry::host
