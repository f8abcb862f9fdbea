// ops/too_large.hpp: what to say of, and what to do about, an answer that would be too large.
#pragma once

#include <optional>
#include <string>

#include "ops/row_reader.hpp"

namespace gantry::data {

// Kept free of max_bytes for what a tool writes around the rows.
inline constexpr std::size_t kEnvelopeBytes = 16u << 10;

inline std::size_t room_for_rows(const Request& request) {
  const std::size_t around = kEnvelopeBytes + request.echo_bytes;
  return request.max_bytes > 2 * around ? request.max_bytes - around : request.max_bytes / 2;
}

// The heaviest field that may be left out; empty when nothing but the common fields is left.
std::string heaviest_field(const Rows& rows);

// invalid_argument with details {kind: response_too_large, bytes, limit, largest_fields, keys}.
DataError response_too_large(const Request& request, const Rows& rows);

}  // namespace gantry::data
