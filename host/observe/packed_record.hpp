// host/observe/packed_record.hpp (private): an audit record as one run of bytes, which costs a call
// less than its JSON; that is made when an operator reads it.
//
// Pure functions; any thread. They throw only std::bad_alloc.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "host/observe/audit.hpp"

namespace gantry::host {

struct StampedRecord {
  AuditRecord record{};
  std::string_view audit_id{};  // may be empty
  std::chrono::system_clock::time_point time{};
};

std::string pack_record(const StampedRecord& stamped);
// Borrows from `packed`, which pack_record() has made.
StampedRecord unpack_record(std::string_view packed);

}  // namespace gantry::host
