// The bounds of windows: the range of neighbours that a document's window contains.
#include <algorithm>

#include "pipeline/apply.hpp"
#include "pipeline/window/window.hpp"

namespace gantry::data::pipeline {
namespace {

constexpr std::int64_t kMostDocuments = std::int64_t{1} << 40;  // larger than any partition

std::size_t clamped(std::int64_t place, std::size_t size) {
  return static_cast<std::size_t>(std::clamp<std::int64_t>(place, 0, std::int64_t(size)));
}

}  // namespace

Window::Window(std::string_view stage, const Value& spec, const Sorting& sorting) : stage_(stage) {
  const Options options(stage, spec, {"documents", "range", "unit"});
  const bool by_documents = options.has("documents");
  const bool by_range = options.has("range");
  if (by_documents && by_range) refuse(stage, "a window has 'documents' or 'range', not both");
  if (options.has("unit") && !by_range) refuse(stage, "'unit' goes with 'range' only");
  if (options.has("unit")) unit_ = expr::unit_of(stage, options["unit"]);
  if (by_documents) {
    kind_ = Kind::documents;
    read_bounds(options["documents"], "documents");
    const bool open = lower_.at == Bound::At::unbounded && upper_.at == Bound::At::unbounded;
    if (!open && !sorting.given) refuse(stage, "a window with bounds needs a sortBy");
  } else if (by_range) {
    kind_ = Kind::range;
    read_bounds(options["range"], "range");
    if (sorting.fields != 1 || !sorting.ascending) {
      refuse(stage, "a range needs a sortBy with exactly one ascending field");
    }
  }
}

void Window::read_bounds(const Value& spec, std::string_view name) {
  if (!spec.is_array() || spec.elements().size() != 2) {
    refuse(stage_, "'" + std::string(name) + "' wants two bounds, such as [\"unbounded\", 0]");
  }
  lower_ = read_bound(spec.elements()[0]);
  upper_ = read_bound(spec.elements()[1]);
  check_order();
}

Window::Bound Window::read_bound(const Value& value) const {
  Bound bound;
  if (value.is_string() && value.text() == "unbounded") return bound;
  if (value.is_string() && value.text() == "current") {
    bound.at = Bound::At::current;
    return bound;
  }
  if (!value.is_number()) {
    refuse(stage_, "a bound is a number, \"current\" or \"unbounded\", not " + kind_of(value));
  }
  bound.at = Bound::At::offset;
  bound.offset = value;
  if (kind_ == Kind::documents || unit_) bound.steps = whole_number(stage_, "a bound", value);
  return bound;
}

void Window::check_order() const {
  if (lower_.at == Bound::At::unbounded || upper_.at == Bound::At::unbounded) return;
  const auto offset = [](const Bound& bound) {
    return bound.at == Bound::At::current ? Value::int32(0) : bound.offset;
  };
  if (compare(offset(lower_), offset(upper_)) > 0) {
    refuse(stage_, "the lower bound of a window may not exceed the upper one");
  }
}

Frame Window::frame(const Partition& partition, std::size_t i) const {
  if (kind_ == Kind::documents) return by_documents(partition.size(), i);
  if (kind_ == Kind::range) return by_range(partition, i);
  return {0, partition.size()};
}

Frame Window::by_documents(std::size_t size, std::size_t i) const {
  const auto place = [&](const Bound& bound) {
    return std::int64_t(i) + std::clamp(bound.steps, -kMostDocuments, kMostDocuments);
  };
  Frame frame{0, size};
  if (lower_.at != Bound::At::unbounded) frame.begin = clamped(place(lower_), size);
  if (upper_.at != Bound::At::unbounded) frame.end = clamped(place(upper_) + 1, size);
  frame.end = std::max(frame.begin, frame.end);
  return frame;
}

Value Window::moved(const Value& position, const Bound& bound) const {
  if (bound.at != Bound::At::offset) return position;
  if (!unit_) return apply("$add", position, bound.offset);
  return Value::date(expr::date_add(stage_, position.integer(), *unit_, bound.steps, {}));
}

Frame Window::by_range(const Partition& partition, std::size_t i) const {
  const Value& position = partition.position(i);
  if (unit_ && !position.is_date()) {
    refuse(stage_, "a range with a unit needs a date in the sortBy field of every document, not " +
                       kind_of(position));
  }
  if (!unit_ && !position.is_number()) {
    refuse(stage_,
           "a range needs a number in the sortBy field of every document, or dates and a "
           "unit, not " +
               kind_of(position));
  }
  const auto before = [](const SortKey& key, const Value& value) {
    return compare(key.front(), value) < 0;
  };
  const auto after = [](const Value& value, const SortKey& key) {
    return compare(value, key.front()) < 0;
  };
  const auto keys = partition.keys;
  Frame frame{0, partition.size()};
  if (lower_.at != Bound::At::unbounded) {
    const auto it = std::lower_bound(keys.begin(), keys.end(), moved(position, lower_), before);
    frame.begin = static_cast<std::size_t>(it - keys.begin());
  }
  if (upper_.at != Bound::At::unbounded) {
    const auto it = std::upper_bound(keys.begin(), keys.end(), moved(position, upper_), after);
    frame.end = static_cast<std::size_t>(it - keys.begin());
  }
  frame.end = std::max(frame.begin, frame.end);
  return frame;
}

}  // namespace gantry::data::pipeline
