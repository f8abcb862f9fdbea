#include "filter/parser.hpp"

#include <array>
#include <utility>

#include "filter/refuse.hpp"

namespace gantry::data::filter {

// Counts one level of nesting during its lifetime.
class Level {
 public:
  explicit Level(Parser& parser) : parser_(parser) { check_levels(++parser_.level_); }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;
  ~Level() { --parser_.level_; }

 private:
  Parser& parser_;
};

namespace {

bool is_operator(std::string_view name) { return name.starts_with('$'); }

bool is_of_store(std::string_view name) {
  return name == "$text" || name == "$inQuery" || name == "$notInQuery" || name == "$select" ||
         name == "$dontSelect";
}

}  // namespace

void check_levels(int levels) {
  if (levels <= kMaxLevels) return;
  throw QueryError("A filter may be at most 100 conditions deep; make it flatter.");
}

bool holds_operators(const Value& object) {
  if (!object.is_object() || object.members().empty()) return false;
  const std::string& first = object.members().front().name;
  if (first.empty() || first[0] != '$') return false;
  return object.find("$ref").is_missing() || object.find("$id").is_missing();
}

ConditionPtr Parser::filter(const Value& object, Place place) {
  const Level level(*this);
  std::vector<ConditionPtr> members;
  members.reserve(object.members().size());
  for (const Member& one : object.members()) {
    if (ConditionPtr condition = member(one, place)) members.push_back(std::move(condition));
  }
  if (members.size() == 1) return std::move(members.front());
  Condition all;
  all.children = std::move(members);
  return std::make_shared<const Condition>(std::move(all));
}

ConditionPtr Parser::member(const Member& one, Place place) {
  if (!is_operator(one.name)) return field(one, place);
  count_condition();
  return root_operator(one, place);
}

ConditionPtr Parser::field(const Member& one, Place place) {
  Condition made;
  made.type = Condition::Type::field;
  made.name = one.name;
  made.operand = one.value;
  made.path.emplace(one.name);
  if (holds_operators(one.value)) {
    made.operations = operations(one.value, place);
  } else {
    count_condition();
    made.operations.push_back({{}, one.value, equality_test(one.value), nullptr, {}});
  }
  return std::make_shared<const Condition>(std::move(made));
}

std::vector<Operation> Parser::operations(const Value& object, Place place) {
  const Level level(*this);
  std::vector<Operation> made;
  made.reserve(object.members().size());
  for (const Member& one : object.members()) {
    if (auto operation = this->operation(one, object, place)) made.push_back(std::move(*operation));
  }
  return made;
}

Tests Parser::tests(const Value& object, Place place) {
  place.in_element = true;
  Tests tests;
  for (Operation& one : operations(object, place)) tests.push_back(std::move(one.test));
  return tests;
}

std::optional<Operation> Parser::operation(const Member& one, const Value& all, Place place) {
  count_condition();
  if (!is_operator(one.name)) {
    throw QueryError("A condition mixes operators and fields; write one or the other.");
  }
  Operation made{one.name, one.value, nullptr, nullptr, {}};
  if (knows_store_operators(place) && is_of_store(one.name)) return made;
  const FieldOperator* const found = find_field_operator(one.name);
  if (found == nullptr) refuse_operator(one.name, false);
  if (found->parse != nullptr) {
    made.test = found->parse(one.name, one.value, all, *this, place);
    if (made.test == nullptr) return std::nullopt;
  } else if (one.name == "$regex") {
    made.pattern = read_pattern(one.value, all);
    made.test = pattern_test(made.pattern);
  } else {
    read_negated(made, place);
  }
  return made;
}

// $not
void Parser::read_negated(Operation& made, Place place) {
  const Value& operand = made.operand;
  if (!operand.is_object()) refuse_operand(made.name, "an object of operators, {$gt: 1}", operand);
  if (operand.members().empty()) throw QueryError("$not needs at least one operator.");
  made.negated = operations(operand, place.below());
  Tests tests;
  for (const Operation& one : made.negated) {
    if (one.test == nullptr) return;  // the store evaluates all of it
    tests.push_back(one.test);
  }
  made.test = not_test(std::move(tests));
}

void Parser::count_condition() {
  if (++operators_ > kMaxOperators) {
    throw QueryError("A filter may hold at most 1,000 conditions; use $in for lists of values.");
  }
}

void Parser::list(std::string_view op, std::size_t values) {
  listed_ += values;
  if (listed_ > kMaxListed) {
    throw QueryError(std::string(op) + ": a filter may list at most 10,000 values.");
  }
}

ConditionPtr parse_condition(const Value& filter, expr::Variables& variables) {
  if (!filter.is_object()) {
    throw QueryError("A filter is an object like {field: value}, not " + a_type(filter) + ".");
  }
  return Parser(variables).filter(filter, {});
}

}  // namespace gantry::data::filter
