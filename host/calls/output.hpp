// host/calls/output.hpp: the output that one call has written so far.
//
// In a client's call of a tool, content blocks become JSON at once, and the structured result is
// concatenated text. In a call of a resource, output becomes entries of its contents. Other kinds
// have only a structured result. In a nested call the pieces are kept as written, for the caller.
// Owns copies of all text. Not locked: the contract allows one thread at a time to write to a call.
// Throws only std::bad_alloc.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gantry/status.hpp>

#include "sdk/contract/call_writes.hpp"

namespace gantry::host {

class Output {
 public:
  // The receiver of the output: a client, as content blocks, as entries of a resource or as one
  // object; or the calling plugin, of a tool or a service.
  enum class For { client, client_entries, client_object, nested_tool, nested_service };

  struct Failure {
    std::string code, message, details;
  };
  using Part = std::pair<std::string, std::string>;  // type, body

  // Drops all output; `cap` bounds the bytes kept from here on. `uri` is that of the entries.
  void reset(For purpose, std::size_t cap, std::string uri = {});

  // As the functions of gantry_call_api. GANTRY_TOO_BIG: the output is over the cap, and the call
  // fails. GANTRY_MISUSE: json_raw() or json_end() without json_begin(), or a second one.
  gantry_status write(std::string_view type, std::string_view body);
  gantry_status json_begin();
  gantry_status json_raw(std::string_view part);
  gantry_status json_end();
  // A message that is too long loses its middle; details that are too long are dropped.
  gantry_status fail(std::string_view code, std::string_view message, std::string_view details);

  // Bytes that may still be written. Text of content blocks counts as sent: escaped and, after the
  // first block, with its JSON frame.
  std::size_t room() const { return limit_.room(); }
  bool failed() const { return failed_; }
  bool overflowed() const { return limit_.overflowed(); }
  const contract::JsonOrder& json() const { return json_; }
  const Failure& failure() const { return failure_; }
  std::string& content() { return content_; }        // blocks or entries, comma separated
  std::string& structured() { return structured_; }  // empty unless json_end() was reached
  std::vector<Part>& parts() { return parts_; }
  std::string& details() { return failure_.details; }  // JSON, or empty

 private:
  gantry_status take(std::size_t bytes);
  gantry_status add_text(std::string_view body);
  gantry_status add_block(std::string block);
  gantry_status add_entry(std::string_view type, std::string_view body);
  gantry_status add_part(std::string_view type, std::string_view body);

  For purpose_ = For::client;
  contract::WriteLimit limit_;
  contract::JsonOrder json_;
  bool failed_ = false;
  std::string uri_, content_, structured_;
  std::vector<Part> parts_;
  Failure failure_;
};

}  // namespace gantry::host
