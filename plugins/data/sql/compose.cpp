#include "sql/compose.hpp"

#include "sql/scalar.hpp"

namespace gantry::data {
namespace {

// Not a part of an AND any more: plain only if nothing in it is a matcher's.
Predicate single(bool has_matcher, Fragment sql) {
  return has_matcher ? Predicate{{}, std::move(sql)} : Predicate{std::move(sql), {}};
}

std::vector<Fragment> filled(std::vector<Fragment> parts) {
  std::erase_if(parts, [](const Fragment& part) { return part.empty(); });
  return parts;
}

}  // namespace

Predicate all_of(const std::vector<Predicate>& parts) {
  std::vector<Fragment> plain, matched;
  for (const Predicate& part : parts) {
    plain.push_back(part.plain);
    matched.push_back(part.matched);
  }
  Predicate all{joined(filled(std::move(plain)), " AND ", ""),
                joined(filled(std::move(matched)), " AND ", "")};
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
