// errors/error.hpp: the errors of the data engine.
//
// At the edge a DataError becomes a tool result with isError: `code` is its error_code, `message`
// one or more sentences for the caller, the other members its `details`. The caller is at fault for
// every code but store_error and internal_error. Texts and lists contain only names that this
// caller may see.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gantry/result.hpp>
#include <gantry/status.hpp>

namespace gantry::data {

// The codes that the engine produces.
namespace error_code {
inline constexpr std::string_view kPermissionDenied = "permission_denied";
inline constexpr std::string_view kAccessDenied = "access_denied";
inline constexpr std::string_view kInvalidArgument = "invalid_argument";
inline constexpr std::string_view kInvalidQuery = "invalid_query";
inline constexpr std::string_view kSecurityBlocked = "security_blocked";
inline constexpr std::string_view kNotFound = "not_found";
inline constexpr std::string_view kTimeout = "timeout";
inline constexpr std::string_view kCancelled = "cancelled";
inline constexpr std::string_view kStoreError = "store_error";
inline constexpr std::string_view kInternalError = "internal_error";
}  // namespace error_code

struct DataError {
  std::string code;     // one of error_code
  std::string message;  // the error and its remedy
  // Details; empty members are left out of the answer.
  std::string kind;                         // hidden_class, field_denied, …
  std::string denied_field;                 // in the caller's spelling
  std::vector<std::string> allowed_fields;  // the first 20, in the class's order
  std::string suggested_rewrite;            // what to write instead
  std::string details_json = {};            // a JSON object that replaces the members above
  std::string cause = {};       // the true one, for the host alone: no part of an answer
  std::string audit_note = {};  // as in Reply

  static DataError invalid_query(std::string text) {
    return {std::string(error_code::kInvalidQuery), std::move(text), {}, {}, {}, {}};
  }
};

inline DataError invalid_argument(std::string message) {
  return {std::string(error_code::kInvalidArgument), std::move(message), {}, {}, {}, {}};
}

// A value, or the DataError that explains its absence.
template <class T>
using Outcome = Result<T, DataError>;

// The error for a Status of the store: timeout, cancelled or store_error.
inline DataError store_error(const Status& status) {
  std::string_view code = error_code::kStoreError;
  if (status.code() == GANTRY_TIMED_OUT) code = error_code::kTimeout;
  if (status.code() == GANTRY_CANCELLED) code = error_code::kCancelled;
  return {std::string(code), status.message(), {}, {}, {}, {}};
}

}  // namespace gantry::data
