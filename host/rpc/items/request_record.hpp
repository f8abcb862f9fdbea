// host/rpc/items/request_record.hpp (private): the metrics and the audit record of an ended
// request.
//
// Pure functions, except the record_…() functions, which write; any thread.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include <rapidjson/fwd.h>

#include "host/approvals/approval.hpp"
#include "host/rpc/items/request_parts.hpp"

namespace gantry::host::rpc {

// The end of a request.
struct RequestEnd {
  std::string_view code{};    // the error code; empty: success
  std::string_view denial{};  // the kind of a denial, if it has one
  std::string_view cause{};   // its true cause, for operators alone
  bool ran = false;           // a plugin was entered
  std::size_t bytes = 0;      // of the answer
  std::chrono::steady_clock::duration took{};
  std::optional<ApprovalVerdict> approval{};  // of a call that needed one
  std::string_view notes{};                   // of the plugins, as in ItemAnswer
};

// The error code of an answer, for the record; empty for success.
std::string_view code_of(const ItemAnswer& answer, bool is_tool);
// The member `kind` of the answer's details; empty without one.
std::string denial_of(const ItemAnswer& answer);

// The names of a call's arguments as a JSON array, which is bounded: a caller cannot make the log's
// lines arbitrarily long. Null: none.
std::string names_of(const rapidjson::Value* arguments);

// Writes the audit record.
void record_end(Core& core, const ItemRequestParts& parts, const RequestEnd& end);
// The record of a tool that a sub-agent called inside the request.
void record_sub_agent(Core& core, const ItemRequestParts& parts, const SubAgentCall& call);
// A span inside the request's, as RequestTrace::add_inner().
void record_span(const ItemRequestParts& parts, std::string_view span);
// As record_end(), and counts the answer in the metrics.
void record_answer(Core& core, const ItemRequestParts& parts, const RequestEnd& end);

}  // namespace gantry::host::rpc
