// gantry/result.hpp: a value, or the Status that explains its absence.
//
//   gantry::Result<int> parse(std::string_view text);
//   const auto number = parse(text);
//   if (!number) return number.status();
//   use(*number);
//
// Both a T and a failed Status convert to a Result, so a function returns either. Reading the value
// of a failed Result is a programming error and aborts the process, in release builds too: inside
// the host that ends the server, so check first. Values, as cheap to copy and move as T; thread
// rules are those of T. Code with an error type of its own names it as E: Result<int, ParseError>.
#pragma once

#include <concepts>
#include <cstdlib>
#include <optional>
#include <utility>

#include <gantry/status.hpp>

namespace gantry {

template <class T, class E = Status>
class [[nodiscard]] Result {
 public:
  // Both constructors are implicit on purpose, so that a function can return either.
  Result(T value) : value_(std::move(value)) {}  // NOLINT: implicit by design
  // Without a value. A Status must be failed, or GANTRY_INPUT_REQUIRED: an OK status aborts.
  Result(E error) : error_(std::move(error)) {  // NOLINT: implicit by design
    if constexpr (std::same_as<E, Status>) {
      if (error_.is_ok()) std::abort();  // an OK status carries no value
    }
  }

  // Whether there is a value. Moving the value out does not change the answer.
  bool is_ok() const { return value_.has_value(); }
  explicit operator bool() const { return is_ok(); }
  // The reason for the absence; OK, with an empty message, if there is a value.
  const Status& status() const requires std::same_as<E, Status> { return error_; }
  const std::string& message() const requires std::same_as<E, Status> { return error_.message(); }
  // The reason for the absence; aborts if there is a value.
  const E& error() const {
    if (value_) std::abort();
    return error_;
  }

  // The value; aborts if there is none. On a temporary Result the value is moved out. References
  // live as long as the Result.
  T& value() & { return checked(), *value_; }
  const T& value() const& { return checked(), *value_; }
  T&& value() && { return checked(), std::move(*value_); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  void checked() const {
    if (!value_) std::abort();
  }
  std::optional<T> value_;
  E error_;
};

}  // namespace gantry
