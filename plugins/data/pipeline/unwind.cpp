// $unwind: one document for each element of an array.
#include "pipeline/stages.hpp"
#include "pipeline/streams.hpp"
#include "pipeline/walk.hpp"

namespace gantry::data::pipeline {
namespace {

struct Unwinding {
  Path path;
  Path index;  // empty: none
  bool keeps_empty = false;
};

class UnwindStream final : public Stream {
 public:
  UnwindStream(StreamPtr input, Run& run, const Unwinding& how)
      : input_(std::move(input)), run_(run), how_(how) {}

  bool next(Value& document) override {
    while (at_ == elements_.elements().size()) {
      if (!input_->next(source_)) return false;
      run_.tick();
      if (begin(document)) return true;
    }
    document = source_;
    set_at(document, how_.path, elements_.elements()[at_]);
    number(document, Value::int64(static_cast<std::int64_t>(at_)));
    ++at_;
    return true;
  }

 private:
  // Starts on the elements of `source_` and returns false. If there are none and such documents are
  // kept, sets `document` and returns true.
  bool begin(Value& document) {
    const Value value = value_at(source_, how_.path);
    at_ = 0;
    elements_ = value.is_array() ? value : Value::array({});
    if (!elements_.elements().empty()) return false;
    const bool is_empty = value.is_nullish() || value.is_array();
    if (is_empty && !how_.keeps_empty) return false;
    document = std::move(source_);
    if (value.is_array()) remove_at(document, how_.path);
    number(document, Value::null());
    return true;
  }

  void number(Value& document, Value index) const {
    if (!how_.index.empty()) set_at(document, how_.index, std::move(index));
  }

  StreamPtr input_;
  Run& run_;
  const Unwinding& how_;
  Value source_;
  Value elements_ = Value::array({});  // shared with `source_`
  std::size_t at_ = 0;
};

class UnwindStage final : public Stage {
 public:
  explicit UnwindStage(Unwinding how) : how_(std::move(how)) {}
  std::string_view name() const override { return "$unwind"; }
  StreamPtr open(StreamPtr input, Run& run, const Array&) const override {
    return std::make_unique<UnwindStream>(std::move(input), run, how_);
  }
  bool add_paths(std::set<std::string>& paths) const override {
    paths.insert(dotted(how_.path));
    return true;
  }
  bool passes_others() const override { return true; }

 private:
  Unwinding how_;
};

}  // namespace

StagePtr parse_unwind(std::string_view name, const Value& spec, Reading&) {
  if (spec.is_string()) {
    return std::make_unique<UnwindStage>(
        Unwinding{parse_field_reference(name, "the path", spec.text()), {}, false});
  }
  const Options options(name, spec, {"path", "includeArrayIndex", "preserveNullAndEmptyArrays"});
  Unwinding how;
  how.path = parse_field_reference(name, "'path'", options.text("path"));
  how.keeps_empty = options.flag("preserveNullAndEmptyArrays");
  if (options.has("includeArrayIndex")) {
    how.index = parse_path(name, "'includeArrayIndex'", options.text("includeArrayIndex"));
  }
  return std::make_unique<UnwindStage>(std::move(how));
}

}  // namespace gantry::data::pipeline
