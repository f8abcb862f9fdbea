#include "sql/compose.hpp"

#include "sql/scalar.hpp"

namespace gantry::data {
namespace {

// Not a part of an AND any more: plain only if nothing in it is a matcher's.
Predicate single(bool has_matcher, Fragment sql) {
  return has_matcher ? Predicate{{}, std::move(sql)} : Predicate{std::move(sql), {}};
}

}  // namespace

Predicate all_of(std::vector<Predicate> parts) {
  if (parts.size() == 1) return std::move(parts.front());
  std::vector<Fragment> plain, matched;
  for (Predicate& part : parts) {
    if (!part.plain.empty()) plain.push_back(std::move(part.plain));
    if (!part.matched.empty()) matched.push_back(std::move(part.matched));
  }
  Predicate all{joined(std::move(plain), " AND ", ""), joined(std::move(matched), " AND ", "")};
  return all.is_never() ? Predicate::never() : all;
}

Predicate any_of(const std::vector<Predicate>& parts) {
  bool has_matcher = false;
  std::vector<Fragment> wholes;
  for (const Predicate& part : parts) {
    has_matcher = has_matcher || !part.matched.empty();
    wholes.push_back(part.whole());
  }
  return single(has_matcher, joined(std::move(wholes), " OR ", "0"));
}

Predicate none_of(const Predicate& part) {
  return single(!part.matched.empty(),
                std::move(Fragment{"(", {}}.add(part.whole()).add(" IS NOT TRUE)")));
}

}  // namespace gantry::data
