// filter/parser.hpp: parses filters into conditions.
#pragma once

#include <span>
#include <string_view>
#include <utility>

#include "filter/condition.hpp"
#include "filter/test.hpp"

namespace gantry::data::filter {

inline constexpr int kMaxLevels = 100;
inline constexpr int kMaxOperators = 1'000;
inline constexpr std::size_t kMaxListed = 10'000;

// Throws QueryError for more than kMaxLevels.
void check_levels(int levels);

// The position of a part of the filter: some operators are not allowed everywhere.
struct Place {
  bool in_element = false;  // below $elemMatch
  bool negated = false;     // below $or, $nor, $not or $elemMatch: no $near
  Place element() const { return {true, true}; }
  Place below() const { return {in_element, true}; }
};

// The evaluator of a filter. The store also knows $text and the sub-queries $inQuery, $notInQuery,
// $select and $dontSelect.
enum class Evaluator : std::uint8_t { engine, store };

// Counts its limits over all filters that it parses: a where and its sub-queries have one parser.
class Parser {
 public:
  explicit Parser(expr::Variables& variables, Evaluator evaluator = Evaluator::engine)
      : variables_(variables), evaluator_(evaluator) {}

  // {field: …, $and: […], …}
  ConditionPtr filter(const Value& object, Place place);
  // {$gt: 1, $lt: 5}
  std::vector<Operation> operations(const Value& object, Place place);
  // The same for elements of arrays, in which the store has no part.
  Tests tests(const Value& object, Place place);

  expr::Variables& variables() { return variables_; }
  // Counts values of $in, $nin, $all and $containedBy.
  void list(std::string_view op, std::size_t values);
  // Returns true for the first $near of the filter.
  bool take_near() { return !std::exchange(has_near_, true); }
  bool knows_store_operators(Place place) const {
    return evaluator_ == Evaluator::store && !place.in_element;
  }

 private:
  friend class Level;
  ConditionPtr member(const Member& member, Place place);
  ConditionPtr field(const Member& member, Place place);
  ConditionPtr root_operator(const Member& member, Place place);
  std::optional<Operation> operation(const Member& member, const Value& all, Place place);
  void read_negated(Operation& made, Place place);
  void count_condition();

  expr::Variables& variables_;
  Evaluator evaluator_;
  int level_ = 0;
  int operators_ = 0;
  std::size_t listed_ = 0;
  bool has_near_ = false;
};

// A field operator. `all` is the object that contains it, for operators with options beside them. A
// null result: a sibling operator includes this one. No function: the parser reads it itself.
struct FieldOperator {
  std::string_view name;
  TestPtr (*parse)(std::string_view name, const Value& operand, const Value& all, Parser& parser,
                   Place place);
};
// Null if there is no operator of this name.
const FieldOperator* find_field_operator(std::string_view name);

// The operators, by file.
using ParseOperator = decltype(FieldOperator::parse);
std::span<const FieldOperator> comparison_operators();  // compare.cpp
std::span<const FieldOperator> list_operators();        // lists.cpp
std::span<const FieldOperator> element_operators();     // elements.cpp
std::span<const FieldOperator> kind_operators();        // kinds.cpp
std::span<const FieldOperator> number_operators();      // numbers.cpp
std::span<const FieldOperator> text_operators();        // texts.cpp
std::span<const FieldOperator> geo_operators();         // geo_operators.cpp
std::span<const FieldOperator> near_operators();        // near.cpp

// All of them.
std::span<const std::span<const FieldOperator>> field_operators();

// A Parse pointer, {__type: "Pointer", className, objectId}, with its members in this order; other
// values unchanged. Pointers are equal whatever the order of their members.
Value ordered_pointer(const Value& value);

// {field: operand}: equal as a whole, or an element is.
TestPtr equality_test(const Value& operand);

// $regex, whose options stand beside it in `all`.
std::shared_ptr<const Pattern> read_pattern(const Value& operand, const Value& all);
TestPtr pattern_test(std::shared_ptr<const Pattern> pattern);

}  // namespace gantry::data::filter
