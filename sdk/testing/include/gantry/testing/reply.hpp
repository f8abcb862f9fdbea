// gantry/testing/reply.hpp: the outcome of a call to a plugin's item, for a test.
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

// A question to the client that has no answer yet (gantry.input/1).
struct Asked {
  std::string key, method, params;
};

// A message of a prompt; `text` is the text of its content block, "" for other blocks.
struct Message {
  std::string role, text, block;
};

// A content of a resource; for a blob `body` is the bytes.
struct Content {
  std::string uri, mime_type, body;
  bool is_blob = false;
};

struct Reply {
  gantry_status status = GANTRY_OK;  // below zero: failed; GANTRY_INPUT_REQUIRED: it asks
  // Type and body of each piece in order: "text", "image/png" (raw bytes), "block" (JSON). For a
  // service: each part once, with its bodies joined.
  std::vector<std::pair<std::string, std::string>> content;
  std::string structured;                    // JSON, or empty
  std::string error_code, message, details;  // of a failed call
  std::vector<Message> messages;             // of a prompt
  std::vector<Content> contents;             // of a resource, as clients get them
  std::vector<std::string> values;           // of a completion
  std::vector<std::string> listed;           // URIs, of a template's list
  std::vector<Asked> asked;                  // in the last round, in order
  int rounds = 1;                            // how often the handler was entered
  std::string kept;                          // the state kept for the next round
  bool is_task = false;
  bool released = false;  // the call released its connection
  // The missing capability of the client that ended the call: "elicitation", "sampling", "roots",
  // "tasks".
  std::string lacks;
  std::vector<Progress> progress;
  std::vector<LogLine> log;  // lines for the client
  bool timed_out = false;    // the deadline passed before the answer
  bool cancelled = false;

  bool ok() const { return status >= 0 && status != GANTRY_INPUT_REQUIRED; }
  bool needs_input() const { return status == GANTRY_INPUT_REQUIRED; }
  // The text content, joined by newlines.
  std::string text() const;
  // The body of a service's part, "" if it was not written.
  std::string part(std::string_view type) const;
};

std::ostream& operator<<(std::ostream& out, const Reply& reply);

}  // namespace gantry::testing
