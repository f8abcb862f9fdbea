// $regexMatch, $regexFind and $regexFindAll. A pattern that does not depend on the document is
// compiled once, during parsing.
#include <algorithm>
#include <optional>

#include "errors/query_error.hpp"
#include "expr/named_operands.hpp"
#include "expr/nodes.hpp"
#include "expr/text.hpp"
#include "values/pattern.hpp"
#include "values/utf8.hpp"

namespace gantry::data::expr {
namespace {

enum RegexOperand : std::size_t { kInput, kRegex, kOptions, kOperands };
constexpr std::string_view kNames[] = {"input", "regex", "options"};

// False for null and missing; refuses values other than strings.
bool is_given(std::string_view op, RegexOperand operand, const Value& value) {
  if (value.is_nullish()) return false;
  if (value.is_string()) return true;
  refuse_type(std::string(op).append("'s ").append(kNames[operand]), "a string", value);
}

// Empty if there is no regex.
std::optional<Pattern> compile(std::string_view op, const Value& regex, const Value& options) {
  const bool has_options = is_given(op, kOptions, options);
  if (!is_given(op, kRegex, regex)) return std::nullopt;
  const std::string owner = " of " + std::string(op);
  return std::optional<Pattern>(
      std::in_place, regex.text(), has_options ? options.text() : std::string_view(),
      Pattern::Names{"The regex" + owner, "The options" + owner}, Pattern::Subject::utf8);
}

// A text and the position up to which it was searched.
struct Progress {
  std::string_view text;
  std::size_t byte = 0;
  std::int64_t character = 0;

  void go_to(std::size_t to) {
    character += static_cast<std::int64_t>(count_characters(text.substr(byte, to - byte)));
    byte = to;
  }
};

Value captures_of(const PatternSearch& search, std::string_view text) {
  Array captures;
  for (std::size_t i = 1; i <= search.groups(); ++i) {
    const auto [begin, end] = search.group(i);
    captures.push_back(begin == PatternSearch::kNone
                           ? Value::null()
                           : Value::string(std::string(text.substr(begin, end - begin))));
  }
  return Value::array(std::move(captures));
}

// {match, idx, captures} of the next match, or null; advances `progress` to its start.
Value next_match(PatternSearch& search, Progress& progress) {
  if (!search.find(progress.byte)) return Value::null();
  const auto [begin, end] = search.group(0);
  progress.go_to(begin);
  return ObjectBuilder()
      .add("match", Value::string(std::string(progress.text.substr(begin, end - begin))))
      .add("idx", Value::integer(progress.character))
      .add("captures", captures_of(search, progress.text))
      .build();
}

Value match(const Pattern& pattern, std::string_view text, Context&) {
  return Value::boolean(pattern.found_in(text));
}

Value find(const Pattern& pattern, std::string_view text, Context&) {
  PatternSearch search(pattern, text);
  Progress progress{text};
  return next_match(search, progress);
}

Value find_all(const Pattern& pattern, std::string_view text, Context& context) {
  PatternSearch search(pattern, text);
  Progress progress{text};
  Array matches;
  do {
    context.step();
    Value found = next_match(search, progress);
    if (found.is_nullish()) break;
    const std::size_t end = search.group(0).end;
    matches.push_back(std::move(found));
    // An empty match would be found again at the same position.
    if (end > progress.byte) {
      progress.go_to(end);
    } else if (end < text.size()) {
      progress.go_to(next_character(text, end));
    }
  } while (progress.byte < text.size());
  return Value::array(std::move(matches));
}

struct Operation {
  std::string_view name;
  Value (*run)(const Pattern& pattern, std::string_view text, Context& context);
  Value (*none)();  // the result without an input or a regex
};
constexpr Operation kOperations[] = {
    {"$regexMatch", match, [] { return Value::boolean(false); }},
    {"$regexFind", find, [] { return Value::null(); }},
    {"$regexFindAll", find_all, [] { return Value::array({}); }},
};

class RegexExpression final : public Expression {
 public:
  RegexExpression(const Operation& operation, std::vector<ExpressionPtr> operands)
      : operation_(operation), operands_(std::move(operands)) {
    const bool is_fixed = operands_[kRegex]->constant() != nullptr &&
                          (!operands_[kOptions] || operands_[kOptions]->constant() != nullptr);
    if (!is_fixed) return;
    Context nothing;
    fixed_ = compile(nothing);
  }

  Value evaluate(Context& context) const override {
    if (fixed_) return answer(*fixed_, context);
    return answer(compile(context), context);
  }
  void add_paths(std::set<std::string>& paths) const override { add_all_paths(operands_, paths); }
  const std::vector<ExpressionPtr>& operands() const { return operands_; }

 private:
  std::optional<Pattern> compile(Context& context) const {
    const Value regex = operands_[kRegex]->evaluate(context);
    const Value options = operands_[kOptions] ? operands_[kOptions]->evaluate(context) : Value();
    return expr::compile(operation_.name, regex, options);
  }

  Value answer(const std::optional<Pattern>& pattern, Context& context) const {
    const Value input = operands_[kInput]->evaluate(context);
    if (!is_given(operation_.name, kInput, input) || !pattern) return operation_.none();
    if (!is_utf8(input.text())) {
      throw QueryError(std::string(operation_.name) + "'s input needs to be UTF-8 text.");
    }
    return in_name_of(operation_.name,
                      [&] { return operation_.run(*pattern, input.text(), context); });
  }

  const Operation& operation_;
  std::vector<ExpressionPtr> operands_;
  std::optional<std::optional<Pattern>> fixed_;  // compiled during parsing
};

const Operation& operation_named(std::string_view name) {
  return *std::find_if(std::begin(kOperations), std::end(kOperations),
                       [&](const Operation& operation) { return operation.name == name; });
}

ExpressionPtr parse_regex(std::string_view name, const Value& operand, Variables& variables) {
  static constexpr std::array<Parameter, kOperands> kParameters = {
      Parameter{"input", true}, Parameter{"regex", true}, Parameter{"options"}};
  const auto given = named_operands(name, operand, kParameters);
  std::vector<ExpressionPtr> operands(kOperands);
  for (std::size_t i = 0; i < kOperands; ++i) {
    if (!given[i].is_missing()) operands[i] = parse_expression(given[i], variables);
  }
  if (auto failing = take_failing(operands)) return failing;
  try {
    auto node = std::make_unique<const RegexExpression>(operation_named(name), std::move(operands));
    const auto& kept = node->operands();
    return fold(std::move(node), kept);
  } catch (const QueryError& error) {
    return failing_expression(error);
  }
}

constexpr Form kRegexForms[] = {
    {"$regexMatch", parse_regex},
    {"$regexFind", parse_regex},
    {"$regexFindAll", parse_regex},
};

}  // namespace

Family regex_family() { return {{}, {}, kRegexForms}; }

}  // namespace gantry::data::expr
