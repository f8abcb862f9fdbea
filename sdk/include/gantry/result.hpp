// gantry/result.hpp: a value, or the Status that explains its absence.
//
// Reading the value of a failed Result is a programming error and aborts.
#pragma once

#include <cstdlib>
#include <optional>
#include <utility>

#include <gantry/status.hpp>

namespace gantry {

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}         // NOLINT: implicit by design
  Result(Status status) : status_(std::move(status)) {  // NOLINT: implicit by design
    if (status_.is_ok()) std::abort();                  // an OK status carries no value
  }

  bool is_ok() const { return value_.has_value(); }
  explicit operator bool() const { return is_ok(); }
  const Status& status() const { return status_; }
  const std::string& message() const { return status_.message(); }

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
  Status status_;
};

}  // namespace gantry
