#include "plan/context.hpp"

#include "filter/columns/refusal.hpp"

namespace gantry::data {

std::size_t ReadContext::room_for_rows() const {
  constexpr std::size_t kEnvelope = 16u << 10;
  const std::size_t around = kEnvelope + echo_bytes;
  return max_bytes > 2 * around ? max_bytes - around : max_bytes / 2;
}

const ClassView& open_class(const Scope& scope, std::string_view name) {
  if (const ClassView* cls = scope.open(name)) return *cls;
  columns::refuse_class(name, scope);
}

DataError store_error(const Status& status) {
  std::string_view code = error_code::kStoreError;
  if (status.code() == GANTRY_TIMED_OUT) code = error_code::kTimeout;
  if (status.code() == GANTRY_CANCELLED) code = error_code::kCancelled;
  return {std::string(code), status.message(), {}, {}, {}, {}};
}

DataError statement_error(const Status& status) {
  if (status.code() != GANTRY_INVALID_ARGUMENT) return store_error(status);
  return DataError::invalid_query(status.message());
}

}  // namespace gantry::data
