#include "filter/condition.hpp"

#include <algorithm>

#include "filter/test.hpp"

namespace gantry::data::filter {

bool Condition::matches(const Value& document, expr::Context& context) const {
  const auto holds = [&](const ConditionPtr& one) { return one->matches(document, context); };
  switch (type) {
    case Type::all:
      return std::all_of(children.begin(), children.end(), holds);
    case Type::any:
      return std::any_of(children.begin(), children.end(), holds);
    case Type::none:
      return std::none_of(children.begin(), children.end(), holds);
    case Type::field:
      return std::all_of(operations.begin(), operations.end(), [&](const Operation& one) {
        return one.test != nullptr && one.test->passes(document, *path, context);
      });
    case Type::expression:
      return expression->evaluate(context).is_true();
    case Type::constant:
      return answer;
    case Type::of_store:
      break;
  }
  return false;
}

void Condition::add_paths(std::set<std::string>& paths) const {
  for (const ConditionPtr& child : children) child->add_paths(paths);
  if (path) paths.insert(path->read_path());
  if (expression) expression->add_paths(paths);
}

}  // namespace gantry::data::filter
