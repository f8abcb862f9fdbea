// $limit and $skip.
#include "pipeline/spec.hpp"
#include "pipeline/stages.hpp"

namespace gantry::data::pipeline {
namespace {

class LimitStream final : public Stream {
 public:
  LimitStream(StreamPtr input, std::uint64_t left) : input_(std::move(input)), left_(left) {}
  bool next(Value& document) override {
    if (left_ == 0 || !input_->next(document)) return false;
    --left_;
    return true;
  }

 private:
  StreamPtr input_;
  std::uint64_t left_;
};

class SkipStream final : public Stream {
 public:
  SkipStream(StreamPtr input, Run& run, std::uint64_t left)
      : input_(std::move(input)), run_(run), left_(left) {}
  bool next(Value& document) override {
    for (; left_ > 0; --left_) {
      if (!input_->next(document)) return false;
      run_.tick();
    }
    return input_->next(document);
  }

 private:
  StreamPtr input_;
  Run& run_;
  std::uint64_t left_;
};

class CountedStage final : public Stage {
 public:
  CountedStage(bool is_limit, std::uint64_t count) : is_limit_(is_limit), count_(count) {}
  std::string_view name() const override { return is_limit_ ? "$limit" : "$skip"; }
  StreamPtr open(StreamPtr input, Run& run, const Array&) const override {
    if (is_limit_) return std::make_unique<LimitStream>(std::move(input), count_);
    return std::make_unique<SkipStream>(std::move(input), run, count_);
  }
  bool add_paths(std::set<std::string>&) const override { return true; }
  bool passes_others() const override { return true; }

 private:
  bool is_limit_;
  std::uint64_t count_;
};

}  // namespace

std::uint64_t read_limit(const Value& spec) {
  const std::int64_t count = whole_number("$limit", "the number of documents", spec);
  if (count <= 0) refuse("$limit", "the number of documents must be 1 or more");
  return static_cast<std::uint64_t>(count);
}

std::uint64_t read_skip(const Value& spec) {
  const std::int64_t count = whole_number("$skip", "the number of documents", spec);
  if (count < 0) refuse("$skip", "the number of documents must not be negative");
  return static_cast<std::uint64_t>(count);
}

StagePtr parse_limit(std::string_view, const Value& spec, Reading&) {
  return std::make_unique<CountedStage>(true, read_limit(spec));
}

StagePtr parse_skip(std::string_view, const Value& spec, Reading&) {
  return std::make_unique<CountedStage>(false, read_skip(spec));
}

}  // namespace gantry::data::pipeline
