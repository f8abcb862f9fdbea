// $count: the number of documents; without input there is no output document.
#include "pipeline/spec.hpp"
#include "pipeline/stages.hpp"

namespace gantry::data::pipeline {
namespace {

class CountStream final : public Stream {
 public:
  CountStream(StreamPtr input, Run& run, const std::string& field)
      : input_(std::move(input)), run_(run), field_(field) {}
  bool next(Value& document) override {
    if (!input_) return false;
    std::int64_t count = 0;
    for (; input_->next(document); ++count) run_.tick();
    input_.reset();
    document = ObjectBuilder().add(field_, Value::integer(count)).build();
    return count > 0;
  }

 private:
  StreamPtr input_;
  Run& run_;
  const std::string& field_;
};

class CountStage final : public Stage {
 public:
  explicit CountStage(std::string field) : field_(std::move(field)) {}
  std::string_view name() const override { return "$count"; }
  StreamPtr open(StreamPtr input, Run& run, const Array&) const override {
    return std::make_unique<CountStream>(std::move(input), run, field_);
  }
  bool add_paths(std::set<std::string>&) const override { return true; }

 private:
  std::string field_;
};

}  // namespace

StagePtr parse_count(std::string_view name, const Value& spec, Reading&) {
  if (!spec.is_string()) refuse(name, "wants the new field's name, not " + kind_of(spec));
  if (spec.text().empty()) refuse(name, "wants the new field's name; it must not be empty");
  check_field_name(name, spec.text());
  if (spec.text() == "_id") refuse(name, "the new field may not be _id; choose another name");
  return std::make_unique<CountStage>(std::string(spec.text()));
}

}  // namespace gantry::data::pipeline
