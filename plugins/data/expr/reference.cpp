// "$field.path" and "$$variable.path".
#include <algorithm>
#include <array>

#include "expr/nodes.hpp"
#include "expr/path.hpp"
#include "values/ascii.hpp"

namespace gantry::data::expr {
namespace {

using Names = std::vector<std::string>;

// The start of a path. The member `slot` is used for variables only.
enum class Start { current, root, now, slot };

class Reference final : public Expression {
 public:
  Reference(Start start, std::size_t slot, Names names)
      : start_(start), slot_(slot), names_(std::move(names)) {}

  Value evaluate(Context& context) const override {
    if (start_ != Start::now) return value_at(begin(context), names_);
    return value_at(Value::date(context.now), names_);
  }

  bool is_variable(std::size_t slot) const override {
    return start_ == Start::slot && slot_ == slot && names_.empty();
  }

  void add_paths(std::set<std::string>& paths) const override {
    if (start_ != Start::current && start_ != Start::root) return;
    std::string path;
    for (const std::string& name : names_) path.append(path.empty() ? "" : ".").append(name);
    paths.insert(std::move(path));
  }

 private:
  const Value& begin(const Context& context) const {
    if (start_ == Start::slot) return context.slots[slot_];
    return start_ == Start::root ? context.root : context.current;
  }

  Start start_;
  std::size_t slot_;
  Names names_;
};

bool may_stand_in_name(char c) {
  return is_alphanumeric(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

void check_readable(std::string_view name) {
  const bool is_good = !name.empty() && name.front() != '_' && !is_digit(name.front()) &&
                       std::all_of(name.begin(), name.end(), may_stand_in_name);
  if (is_good) return;
  throw QueryError("\"$$" + std::string(name) +
                   "\" is no name of a variable; names begin with a letter and go on with letters, "
                   "digits and _. A text that begins with $ is written {$literal: …}.");
}

[[noreturn]] void refuse_variable(std::string_view name) {
  static constexpr std::array<std::string_view, 4> kUnknownHere = {"CLUSTER_TIME", "USER_ROLES",
                                                                   "SEARCH_META", "JS_SCOPE"};
  const bool is_known =
      std::find(kUnknownHere.begin(), kUnknownHere.end(), name) != kUnknownHere.end();
  throw QueryError("There is no variable $$" + std::string(name) +
                   (is_known ? " here; ROOT, CURRENT, NOW and REMOVE are."
                             : "; define it with $let or let, or use ROOT, CURRENT, NOW, REMOVE."));
}

ExpressionPtr system_variable(std::string_view name, Names names, Variables& variables) {
  if (name == "REMOVE") return constant_expression(Value());
  static constexpr std::pair<std::string_view, Start> kStarts[] = {
      {"ROOT", Start::root}, {"CURRENT", Start::current}, {"NOW", Start::now}};
  if (name == "NOW") variables.lose_determinism();
  for (const auto& [known, start] : kStarts) {
    if (known == name) return std::make_unique<Reference>(start, 0, std::move(names));
  }
  refuse_variable(name);
}

ExpressionPtr parse_variable(std::string_view text, Variables& variables) {
  const std::size_t dot = text.find('.');
  const std::string_view name = text.substr(0, dot);
  check_readable(name);
  Names names;
  if (dot != std::string_view::npos) names = split_path(text.substr(dot + 1));
  const int slot = variables.read(name);
  if (slot < 0) return system_variable(name, std::move(names), variables);
  return std::make_unique<Reference>(Start::slot, static_cast<std::size_t>(slot), std::move(names));
}

}  // namespace

ExpressionPtr parse_reference(std::string_view text, Variables& variables) {
  if (text.substr(0, 2) == "$$") return parse_variable(text.substr(2), variables);
  if (text.size() < 2) {
    throw QueryError("\"$\" alone is no field; for the text write {$literal: \"$\"}.");
  }
  Names names = split_path(text.substr(1));
  const int slot = variables.read("CURRENT");  // a $let may redefine CURRENT
  return std::make_unique<Reference>(slot < 0 ? Start::current : Start::slot,
                                     static_cast<std::size_t>(std::max(slot, 0)), std::move(names));
}

}  // namespace gantry::data::expr
