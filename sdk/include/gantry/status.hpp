// gantry/status.hpp: the result of an operation in C++ code.
//
// A Status is OK, or a code with a message. It is converted once, at the edge: to a gantry_status
// of the C contract, or to a tool error or JSON-RPC error in the host. Values; no thread rules
// beyond those of std::string.
#pragma once

#include <string>
#include <utility>

#include <gantry/abi/status.h>

namespace gantry {

class [[nodiscard]] Status {
 public:
  Status() = default;
  // `code` is one of the negative GANTRY_* codes, or GANTRY_INPUT_REQUIRED; `message` is a sentence
  // for people.
  Status(gantry_status code, std::string message) : code_(code), message_(std::move(message)) {}

  static Status ok() { return {}; }
  static Status invalid(std::string m) { return {GANTRY_INVALID_ARGUMENT, std::move(m)}; }
  static Status failed(std::string m) { return {GANTRY_FAILED, std::move(m)}; }
  static Status not_found(std::string m) { return {GANTRY_NOT_FOUND, std::move(m)}; }
  static Status denied(std::string m) { return {GANTRY_DENIED, std::move(m)}; }

  // Waiting for input (input.hpp) is not an error, but there is no value either.
  bool is_ok() const { return code_ >= 0 && code_ != GANTRY_INPUT_REQUIRED; }
  explicit operator bool() const { return is_ok(); }
  gantry_status code() const { return code_; }
  const std::string& message() const { return message_; }

 private:
  gantry_status code_ = GANTRY_OK;
  std::string message_;
};

}  // namespace gantry
