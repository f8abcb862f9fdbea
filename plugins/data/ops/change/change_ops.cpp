#include "ops/change/change_ops.hpp"

#include <algorithm>
#include <array>

#include "errors/query_error.hpp"
#include "ops/change/class_ops.hpp"
#include "ops/change/run_writes.hpp"
#include "ops/change/transaction.hpp"
#include "ops/change/write.hpp"

namespace gantry::data {
namespace {

Reply run(const Request& request, const Writes& writes, WriteTier tier) {
  check_tier(tier, tier_of(writes));
  return run_writes(request, writes);
}

Reply create(const Request& request, WriteTier tier) {
  return run(request, requested_writes(request, ClassOp::create), tier);
}

Reply update(const Request& request, WriteTier tier) {
  return run(request, requested_writes(request, ClassOp::update), tier);
}

Reply remove(const Request& request, WriteTier tier) {
  return run(request, requested_writes(request, ClassOp::remove), tier);
}

Reply transaction(const Request& request, WriteTier tier) {
  return run(request, requested_transaction(request), tier);
}

constexpr std::array kChanges = {
    Change{"create", false, create},
    Change{"update", false, update},
    Change{"delete", false, remove},
    Change{"transaction", false, transaction},
    Change{"create_class", true, create_class},
    Change{"delete_class", true, delete_class},
};

}  // namespace

const Change* find_change(std::string_view name) {
  const auto found = std::find_if(kChanges.begin(), kChanges.end(),
                                  [name](const Change& known) { return known.name == name; });
  return found == kChanges.end() ? nullptr : &*found;
}

void check_gate(const Change& change, const EditRights& rights) {
  if (change.is_of_schema ? rights.schema : rights.rows) return;
  const std::string gate =
      change.is_of_schema ? "GANTRY_ALLOW_SCHEMA_OPS" : "GANTRY_ALLOW_WRITE_TOOLS";
  DataError error;
  error.code = error_code::kAccessDenied;
  error.message = "This server does not change " +
                  std::string(change.is_of_schema ? "classes" : "objects") + ": the gate " + gate +
                  " is closed. The operator opens it by setting " + gate + "=1.";
  error.details_json = R"({"kind":"gate","missing":[")" + gate + "\"]}";
  error.cause = "gate";
  throw QueryError(std::move(error));
}

}  // namespace gantry::data
