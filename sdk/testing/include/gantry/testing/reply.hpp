// gantry/testing/reply.hpp: what a call of a plugin's item ended with, as a test looks at it.
//
// Values.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <gantry/abi/status.h>

namespace gantry::testing {

struct Progress {
  double done = 0, total = 0;
  std::string note;
};

struct LogLine {
  int level = 0;
  std::string text;
};

// A question to the client that was not answered before (gantry.input/1).
struct Asked {
  std::string key, method, params;
};

// A message of a prompt; `text` is that of its content block, "" of other blocks.
struct Message {
  std::string role, text, block;
};

// A content of a resource; of a blob `body` is the bytes.
struct Content {
  std::string uri, mime_type, body;
  bool is_blob = false;
};

struct Reply {
  gantry_status status = GANTRY_OK;  // below zero: failed; GANTRY_INPUT_REQUIRED: it asks
  // Type and body of each piece in order: "text", "image/png" (raw bytes), "block" (JSON); of a
  // service each part once, its bodies joined.
  std::vector<std::pair<std::string, std::string>> content;
  std::string structured;                    // JSON, or empty
  std::string error_code, message, details;  // of a failed call
  std::vector<Message> messages;             // of a prompt
  std::vector<Content> contents;             // of a resource, as clients get them
  std::vector<std::string> values;           // of a completion
  std::vector<std::string> listed;           // URIs, of a template's list
  std::vector<Asked> asked;                  // in the last round, in order
  int rounds = 1;                            // how often the handler was entered
  std::string kept;                          // what it kept for a next round
  bool is_task = false;
  bool released = false;  // the call let go of its connection
  // What the client cannot do and the call ended for: "elicitation", "sampling", "roots", "tasks".
  std::string lacks;
  std::vector<Progress> progress;
  std::vector<LogLine> log;  // lines for the client
  bool timed_out = false;    // the deadline passed before the answer
  bool cancelled = false;

  bool ok() const { return status >= 0 && status != GANTRY_INPUT_REQUIRED; }
  bool needs_input() const { return status == GANTRY_INPUT_REQUIRED; }
  // The text content, joined by newlines.
  std::string text() const;
  // A service's part, "" when it was not written.
  std::string part(std::string_view type) const;
};

std::ostream& operator<<(std::ostream& out, const Reply& reply);

}  // namespace gantry::testing
