// $densify: adds documents for the steps of a field that no document has.
#include "pipeline/densify.hpp"

#include <algorithm>
#include <map>

#include "pipeline/stages.hpp"
#include "pipeline/walk.hpp"
#include "values/sorting.hpp"

namespace gantry::data::pipeline {
namespace {

constexpr std::size_t kMostMade = 500'000;

// A document and its value of the field.
struct Placed {
  Value at;
  Value document;
};
bool comes_before(const Placed& a, const Placed& b) { return compare(a.at, b.at) < 0; }

class DensifyStream final : public Stream {
 public:
  DensifyStream(StreamPtr input, Run& run, const DensifyPlan& plan)
      : input_(std::move(input)), run_(run), plan_(plan) {}

  bool next(Value& document) override {
    if (input_) keeping("$densify", [this] { gather(); });
    if (at_ == ready_.size()) return false;
    document = std::move(ready_[at_++].document);
    return true;
  }

 private:
  using Line = std::vector<Placed, Metered<Placed>>;

  // Collects documents. Those without a value in the field are output first, unchanged.
  void gather() {
    Value document;
    while (input_->next(document)) {
      run_.tick();
      const Value at = value_at(document, plan_.field);
      if (at.is_nullish()) {
        ready_.push_back({at, document});
      } else {
        plan_.check_type(at);
        lines_[partition_of(document)].push_back({at, document});
      }
    }
    input_.reset();
    densify();
  }

  Value partition_of(const Value& document) const {
    Array values;
    for (const Path& field : plan_.partition_fields) {
      const Value& value = value_at(document, field);
      values.push_back(value.is_missing() ? Value::null() : value);
    }
    return Value::array(std::move(values));
  }

  void densify() {
    for (auto& [partition, line] : lines_) {
      sort_stably(line, comes_before);
    }
    const auto whole = whole_extent();
    if (lines_.empty() && plan_.bounds == DensifyPlan::Bounds::range &&
        plan_.partition_fields.empty()) {
      lines_.emplace(Value::array({}), Line());
    }
    // The partitions one after the other, except for "full", which is one line.
    while (!lines_.empty()) {
      Line line = std::move(lines_.extract(lines_.begin()).mapped());
      fill(line, whole);
      std::move(line.begin(), line.end(), std::back_inserter(ready_));
    }
    if (plan_.bounds == DensifyPlan::Bounds::full) {
      sort_stably(ready_, comes_before);
    }
  }

  struct Extent {
    Value first, last;
    bool with_last = true;
  };

  Extent whole_extent() const {
    if (plan_.bounds == DensifyPlan::Bounds::range) return {plan_.low, plan_.high, false};
    Extent extent;
    for (const auto& [partition, line] : lines_) {
      if (extent.first.is_missing() || compare(line.front().at, extent.first) < 0) {
        extent.first = line.front().at;
      }
      if (extent.last.is_missing() || compare(line.back().at, extent.last) > 0) {
        extent.last = line.back().at;
      }
    }
    return extent;
  }

  // Adds a document at each step that has none.
  void fill(Line& line, const Extent& whole) {
    const bool own = plan_.bounds == DensifyPlan::Bounds::partition;
    const Extent extent = own ? Extent{line.front().at, line.back().at, true} : whole;
    check_count(extent, line.size());
    const Value frame = frame_of(line);
    Line made;
    auto there = line.begin();
    Value at = extent.first;
    for (std::int64_t step = 1; is_inside(at, extent); ++step) {
      run_.tick();
      for (; there != line.end() && compare(there->at, at) < 0; ++there) run_.tick();
      if (there == line.end() || compare(there->at, at) != 0) made.push_back(make(frame, at));
      Value following = plan_.after(extent.first, step);
      if (compare(following, at) <= 0) refuse("$densify", "has a step too small for its values");
      at = std::move(following);
    }
    std::move(made.begin(), made.end(), std::back_inserter(line));
    sort_stably(line, comes_before);
  }

  // Checks the limit before the documents are made.
  void check_count(const Extent& extent, std::size_t there) const {
    if (extent.first.is_missing()) return;
    const double distance =
        plan_.unit ? static_cast<double>(expr::date_diff("$densify", extent.first.integer(),
                                                         extent.last.integer(), *plan_.unit, {}, 0))
                   : extent.last.number() - extent.first.number();
    if (distance / plan_.step.number() > static_cast<double>(kMostMade + there) + 1) refuse_many();
  }

  [[noreturn]] static void refuse_many() {
    refuse("$densify", "would make more than 500,000 documents; take larger steps or less range");
  }

  static bool is_inside(const Value& at, const Extent& extent) {
    const int place = compare(at, extent.last);
    return place < 0 || (place == 0 && extent.with_last);
  }

  // The new documents' fields of the partition.
  Value frame_of(const Line& line) const {
    Value frame = ObjectBuilder().build();
    if (line.empty()) return frame;
    for (const Path& field : plan_.partition_fields) {
      const Value& value = value_at(line.front().document, field);
      if (!value.is_missing()) set_at(frame, field, value);
    }
    return frame;
  }

  Placed make(const Value& frame, const Value& at) {
    if (++made_ > kMostMade) refuse_many();
    Value document = frame;
    set_at(document, plan_.field, at);
    return {at, std::move(document)};
  }

  StreamPtr input_;
  Run& run_;
  const DensifyPlan& plan_;
  std::map<Value, Line, ValueLess, Metered<std::pair<const Value, Line>>> lines_;
  Line ready_;
  std::size_t at_ = 0, made_ = 0;
};

class DensifyStage final : public Stage {
 public:
  explicit DensifyStage(DensifyPlan plan) : plan_(std::move(plan)) {}
  std::string_view name() const override { return "$densify"; }
  StreamPtr open(StreamPtr input, Run& run, const Array&) const override {
    return std::make_unique<DensifyStream>(std::move(input), run, plan_);
  }
  bool add_paths(std::set<std::string>& paths) const override {
    paths.insert(dotted(plan_.field));
    for (const Path& field : plan_.partition_fields) paths.insert(dotted(field));
    return true;
  }
  bool passes_others() const override { return true; }

 private:
  DensifyPlan plan_;
};

}  // namespace

StagePtr parse_densify(std::string_view name, const Value& spec, Reading&) {
  return std::make_unique<DensifyStage>(read_densify(name, spec));
}

}  // namespace gantry::data::pipeline
