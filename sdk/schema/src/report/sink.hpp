// Collects the findings of a run.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/schema/error.hpp>

#include "program.hpp"
#include "run/frame.hpp"

namespace gantry::schema::detail {

// The findings of one alternative of anyOf or oneOf.
struct Branch {
  std::vector<Error> errors;
};

class Sink {
 public:
  static constexpr std::size_t kBranchFindings = 4;

  // Keeps the first `max` findings.
  Sink(const Program& program, std::size_t max) : program_(program), max_(max) {}

  void report(const Op& op, const Frame& f, std::string_view name);
  void report_branches(const Op& op, const Frame& f, std::vector<Branch> branches);
  void report_limit(const char* why);
  std::vector<Error> take() && { return std::move(errors_); }

 private:
  void add(Error error);
  bool told_as_misspelt(const Error& missing, std::string_view name) const;

  const Program& program_;
  std::size_t max_;
  std::vector<Error> errors_;
};

// In errors.cpp: the finding's text without its place.
void describe(const Program& program, const Op& op, const Frame& f, std::string_view name,
              Error& error);
const char* keyword_of(Code code);

// errors_text.cpp
std::string pointer_of(const Path* path);
std::string readable_path(const Path* path);
std::string clipped(std::string_view text, std::size_t bytes);
std::string quoted(std::string_view text);
std::string value_text(const Json& value, bool secret);
std::string value_with_kind(const Json& value, bool secret);
std::string types_text(std::uint8_t types);
std::string counted(std::uint64_t n, const char* one, const char* many);

// In errors_names.cpp: the names that a node's object may have: its own and, for
// unevaluatedProperties, those of the schemas applied in place.
std::vector<std::string_view> allowed_names(const Program& program, std::uint32_t node,
                                            bool with_applied);

}  // namespace gantry::schema::detail
