// $redact: an expression decides for a document, and for nested documents, which parts are kept.
#include "pipeline/spec.hpp"
#include "pipeline/stages.hpp"
#include "pipeline/streams.hpp"

namespace gantry::data::pipeline {
namespace {

// The values of $$DESCEND, $$PRUNE and $$KEEP. They are recognised by the address of their text, so
// that a stored text cannot be mistaken for one.
class Verdicts {
 public:
  enum Verdict { descend, prune, keep };
  static constexpr std::string_view kNames[] = {"DESCEND", "PRUNE", "KEEP"};

  Verdicts() : values_{Value::string("descend"), Value::string("prune"), Value::string("keep")} {}
  const Value& operator[](std::size_t verdict) const { return values_[verdict]; }
  Verdict of(const Value& result) const {
    for (const Verdict verdict : {descend, prune, keep}) {
      if (result.is_string() && result.text().data() == values_[verdict].text().data()) {
        return verdict;
      }
    }
    refuse("$redact",
           "the expression must come to $$DESCEND, $$PRUNE or $$KEEP, but for one document it is " +
               kind_of(result));
  }

 private:
  Value values_[3];
};

struct Redaction {
  expr::ExpressionPtr decide;
  std::size_t slots[3];
  Verdicts verdicts;
};

class RedactStream final : public Stream {
 public:
  RedactStream(StreamPtr input, expr::Context context, const Redaction& how)
      : input_(std::move(input)), context_(std::move(context)), how_(how) {
    for (std::size_t i = 0; i < 3; ++i) context_.slots[how.slots[i]] = how.verdicts[i];
  }

  bool next(Value& document) override {
    while (input_->next(document)) {
      context_.step();
      context_.root = document;
      document = shown(document);
      if (!document.is_missing()) return true;
    }
    return false;
  }

 private:
  Value shown(const Value& object) {
    context_.step();
    context_.current = object;
    switch (how_.verdicts.of(how_.decide->evaluate(context_))) {
      case Verdicts::keep:
        return object;
      case Verdicts::prune:
        return Value();
      case Verdicts::descend:
        break;
    }
    ObjectBuilder result;
    for (const Member& member : object.members()) result.add(member.name, inside(member.value));
    return result.build();
  }

  Value inside(const Value& value) {
    if (value.is_object()) return shown(value);
    if (!value.is_array()) return value;
    Array result;
    for (const Value& element : value.elements()) {
      Value left = inside(element);
      if (!left.is_missing()) result.push_back(std::move(left));
    }
    return Value::array(std::move(result));
  }

  StreamPtr input_;
  expr::Context context_;
  const Redaction& how_;
};

class RedactStage final : public Stage {
 public:
  explicit RedactStage(Redaction how) : how_(std::move(how)) {}
  std::string_view name() const override { return "$redact"; }
  StreamPtr open(StreamPtr input, Run& run, const Array& slots) const override {
    return std::make_unique<RedactStream>(std::move(input), make_context(run, slots), how_);
  }
  // The expression is evaluated for every nested object, so its paths may begin at any of them.
  bool add_paths(std::set<std::string>& paths) const override {
    how_.decide->add_paths(paths);
    return false;
  }
  bool passes_others() const override { return true; }

 private:
  Redaction how_;
};

}  // namespace

StagePtr parse_redact(std::string_view, const Value& spec, Reading& reading) {
  Redaction how;
  for (std::size_t i = 0; i < 3; ++i) how.slots[i] = reading.variables.define(Verdicts::kNames[i]);
  how.decide = expr::parse_expression(spec, reading.variables);
  for (const std::string_view name : Verdicts::kNames) reading.variables.take_back(name);
  return std::make_unique<RedactStage>(std::move(how));
}

}  // namespace gantry::data::pipeline
