// $sample: a number of random documents in random order, each equally likely.
#include <cmath>
#include <limits>

#include "pipeline/spec.hpp"
#include "pipeline/stages.hpp"
#include "pipeline/streams.hpp"

namespace gantry::data::pipeline {
namespace {

class SampleStream final : public Stream {
 public:
  SampleStream(StreamPtr input, Run& run, std::uint64_t size)
      : input_(std::move(input)), run_(run), size_(size) {}

  bool next(Value& document) override {
    if (input_) keeping("$sample", [this] { gather(); });
    if (chosen_.empty()) return false;
    document = std::move(chosen_.back());
    chosen_.pop_back();
    return true;
  }

 private:
  void gather() {
    Value document;
    for (std::uint64_t seen = 0; input_->next(document); ++seen) {
      run_.tick();
      consider(std::move(document), seen);
    }
    input_.reset();
    for (std::size_t i = chosen_.size(); i > 1; --i) std::swap(chosen_[i - 1], chosen_[below(i)]);
  }

  // Reservoir sampling: document number n replaces one with probability size/n.
  void consider(Value document, std::uint64_t seen) {
    if (chosen_.size() < size_) {
      chosen_.push_back(std::move(document));
      return;
    }
    const std::uint64_t place = below(seen + 1);
    if (place >= size_) return;
    chosen_[place] = std::move(document);
  }

  std::uint64_t below(std::uint64_t count) const {
    const auto drawn = static_cast<std::uint64_t>(run_.random() * static_cast<double>(count));
    return drawn < count ? drawn : count - 1;
  }

  StreamPtr input_;
  Run& run_;
  std::uint64_t size_;
  Array chosen_;
};

class SampleStage final : public Stage {
 public:
  explicit SampleStage(std::uint64_t size) : size_(size) {}
  std::string_view name() const override { return "$sample"; }
  StreamPtr open(StreamPtr input, Run& run, const Array&) const override {
    return std::make_unique<SampleStream>(std::move(input), run, size_);
  }
  bool add_paths(std::set<std::string>&) const override { return true; }
  bool passes_others() const override { return true; }

 private:
  std::uint64_t size_;
};

// Fractions are truncated; sizes beyond 64 bits mean all documents.
std::int64_t read_size(std::string_view name, const Value& size) {
  if (!size.is_number()) refuse(name, "'size' must be a number, not " + kind_of(size));
  if (size.is_integral()) return size.integer();
  if (std::isnan(size.real())) return 0;
  if (std::fabs(size.real()) < 0x1p63) return static_cast<std::int64_t>(size.real());
  return size.real() > 0 ? std::numeric_limits<std::int64_t>::max() : -1;
}

}  // namespace

StagePtr parse_sample(std::string_view name, const Value& spec, Reading&) {
  const Options options(name, spec, {"size"});
  const std::int64_t size = read_size(name, options.require("size"));
  if (size <= 0) refuse(name, "'size' must be 1 or more");
  return std::make_unique<SampleStage>(static_cast<std::uint64_t>(size));
}

}  // namespace gantry::data::pipeline
