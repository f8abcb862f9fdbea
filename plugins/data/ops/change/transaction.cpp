#include "ops/change/transaction.hpp"

#include "errors/query_error.hpp"
#include "ops/change/change_ops.hpp"

namespace gantry::data {

void check_tier(WriteTier tier, WriteTier needed) {
  if (tier >= needed) return;
  const std::string name(tier_name(needed)), own(tier_name(tier));
  DataError error;
  error.code = error_code::kPermissionDenied;
  error.message = "This call may write up to the tier '" + own + "', and the change needs '" +
                  name + "'. The agent's profile, or a person's approval, decides that.";
  error.details_json =
      R"({"kind":"tier","needed":")" + name + R"(","writes_up_to":")" + own + "\"}";
  error.cause = "tier";
  throw QueryError(std::move(error));
}

EditPtr begin_edit(const Request& request) {
  auto edit = request.store.begin_edit(request.budget);
  if (!edit) throw QueryError(edit.error());
  if ((*edit)->schema_version() != request.scope.schema_version()) throw StaleCatalog();
  return *std::move(edit);
}

LeasePtr lease_of(Edit& edit, const Request& request) {
  auto lease = edit.store().lease(request.budget);
  if (!lease) throw QueryError(store_error(lease.status()));
  return *std::move(lease);
}

std::string commit(Edit& edit, Recorder& recorder, std::string_view undoes) {
  std::string id = recorder.append(undoes);
  if (auto error = edit.commit()) throw QueryError(*std::move(error));
  recorder.settle();
  return id;
}

}  // namespace gantry::data
