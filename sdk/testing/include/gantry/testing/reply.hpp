// gantry/testing/reply.hpp: the outcome of a call to a plugin's item, for a test.
//
// Compare it with the matchers of matchers.hpp, which print the whole reply when they fail, or read
// its members. A reply is a copy: it stays valid after the plugin has stopped. Values; any thread.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <gantry/abi/status.h>

namespace gantry::testing {

// A report of progress. Reports that did not grow are left out, as the host does.
struct Progress {
  double done = 0, total = 0;
  std::string note;
};

// A line of a log; `level` is one of GANTRY_LOG_*.
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

// What the client would get. Members of other kinds of items are empty.
// It has more than twelve members: those of every kind of item.
struct Reply {
  // Below zero: failed; GANTRY_INPUT_REQUIRED: it asks. GANTRY_TIMED_OUT and GANTRY_CANCELLED if
  // the fake host answered in the plugin's place. An answer that breaks the contract is
  // GANTRY_FAILED.
  gantry_status status = GANTRY_OK;
  // Type and body of each piece in order: "text", "image/png" (raw bytes), "block" (JSON). For a
  // service: each part once, with its bodies joined.
  std::vector<std::pair<std::string, std::string>> content;
  // The structured result as JSON, or empty.
  std::string structured;
  // Set for a failed call: a code of ABI.md, the sentence, and a JSON object or "".
  std::string error_code, message, details;
  // The cause that the plugin told the host alone: write("gantry/denial"). No caller gets it.
  std::string denial_cause;
  // What the plugin adds to the audit record: the objects of write("gantry/audit"), in order.
  std::vector<std::string> audit_notes;
  // The messages of a prompt.
  std::vector<Message> messages;
  // The contents of a resource as clients get them: with the default URI and type filled in, Base64
  // decoded.
  std::vector<Content> contents;
  // The values of a completion.
  std::vector<std::string> values;
  // The URIs of a template's list.
  std::vector<std::string> listed;
  // The questions of the last round that had no answer, in order.
  std::vector<Asked> asked;
  // How often the handler was entered: 1 without questions, at most 8.
  int rounds = 1;
  // The state that the last round kept for the next one.
  std::string kept;
  // The call became a task (gantry.task/1), or released its connection.
  bool is_task = false;
  bool released = false;
  // The missing capability of the client that ended the call: "elicitation", "sampling", "roots",
  // "tasks"; "" if the call did not end because of one.
  std::string lacks;
  // Reports and lines that the client would get, in order.
  std::vector<Progress> progress;
  std::vector<LogLine> log;
  // The deadline passed, or the call was cancelled, before the answer.
  bool timed_out = false;
  bool cancelled = false;

  // Whether there is an answer; false for an error and for a question.
  bool ok() const { return status >= 0 && status != GANTRY_INPUT_REQUIRED; }
  // Whether the client gave no answer (FakeHost::answer_input) to a question of the last round.
  bool needs_input() const { return status == GANTRY_INPUT_REQUIRED; }
  // The text content, joined by newlines.
  std::string text() const;
  // The body of a service's part, "" if it was not written.
  std::string part(std::string_view type) const;
};

// Status, error, content and questions, one a line: GoogleTest prints it when an expectation fails.
std::ostream& operator<<(std::ostream& out, const Reply& reply);

}  // namespace gantry::testing
