// errors/query_error.hpp: an invalid constraint, expression or pipeline stage.
//
// Thrown while a pipeline is parsed or runs, caught where an operation answers. The caller is at
// fault unless the code says otherwise. The message names the operator and the operand it expects,
// never a stored value.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "errors/error.hpp"

namespace gantry::data {

class QueryError : public std::runtime_error {
 public:
  explicit QueryError(std::string message)
      : QueryError(DataError::invalid_query(std::move(message))) {}
  explicit QueryError(DataError error)
      : std::runtime_error(error.message), error_(std::move(error)) {}
  // For operators that are refused to every caller: they would run code, or write.
  static QueryError blocked(std::string message) {
    DataError error = DataError::invalid_query(std::move(message));
    error.code = error_code::kSecurityBlocked;
    return QueryError(std::move(error));
  }
  const DataError& error() const { return error_; }
  const char* what() const noexcept override { return error_.message.c_str(); }

 protected:
  void replace(DataError error) { error_ = std::move(error); }

 private:
  DataError error_;
};

}  // namespace gantry::data
