#include "where/evaluate.hpp"

#include <algorithm>
#include <cmath>

#include "where/path.hpp"
#include "where/stored_json.hpp"

namespace gantry::data::where {
namespace {

using Type = View::Type;

std::uint32_t type_bit(const View& view) {
  switch (view.type) {
    case Type::missing:
      return 0;
    case Type::null:
      return TypeBit::kNull;
    case Type::number:
      break;
    case Type::string:
      return TypeBit::kString;
    case Type::object:
      return TypeBit::kObject;
    case Type::array:
      return TypeBit::kArray;
    case Type::bytes:
      return TypeBit::kBytes;
    case Type::boolean:
      return TypeBit::kBoolean;
    case Type::date:
      return TypeBit::kDate;
  }
  if (view.is_real) return TypeBit::kDouble;
  const bool small = !view.is_long && view.integer >= INT32_MIN && view.integer <= INT32_MAX;
  return small ? TypeBit::kInt : TypeBit::kLong;
}

bool holds(Order order, int sign) {
  switch (order) {
    case Order::eq:
      return sign == 0;
    case Order::gt:
      return sign > 0;
    case Order::gte:
      return sign >= 0;
    case Order::lt:
      return sign < 0;
    case Order::lte:
      return sign <= 0;
  }
  return false;
}

bool is_nan(const View& view) { return view.is_real && std::isnan(view.real); }

bool remainder_is(const View& view, const Modulo& test) {
  if (view.type != Type::number) return false;
  if (!view.is_real) return view.integer % test.divisor == test.remainder;
  const double whole = std::trunc(view.real);
  if (!(whole >= -9223372036854775808.0 && whole < 9223372036854775808.0)) return false;
  return static_cast<std::int64_t>(whole) % test.divisor == test.remainder;
}

bool bits_hold(const View& view, const match::Bits& bits) {
  if (view.type == Type::bytes) return bits.hold(view.text);
  if (view.type != Type::number) return false;
  return view.is_real ? bits.hold(Value::real(view.real)) : bits.hold(view.integer);
}

// NaN equals itself; it is neither below nor above other numbers.
bool compares(const View& view, const Compare& test) {
  if (!same_bracket(view, test.value)) return false;
  if (is_nan(view) != is_nan(test.value)) return false;
  return holds(test.order, compare(view, test.value));
}

bool element_passes(const View& element, const Element& test) {
  const bool nested = element.type == Type::object || element.type == Type::array;
  return (nested || !test.of_objects) && passes(*test.node, element);
}

// Tests one value at the end of a path.
struct Judge {
  const View& view;

  bool operator()(const Compare& test) const { return compares(view, test); }
  bool operator()(const OneOf& test) const { return test.set.contains(view); }
  bool operator()(const Exists&) const { return view.type != Type::missing; }
  bool operator()(const Found& test) const {
    return view.type == Type::string && test.regex->found_in(view.text);
  }
  bool operator()(const Modulo& test) const { return remainder_is(view, test); }
  bool operator()(const HasBits& test) const { return bits_hold(view, *test.bits); }
  bool operator()(const HasType& test) const { return (type_bit(view) & test.types) != 0; }
  bool operator()(const HasSize& test) const {
    return view.type == Type::array && view.json->Size() == test.size;
  }
  bool operator()(const Element& test) const {
    if (view.type != Type::array) return false;
    const auto elements = view.json->GetArray();
    return std::any_of(elements.begin(), elements.end(), [&](const Json& element) {
      Spending::step_current();
      return element_passes(view_of(element), test);
    });
  }
  bool operator()(const Contained& test) const {
    if (view.type != Type::array) return false;
    const auto elements = view.json->GetArray();
    return std::all_of(elements.begin(), elements.end(), [&](const Json& element) {
      Spending::step_current();
      return test.set.contains(view_of(element));
    });
  }
};

bool wants_whole_arrays(const Test& test) {
  return std::holds_alternative<HasSize>(test) || std::holds_alternative<Element>(test) ||
         std::holds_alternative<Contained>(test);
}

bool leaf_passes(const Leaf& leaf, const View& root, bool inside_element) {
  const Visit visit = [&](const View& view) {
    Spending::step_current();
    return std::visit(Judge{view}, leaf.test);
  };
  const bool whole = wants_whole_arrays(leaf.test);
  if (!inside_element) return walk(root, leaf.path, whole, visit);
  if (leaf.path.empty()) return visit(root);  // the array element itself is not traversed
  if (root.type == Type::array) return walk_positions(*root.json, leaf.path, whole, visit);
  return walk(root, leaf.path, whole, visit);
}

class ColumnMatcher final : public Matcher {
 public:
  ColumnMatcher(Leaf leaf, SourcePtr source)
      : leaf_(std::move(leaf)), source_(std::move(source)), reading_(reading_of(*leaf_.column)) {}

  bool match(const StoredValue& value) const override {
    return with_stored(value, reading_,
                       [&](const View& root) { return leaf_passes(leaf_, root, false); });
  }

 private:
  Leaf leaf_;
  SourcePtr source_;
  Reading reading_;
};

}  // namespace

ValueSet::ValueSet(std::vector<View> list) : values(std::move(list)) {
  const auto less = [](const View& a, const View& b) { return compare(a, b) < 0; };
  const auto same = [](const View& a, const View& b) { return compare(a, b) == 0; };
  std::sort(values.begin(), values.end(), less);
  values.erase(std::unique(values.begin(), values.end(), same), values.end());
}

bool ValueSet::contains(const View& view) const {
  return std::binary_search(values.begin(), values.end(), view,
                            [](const View& a, const View& b) { return compare(a, b) < 0; });
}

Node Node::negated(Node child) {
  std::vector<Node> children;
  children.push_back(std::move(child));
  return group(Type::none, std::move(children));
}

bool passes(const Node& node, const View& root) {
  const auto one = [&](const Node& child) { return passes(child, root); };
  switch (node.type) {
    case Node::Type::all:
      return std::all_of(node.children.begin(), node.children.end(), one);
    case Node::Type::any:
      return std::any_of(node.children.begin(), node.children.end(), one);
    case Node::Type::none:
      return std::none_of(node.children.begin(), node.children.end(), one);
    case Node::Type::leaf:
      return leaf_passes(node.leaf(), root, true);
    case Node::Type::sql:
      break;
  }
  return false;
}

std::shared_ptr<const Matcher> make_matcher(const Leaf& leaf, const SourcePtr& source) {
  return std::make_shared<ColumnMatcher>(leaf, source);
}

}  // namespace gantry::data::where
