#include "pipeline/tests/pipelines.hpp"

#include <algorithm>

#include "errors/query_error.hpp"
#include "values/extended_json.hpp"

namespace gantry::data::pipeline::tests {
namespace {

class CountingStream final : public Stream {
 public:
  CountingStream(const Array& documents, std::size_t& read) : documents_(documents), read_(read) {}
  bool next(Value& document) override {
    if (at_ == documents_.size()) return false;
    document = documents_[at_++];
    ++read_;
    return true;
  }

 private:
  const Array& documents_;
  std::size_t& read_;
  std::size_t at_ = 0;
};

}  // namespace

Value parse(std::string_view json) {
  std::string text(json);
  std::replace(text.begin(), text.end(), '\'', '"');
  return read_extended(text).value();
}

std::string text_of(const Value& value) {
  std::string text;
  append_value_json(value, JsonDialect::extended, text);
  std::replace(text.begin(), text.end(), '"', '\'');
  return text;
}

std::string unsaid(const std::string& answer, std::initializer_list<std::string_view> parts) {
  if (!answer.starts_with("error: ")) return "an answer: " + answer;
  for (const std::string_view part : parts) {
    if (answer.find(part) == answer.npos) return std::string(part) + " in: " + answer;
  }
  return "";
}

Database& Database::set(const std::string& name, std::string_view documents) {
  classes_[name] = parse(documents).elements();
  return *this;
}

void Database::check(std::string_view name) {
  if (!hidden.empty() && name == hidden) throw QueryError("no such class");
}

StreamPtr Database::scan(std::string_view name, const ScanHint&) {
  static const Array kNone;
  ++scans;
  const auto it = classes_.find(name);
  return std::make_unique<CountingStream>(it == classes_.end() ? kNone : it->second, read);
}

std::string Database::run(std::string_view pipeline, std::size_t memory) {
  try {
    expr::Variables variables;
    Reading reading{*this, variables};
    const Stages stages = parse_pipeline(parse(pipeline), reading);
    Budget budget;
    budget.bytes = memory;
    const Spending::Scope spending(budget);
    expr::Context base;
    base.slots.resize(variables.slots());
    Run run{*this, base, [] { return 0.5; }};
    const StreamPtr stream = open_pipeline(stages, scan("c", {}), run, base.slots);
    scans = 0;
    Array found;
    for (Value document; stream->next(document);) found.push_back(document);
    return text_of(Value::array(std::move(found)));
  } catch (const QueryError& error) {
    return std::string("error: ") + error.what();
  }
}

}  // namespace gantry::data::pipeline::tests
