// ops/read_arguments.hpp: the arguments that reads share. Everything throws QueryError.
#pragma once

#include <string_view>
#include <vector>

#include "ops/request.hpp"
#include "plan/read.hpp"

namespace gantry::data {

inline constexpr std::int64_t kDefaultLimit = 100, kMaxLimit = 1000;
inline constexpr std::int64_t kDefaultSamples = 5, kMaxSamples = 20;
inline constexpr std::int64_t kMaxSkip = std::int64_t{1} << 53;

// The read of the arguments class_name and where?. Its texts are the request's.
Read requested_read(const Request& request);
// The arguments keys? and include?.
Shape requested_shape(const Request& request);

// Requested ids, each once, in order: 1 to 50.
std::vector<std::string_view> distinct_ids(const Request& request);

DataError no_such_object(const ClassView& cls, std::string_view id, std::string_view hint);

}  // namespace gantry::data
