// host/base/correlation_id.hpp: the form of ids that tie the records of several requests together.
//
// A pure function; any thread.
#pragma once

#include <algorithm>
#include <string_view>

#include "host/base/text.hpp"

namespace gantry::host {

constexpr std::size_t kMaxCorrelationId = 128;

// 1 to 128 of [A-Za-z0-9._-].
inline bool is_correlation_id(std::string_view id) {
  return !id.empty() && id.size() <= kMaxCorrelationId &&
         std::all_of(id.begin(), id.end(), [](char c) {
           return is_letter(c) || is_digit(c) || c == '.' || c == '_' || c == '-';
         });
}

}  // namespace gantry::host
