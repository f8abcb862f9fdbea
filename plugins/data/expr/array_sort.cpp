// $sortArray: sorts elements as a whole or by fields.
#include <algorithm>
#include <string>
#include <utility>

#include "expr/array_forms.hpp"
#include "expr/named_operands.hpp"
#include "expr/nodes.hpp"
#include "values/sorting.hpp"

namespace gantry::data::expr {
namespace {

const Value& nothing() {
  static const Value kMissing;
  return kMissing;
}

// The field `path` of an object: the whole text as a name first, then part by part. A number is an
// array index; arrays are not traversed otherwise.
const Value& field_at(const Value& value, std::string_view path);

const Value& part_at(const Value& value, std::string_view name) {
  if (value.is_object()) return value.find(name);
  if (!value.is_array() || name.empty() || name.size() > 9) return nothing();
  std::size_t place = 0;
  for (const char c : name) {
    if (c < '0' || c > '9') return nothing();
    place = place * 10 + static_cast<std::size_t>(c - '0');
  }
  return place < value.elements().size() ? value.elements()[place] : nothing();
}

const Value& field_at(const Value& value, std::string_view path) {
  const Value& whole = part_at(value, path);
  const std::size_t dot = path.find('.');
  if (!whole.is_missing() || dot == std::string_view::npos) return whole;
  return field_at(part_at(value, path.substr(0, dot)), path.substr(dot + 1));
}

struct Key {
  std::string path;  // "" for the whole element
  bool descending;
};

int compare_by(const Key& key, const Value& a, const Value& b) {
  if (key.path.empty()) return compare(a, b);
  const Value& left = a.is_object() ? field_at(a, key.path) : nothing();
  const Value& right = b.is_object() ? field_at(b, key.path) : nothing();
  return compare_sorted(left, right);
}

class SortArray final : public Expression {
 public:
  SortArray(ExpressionPtr input, std::vector<Key> keys)
      : input_(std::move(input)), keys_(std::move(keys)) {}
  Value evaluate(Context& context) const override {
    Value input = input_->evaluate(context);
    if (input.is_nullish()) return Value::null();
    require_array("$sortArray", input);
    in_name_of("$sortArray", [&] {
      sort_stably(input.own_elements(),
                  [&](const Value& a, const Value& b) { return comes_first(a, b); });
    });
    return input;
  }
  void add_paths(std::set<std::string>& paths) const override { input_->add_paths(paths); }

 private:
  bool comes_first(const Value& a, const Value& b) const {
    for (const Key& key : keys_) {
      const int order = compare_by(key, a, b);
      if (order != 0) return (order < 0) != key.descending;
    }
    return false;
  }

  ExpressionPtr input_;
  std::vector<Key> keys_;
};

bool is_descending(const Value& direction) {
  if (direction.is_number()) {
    if (direction.number() == 1) return false;
    if (direction.number() == -1) return true;
  }
  throw QueryError("$sortArray sorts in direction 1 or -1.");
}

void check_path(std::string_view path) {
  const bool has_empty = path.empty() || path.front() == '.' || path.back() == '.' ||
                         path.find("..") != std::string_view::npos;
  if (has_empty) throw QueryError("$sortArray cannot sort by a field without a name.");
}

constexpr std::size_t kMostKeys = 32;

std::vector<Key> parse_keys(const Value& by) {
  if (by.is_number()) return {Key{"", is_descending(by)}};
  if (!by.is_object()) refuse_type("$sortArray", "1, -1 or an object of fields as sortBy", by);
  if (by.members().size() > kMostKeys) {
    throw QueryError("$sortArray takes at most 32 fields in sortBy.");
  }
  std::vector<Key> keys;
  for (const Member& member : by.members()) {
    check_path(member.name);
    keys.push_back({member.name, is_descending(member.value)});
  }
  if (keys.empty()) throw QueryError("$sortArray needs at least one field in sortBy.");
  return keys;
}

}  // namespace

ExpressionPtr parse_sort_array(std::string_view name, const Value& operand, Variables& variables) {
  static constexpr std::array kParameters = {Parameter{"input", true}, Parameter{"sortBy", true}};
  const auto parts = named_operands(name, operand, kParameters);
  std::vector<Key> keys = parse_keys(parts[1]);
  ExpressionPtr input = parse_expression(parts[0], variables);
  if (failure_of(*input) != nullptr) return input;
  const bool constant = input->constant() != nullptr;
  auto sort = std::make_unique<const SortArray>(std::move(input), std::move(keys));
  return constant ? fold(std::move(sort), {}) : std::move(sort);
}

}  // namespace gantry::data::expr
