#include "plan/context.hpp"

#include "filter/columns/refusal.hpp"

namespace gantry::data {

std::size_t ReadContext::room_for_rows() const {
  constexpr std::size_t kEnvelope = 16u << 10;
  const std::size_t around = kEnvelope + echo_bytes;
  return max_bytes > 2 * around ? max_bytes - around : max_bytes / 2;
}

const ClassView& named_class(const Scope& scope, std::string_view name) {
  if (const ClassView* cls = scope.open(name)) return *cls;
  columns::refuse_class(name, scope);
}

const ClassView& open_class(const Scope& scope, std::string_view name) {
  const ClassView& cls = named_class(scope, name);
  columns::refuse_unreadable(cls);
  return cls;
}

DataError of_argument(DataError error) {
  if (error.code == error_code::kInvalidQuery) error.code = error_code::kInvalidArgument;
  return error;
}

DataError statement_error(const Status& status) {
  if (status.code() != GANTRY_INVALID_ARGUMENT) return store_error(status);
  return DataError::invalid_query(status.message());
}

LeasePtr lease_as_seen(const ReadContext& context) {
  auto lease = context.store.lease_as_seen(context.budget);
  if (!lease) throw QueryError(store_error(lease.status()));
  return std::move(*lease);
}

CursorPtr prepared(Lease& lease, const Fragment& statement) {
  auto cursor = lease.prepare(statement);
  if (!cursor) throw QueryError(statement_error(cursor.status()));
  return std::move(*cursor);
}

void check_end(const Cursor& cursor) {
  if (!cursor.status()) throw QueryError(statement_error(cursor.status()));
}

}  // namespace gantry::data
