// host.info, audit.find, agent.permit and approval.*
#include <unistd.h>

#include "host/base/json.hpp"
#include "host/rpc/admin/plugin_methods.hpp"

namespace gantry::host::rpc {
namespace {

Result<std::string> host_info(const std::string& version, const std::string& endpoint) {
  std::string out = "{";
  append_text_member(out, "version", version);
  append_json_member(out, "pid", std::to_string(::getpid()));
  if (!endpoint.empty()) append_text_member(out, "endpoint", endpoint);
  return out + "}";
}

Result<std::string> answer_approval(Approvals& approvals, const AdminParams& params,
                                    const AdminCaller& caller) {
  const std::string id = params.text("id");
  const bool accept = params.flag("accept");
  const Status status =
      approvals.answer_as_operator(id, accept, std::string(caller.name), params.text("note"));
  if (!status) return status;
  std::string out = "{";
  append_text_member(out, "id", id);
  append_json_member(out, "accept", accept ? "true" : "false");
  return out + "}";
}

AdminMethods approval_methods(Approvals* approvals) {
  using Act =
      std::function<Result<std::string>(Approvals&, const AdminParams&, const AdminCaller&)>;
  AdminMethods out;
  const auto add = [&](AdminMethod method, Act act) {
    method.run = [approvals, act = std::move(act)](const AdminParams& params,
                                                   const AdminCaller& caller) {
      return approvals ? act(*approvals, params, caller)
                       : Result<std::string>(Status::failed("this host asks for no approvals"));
    };
    out.push_back(std::move(method));
  };
  add({.name = "approval.list"},
      [](Approvals& all, const AdminParams&, const AdminCaller&) -> Result<std::string> {
        return all.list();
      });
  add({.name = "approval.show", .parameters = {"id"}},
      [](Approvals& all, const AdminParams& params, const AdminCaller&) {
        return all.show(params.text("id"));
      });
  add({.name = "approval.answer",
       .parameters = {"id", "accept:flag", "note?:note"},
       .pace = AdminMethod::Pace::blocks,
       .reads = false},
      answer_approval);
  return out;
}

AdminMethod permit_method(std::function<Result<std::string>(const PermitQuestion&)> permit) {
  return {.name = "agent.permit",
          .parameters = {"agent", "tool?", "classes?:texts", "every?:flag"},
          .pace = AdminMethod::Pace::blocks,
          .run = [permit = std::move(permit)](const AdminParams& params,
                                              const AdminCaller&) -> Result<std::string> {
            if (!permit) return Status::not_found("This host answers no agent.permit");
            return permit({params.text("agent"), params.text("tool"), params.texts("classes"),
                           params.flag("every")});
          }};
}

}  // namespace

AdminMethods basic_methods(const AdminFacts& facts) {
  AdminMethods out = approval_methods(facts.approvals);
  out.push_back({.name = "host.info",
                 .run = [version = facts.version, endpoint = facts.endpoint](const AdminParams&,
                                                                             const AdminCaller&) {
                   return host_info(version, endpoint);
                 }});
  out.push_back({.name = "audit.find",
                 .parameters = {"id"},
                 .run = [audit = facts.audit](const AdminParams& params,
                                              const AdminCaller&) -> Result<std::string> {
                   return "{\"records\":" + (audit ? audit->find(params.text("id")) : "[]") + "}";
                 }});
  out.push_back(permit_method(facts.permit));
  return out;
}

}  // namespace gantry::host::rpc
