// A database of JSON texts, for tests: runs a pipeline and returns its result as JSON text.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

#include "pipeline/stage.hpp"

namespace gantry::data::pipeline::tests {

// JSON with ' for ", for legibility.
Value parse(std::string_view json);
std::string text_of(const Value& value);

// The first of the parts that the error does not say, with the answer; "" if it says them all.
std::string unsaid(const std::string& answer, std::initializer_list<std::string_view> parts);

class Database final : public Classes {
 public:
  Database() = default;
  // `documents` are those of the class "c", the input of pipelines.
  explicit Database(std::string_view documents) { set("c", documents); }
  Database& set(const std::string& name, std::string_view documents);

  // The answer as a JSON array, or "error: …".
  std::string run(std::string_view pipeline, std::size_t memory = 1 << 20);

  void check(std::string_view name) override;
  StreamPtr scan(std::string_view name, const ScanHint& wanted) override;

  int scans = 0;         // so far
  std::size_t read = 0;  // documents of "c" so far
  std::string hidden;    // a class that callers may not use

 private:
  std::map<std::string, Array, std::less<>> classes_;
};

}  // namespace gantry::data::pipeline::tests
