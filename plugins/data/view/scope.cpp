#include "view/scope.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "policy/class_access.hpp"

namespace gantry::data {
namespace {

// Null for the engine's reads, and for an agent without a list where there is no model.
ClassFilterPtr filter_of(const Catalog& catalog, const std::set<std::string, std::less<>>& shown,
                         const Rules& rules) {
  const bool has_rules =
      rules.agent().classes || std::any_of(catalog.classes().begin(), catalog.classes().end(),
                                           [](const ClassInfo& cls) { return bool(cls.rules); });
  if (!has_rules || rules.is_of_engine()) return nullptr;
  return std::make_shared<const ClassFilter>(std::vector<std::string>(shown.begin(), shown.end()),
                                             std::vector<std::string>());
}

RowCondition no_row() { return {{"0", {}}}; }

// Of a view without a description the agent sees all tables that it reads, and all their rows.
bool has_rules(const ClassView& view) {
  return view.has_row_rules || view.permitted || !view.canonical.empty() ||
         (view.is_view() && view.model != nullptr);
}

}  // namespace

// The views made so far. A class has one for each operation, with and without its canonical filter,
// for its declaration and for what sampling found.
class Scope::Views {
 public:
  Views(const CatalogPtr& catalog, const Rules& rules, const RowCompiler* compiler)
      : names_(shown_classes(*catalog, rules)),
        shown_(filter_of(*catalog, names_, rules)),
        compiler_(compiler) {
    if (!rules.is_of_engine()) engine_ = std::make_unique<Scope>(catalog, Rules::of_engine());
  }

  const Scope* engine() const { return engine_.get(); }
  bool shows(std::string_view name) const { return names_.count(name) > 0; }
  const ClassFilterPtr& shown() const { return shown_; }

  const ClassView* of(const ClassInfo& cls, const Scope& scope, const RowRules& rows) {
    const std::tuple key{&cls, scope.op_, scope.is_canonical_};
    {
      const std::lock_guard lock(mutex_);
      const auto known = views_.find(key);
      if (known != views_.end()) return known->second.get();
    }
    auto view = made(cls, scope, rows);  // may read rows of other classes
    const std::lock_guard lock(mutex_);
    return views_.try_emplace(key, std::move(view)).first->second.get();
  }

 private:
  std::unique_ptr<const ClassView> made(const ClassInfo& cls, const Scope& scope,
                                        const RowRules& rows) const {
    auto view = std::make_unique<ClassView>(
        cls, Opening{*scope.catalog_, *scope.rules_, shown_, rows, scope.op_});
    const bool has_canonical = engine_ && cls.rules && !cls.rules->canonical_filter.empty();
    const bool is_refused = rows.refusal != RowRules::Refusal::none;
    const ClassView* const whole =
        is_refused || compiler_ == nullptr || !engine_ ? nullptr : whole_of(cls);
    if (rows.any()) {
      RowCondition condition =
          whole == nullptr ? no_row() : compiler_->boundary(rows, *whole, *engine_);
      view->boundary = std::move(condition.sql);
      view->is_deterministic = condition.is_deterministic;
    }
    if (has_canonical && scope.is_canonical_) {
      RowCondition condition =
          whole == nullptr ? no_row()
                           : compiler_->canonical(cls.rules->canonical_filter, *whole, *engine_);
      view->canonical = std::move(condition.sql);
      view->is_deterministic = view->is_deterministic && condition.is_deterministic;
    }
    return view;
  }

  const ClassView* whole_of(const ClassInfo& cls) const {
    return engine_->views_->of(cls, *engine_, {});
  }

  const std::set<std::string, std::less<>> names_;
  const ClassFilterPtr shown_;
  const RowCompiler* const compiler_;
  std::unique_ptr<const Scope> engine_;  // null: the scope is the engine's own
  std::mutex mutex_;
  std::map<std::tuple<const ClassInfo*, ClassOp, bool>, std::unique_ptr<const ClassView>> views_;
};

Scope::Scope(CatalogPtr catalog, RulesPtr rules, const RowCompiler* compiler)
    : catalog_(std::move(catalog)),
      rules_(rules ? std::move(rules) : std::make_shared<const Rules>()),
      views_(std::make_shared<Views>(catalog_, *rules_, compiler)) {}

// `declared` with the kinds that a sample tells, or itself: a view that is kept must not lack the
// kinds of its pointers' keys because these could not be read this time.
const ClassInfo* Scope::sampled(const ClassInfo& declared, bool& is_sampled) const {
  const ClassInfo* const cls = catalog_->find(declared.name, &is_sampled);
  for (const Field& field : cls->fields) {
    if (!is_sampled) return &declared;
    if (field.kind != Kind::pointer || field.date_form == DateForm::none) continue;
    const ClassInfo* const target = catalog_->declared(field.target_class);
    if (target == nullptr || row_rules(*target, *rules_, op_).any()) continue;
    (void)catalog_->find(target->name, &is_sampled);
  }
  return is_sampled ? cls : &declared;
}

const ClassView* Scope::open(std::string_view name) const {
  const ClassInfo* cls = catalog_->declared(name);
  if (cls == nullptr || !views_->shows(name)) return nullptr;
  const RowRules rows = row_rules(*cls, *rules_, op_);
  bool is_sampled = true;
  if (!rows.any()) cls = sampled(*cls, is_sampled);
  const ClassView* const view = views_->of(*cls, *this, rows);
  if (view->is_view() || !is_sampled || !view->is_deterministic) lose_determinism();
  if (notes_ != nullptr && has_rules(*view)) notes_->opened_rules = true;
  return view;
}

std::string_view Scope::hiding_layer(std::string_view name) const {
  const ClassInfo* const cls = catalog_->declared(name);
  if (cls == nullptr) return "absent";
  if (views_->shows(name)) return {};
  if (!rules_->lists_class(name)) return "class_filter";
  return is_shown_by_itself(*catalog_, *rules_, name) ? "view_of_ruled" : "hidden";
}

Scope Scope::for_op(ClassOp op) const {
  Scope scope = *this;
  scope.op_ = op;
  return scope;
}

Scope Scope::with_canonical(bool applies) const {
  Scope scope = *this;
  scope.is_canonical_ = applies;
  return scope;
}

Scope Scope::of_request(RequestNotes& notes) const {
  Scope scope = *this;
  scope.notes_ = &notes;
  return scope;
}

std::vector<const ClassView*> Scope::classes() const {
  std::vector<const ClassView*> classes;
  for (const ClassInfo& cls : catalog_->classes()) {
    if (!views_->shows(cls.name)) continue;
    classes.push_back(views_->of(cls, *this, row_rules(cls, *rules_, op_)));
  }
  return classes;
}

const Scope& Scope::engine() const {
  const Scope* const engine = views_->engine();
  return engine == nullptr ? *this : *engine;
}

const ClassFilterPtr& Scope::shown() const { return views_->shown(); }

std::shared_ptr<const void> Scope::declared() const { return {catalog_, &catalog_->classes()}; }

std::int64_t Scope::schema_version() const { return catalog_->schema_version(); }

std::string Scope::fingerprint() const {
  return std::to_string(static_cast<int>(op_)) + (is_canonical_ ? "c" : "-") +
         rules_->fingerprint() + '\0';
}

Scope RecentScopes::of(const CatalogPtr& catalog, const RulesPtr& rules,
                       const RowCompiler* compiler) {
  static const std::string kNone;
  const std::string& fingerprint = rules ? rules->fingerprint() : kNone;
  const std::lock_guard lock(mutex_);
  if (catalog_ != catalog) scopes_.clear();
  catalog_ = catalog;
  if (const Scope* const known = scopes_.find(fingerprint)) return *known;
  return scopes_.put(fingerprint, Scope(catalog, rules, compiler));
}

}  // namespace gantry::data
