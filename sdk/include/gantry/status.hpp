// gantry/status.hpp: the result of an operation in C++ code.
//
// A Status is OK, or a code with a message. It is converted once, at the edge: to a gantry_status
// of the C contract, or to a tool error or JSON-RPC error in the host. A handler that returns a
// failed Status ends its call with an error: the client sees the error code that belongs to the
// status (table in ABI.md) and the message as its sentence.
//
//   if (port == 0) return gantry::Status::invalid("port is 0; give one from 1 to 65535");
//
// Values; no thread rules beyond those of std::string.
//
// Owns: its message. Costs: a Status that is OK allocates nothing. Errors: none here.
#pragma once

#include <string>
#include <utility>

#include <gantry/abi/status.h>

namespace gantry {

class [[nodiscard]] Status {
 public:
  Status() = default;
  // `code` is one of the negative GANTRY_* codes, or GANTRY_INPUT_REQUIRED. `message` is a sentence
  // for people and models: it states the error and its remedy, and has no data that the caller may
  // not see. The host cuts out the middle of more than 2 KiB. A failed Status without a message
  // means that the error was reported already (CallView::fail()) or that the host shall write a
  // general sentence for the code.
  Status(gantry_status code, std::string message) : code_(code), message_(std::move(message)) {}

  // The short forms for the most frequent codes. invalid(): the caller's fault, the arguments must
  // be changed. failed(): the fault of the plugin or of its backend. not_found(): the named object
  // does not exist, or its existence may not be revealed. denied(): the caller may not do this.
  static Status ok() { return {}; }
  static Status invalid(std::string m) { return {GANTRY_INVALID_ARGUMENT, std::move(m)}; }
  static Status failed(std::string m) { return {GANTRY_FAILED, std::move(m)}; }
  static Status not_found(std::string m) { return {GANTRY_NOT_FOUND, std::move(m)}; }
  static Status denied(std::string m) { return {GANTRY_DENIED, std::move(m)}; }

  // Waiting for input (input.hpp) is not an error, but there is no value either.
  bool is_ok() const { return code_ >= 0 && code_ != GANTRY_INPUT_REQUIRED; }
  explicit operator bool() const { return is_ok(); }
  // GANTRY_OK (0) or above if OK. Compare codes, not messages: messages may become clearer.
  gantry_status code() const { return code_; }
  const std::string& message() const { return message_; }

 private:
  gantry_status code_ = GANTRY_OK;
  std::string message_;
};

}  // namespace gantry
