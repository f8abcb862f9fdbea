#include "view/scope.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "catalog/catalog.hpp"

namespace gantry::data {

// The views made so far. A class has one for its declaration and one for what sampling found.
class Scope::Views {
 public:
  const ClassView* of(const ClassInfo& cls, const Catalog& catalog, const Rules& rules) {
    const std::lock_guard lock(mutex_);
    auto& view = views_[&cls];
    if (!view) view = std::make_unique<const ClassView>(cls, catalog, rules);
    return view.get();
  }

 private:
  std::mutex mutex_;
  std::unordered_map<const ClassInfo*, std::unique_ptr<const ClassView>> views_;
};

Scope::Scope(CatalogPtr catalog, RulesPtr rules)
    : catalog_(std::move(catalog)),
      rules_(rules ? std::move(rules) : std::make_shared<const Rules>()),
      views_(std::make_shared<Views>()) {}

const ClassView* Scope::open(std::string_view name) const {
  bool is_sampled = true;
  const ClassInfo* cls = rules_->shows_class(name) ? catalog_->find(name, &is_sampled) : nullptr;
  if (cls == nullptr) return nullptr;
  if (cls->type == ClassType::view || !is_sampled) lose_determinism();
  return views_->of(*cls, *catalog_, *rules_);
}

Scope Scope::of_request(bool& is_deterministic) const {
  Scope scope = *this;
  scope.is_deterministic_ = &is_deterministic;
  return scope;
}

std::vector<const ClassView*> Scope::classes() const {
  std::vector<const ClassView*> classes;
  for (const ClassInfo& cls : catalog_->classes()) {
    if (rules_->shows_class(cls.name)) classes.push_back(views_->of(cls, *catalog_, *rules_));
  }
  return classes;
}

Scope RecentScopes::of(const CatalogPtr& catalog, const RulesPtr& rules) {
  static const std::string kNone;
  const std::string& fingerprint = rules ? rules->fingerprint() : kNone;
  const std::lock_guard lock(mutex_);
  if (!scopes_.empty() && scopes_.front().catalog() != catalog) scopes_.clear();
  const auto known = std::find_if(scopes_.begin(), scopes_.end(), [&](const Scope& scope) {
    return scope.rules().fingerprint() == fingerprint;
  });
  if (known != scopes_.end()) {
    std::rotate(known, known + 1, scopes_.end());
    return scopes_.back();
  }
  if (scopes_.size() == kMost) scopes_.erase(scopes_.begin());
  return scopes_.emplace_back(catalog, rules);
}

}  // namespace gantry::data
