// $sort. With a bound, only the first documents are kept while the input is read.
#include <algorithm>

#include "pipeline/sort_key.hpp"
#include "pipeline/stages.hpp"
#include "pipeline/streams.hpp"
#include "values/sorting.hpp"

namespace gantry::data::pipeline {
namespace {

struct SortEntry {
  SortKey key;
  Value document;
};
using Entries = std::vector<SortEntry, Metered<SortEntry>>;

class SortStream final : public Stream {
 public:
  SortStream(StreamPtr input, Run& run, const SortOrder& order, std::uint64_t most)
      : input_(std::move(input)), run_(run), order_(order), most_(most) {}

  bool next(Value& document) override {
    if (input_) keeping("$sort", [this] { gather(); });
    if (at_ == entries_.size()) return false;
    document = std::move(entries_[at_++].document);
    return true;
  }

 private:
  void gather() {
    Value document;
    while (input_->next(document)) {
      run_.tick();
      add(std::move(document));
    }
    input_.reset();
    order(entries_);
    cut();
  }

  void add(Value document) {
    SortKey key = order_.key_of(document);
    order_.draw(key, run_.random);
    if (is_beyond(key)) return;
    entries_.push_back({std::move(key), std::move(document)});
    if (most_ < kNoBound / 2 && entries_.size() >= 2 * most_ + 64) {
      order(entries_);
      cut();
      is_full_ = entries_.size() == most_;
    }
  }

  // Whether enough documents certainly precede it: after a cut the last kept key is the bound.
  bool is_beyond(const SortKey& key) const {
    return is_full_ && order_.compare(key, entries_[most_ - 1].key) >= 0;
  }

  void order(Entries& entries) const {
    sort_stably(entries, [&](const SortEntry& a, const SortEntry& b) {
      return order_.compare(a.key, b.key) < 0;
    });
  }

  void cut() {
    while (entries_.size() > most_) entries_.pop_back();
  }

  StreamPtr input_;
  Run& run_;
  const SortOrder& order_;
  std::uint64_t most_;
  Entries entries_;
  bool is_full_ = false;
  std::size_t at_ = 0;
};

class SortStage final : public Stage {
 public:
  SortStage(SortOrder order, std::uint64_t most) : order_(std::move(order)), most_(most) {}
  std::string_view name() const override { return "$sort"; }
  StreamPtr open(StreamPtr input, Run& run, const Array&) const override {
    if (order_.empty()) return input;
    return std::make_unique<SortStream>(std::move(input), run, order_, most_);
  }
  bool add_paths(std::set<std::string>& paths) const override {
    order_.add_paths(paths);
    return true;
  }
  bool passes_others() const override { return true; }

 private:
  SortOrder order_;
  std::uint64_t most_;
};

}  // namespace

StagePtr parse_sort_bounded(const Value& spec, std::uint64_t most) {
  return std::make_unique<SortStage>(SortOrder("$sort", spec), most);
}

StagePtr parse_sort(std::string_view, const Value& spec, Reading&) {
  return parse_sort_bounded(spec, kNoBound);
}

}  // namespace gantry::data::pipeline
