#include "host/app/writes.hpp"

#include <chrono>
#include <utility>

#include "host/app/one_call.hpp"
#include "host/registry/find.hpp"
#include "host/rpc/items/request_record.hpp"
#include "sdk/contract/words.hpp"

namespace gantry::host {
namespace {

constexpr std::string_view kWritesService = "gantry.writes/1";
constexpr std::chrono::seconds kPatience{55};

// `undoes`: the request changes data, so that what it meets there is no fault of its form.
Status status_of(const ItemAnswer& answer, bool undoes) {
  if (answer.error_code == "not_found") return Status::not_found(answer.message);
  if (answer.error_code == "access_denied") return Status::denied(answer.message);
  if (answer.error_code == "invalid_argument" && !undoes) return Status::invalid(answer.message);
  return Status::failed(answer.message);
}

}  // namespace

Result<std::string> Writes::ask(const rpc::WritesRequest& request) const {
  const SnapshotPtr snapshot = registry_.snapshot();
  const Item* const service = find_item(snapshot->service_by_name, kWritesService);
  if (service == nullptr) {
    return Status::failed("no plugin records writes: there is no database");
  }
  ItemCall call = own_call(snapshot, *service, operators_agent(), kOperatorsParty);
  call.arguments = request.arguments;
  const auto begin = std::chrono::steady_clock::now();
  auto answer = answer_of(calls_, std::move(call), kPatience);
  if (request.undoes) {
    record(*service, request, answer ? &*answer : nullptr,
           std::chrono::steady_clock::now() - begin);
  }
  if (!answer) return Status::failed("the plugin of the database did not answer in time");
  if (answer->kind == ItemAnswer::Kind::result) return std::move(answer->content);
  return status_of(*answer, request.undoes);
}

void Writes::record(const Item& service, const rpc::WritesRequest& request,
                    const ItemAnswer* answer, std::chrono::steady_clock::duration took) const {
  const bool success = answer != nullptr && answer->kind == ItemAnswer::Kind::result;
  const std::string id = "operator/" + std::string(request.by);
  AuditRecord record{
      .tool = "writes.undo", .plugin = service.plugin->manifest().name, .args_keys = R"(["id"])"};
  record.agent.name = request.by;
  record.agent.id = id;
  record.agent.auth_type = "operator";
  record.agent.permissions = contract::tier_name(Tier::admin);
  record.agent.master = true;
  record.outcome.ran = answer != nullptr && answer->ran;
  record.outcome.success = success;
  record.outcome.duration_ms = std::chrono::duration<double, std::milli>(took).count();
  if (answer != nullptr) record.notes = answer->notes;
  if (!success) record.outcome.error_code = answer ? rpc::code_of(*answer, false) : "timeout";
  if (success) record.outcome.bytes = answer->content.size();
  audit_.write(record);
}

}  // namespace gantry::host
