// view/scope.hpp: the classes that one request may see. The engine reads the catalog only through a
// scope.
//
// A scope is a version of the catalog together with the rules of an agent, for one operation
// (find, get, count, create, update or remove). Always hidden (catalog/floor.hpp): SQLite's and
// Gantry's own tables, and internal columns (password hashes, session tokens, ACL columns), which
// are neither returned nor named. Hidden from an agent: the classes that the model hides and those
// that its list leaves out. A caller cannot distinguish a hidden class from one that does not
// exist.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/lru.hpp>

#include "policy/row_rules.hpp"
#include "policy/rules.hpp"
#include "view/class_view.hpp"

namespace gantry::data {

class Catalog;
class Scope;
using CatalogPtr = std::shared_ptr<const Catalog>;

// A condition of the operator on rows.
struct RowCondition {
  Fragment sql;
  bool is_deterministic = true;  // false: it depends on the clock
};

// Writes row rules as SQL over all columns of the class: `whole` is its view in `engine`, a scope
// without rules. Throws nothing: what cannot be compiled is a condition that no row satisfies.
class RowCompiler {
 public:
  virtual ~RowCompiler() = default;
  virtual RowCondition boundary(const RowRules& rows, const ClassView& whole,
                                const Scope& engine) const = 0;
  // `filter`: JSON text.
  virtual RowCondition canonical(const std::string& filter, const ClassView& whole,
                                 const Scope& engine) const = 0;
};

// What one request found out about itself.
struct RequestNotes {
  // The answer depends on the request and the rows alone, so that it may be cached.
  bool is_deterministic = true;
  // The request opened a class with rules, or a view that the model describes: its statements and
  // plans hold what the agent may not see.
  bool opened_rules = false;
  std::string audit_note = {};  // of the answer or error, see Reply
};

// Immutable; copies share the views. Any thread.
class Scope {
 public:
  // `rules` null: those of a master without a tenant. `compiler` outlives the scope; null: no row
  // of a class with rules about rows is visible.
  explicit Scope(CatalogPtr catalog, RulesPtr rules = {}, const RowCompiler* compiler = nullptr);

  // The same scope for another operation. Of a new scope it is `find`.
  Scope for_op(ClassOp op) const;
  // The same scope with the classes' canonical filters, or without them. A new scope applies them.
  Scope with_canonical(bool applies) const;

  // The same scope for one request, on one thread. `notes` outlive the copy.
  Scope of_request(RequestNotes& notes) const;
  // Call before the request reads anything else: the clock, random numbers.
  void lose_determinism() const {
    if (notes_ != nullptr) notes_->is_deterministic = false;
  }
  // Whether open() has found rules so far; true without notes.
  bool opened_rules() const { return notes_ == nullptr || notes_->opened_rules; }

  // The class with kinds found by sampling, or null when it is absent or hidden. The view lives as
  // long as any copy of the scope. Determinism is lost if the class is a view of the database,
  // whose SQL may use the time or random numbers, and if sampling failed. Where rules decide which
  // rows the agent sees, kinds are the declared ones: a sample would tell of other rows.
  const ClassView* open(std::string_view name) const;
  // Why open() finds no class: "absent", "hidden", "view_of_ruled" (a view or full-text table that
  // the model does not rule, over a class that it hides or rules) or "class_filter"; empty: it
  // finds one. For the host's operators alone.
  std::string_view hiding_layer(std::string_view name) const;
  // All visible classes as declared, sorted by name, without sampling.
  std::vector<const ClassView*> classes() const;

  // The scope of the engine's own reads, of the same catalog. It lives as long as any copy of this.
  const Scope& engine() const;
  // Whether both open the same views, so that the address of one identifies a class in both.
  bool shares_views(const Scope& other) const { return views_ == other.views_; }
  const CatalogPtr& catalog() const { return catalog_; }
  // Its classes as declared: a catalog that was renewed for its samples alone shares them.
  std::shared_ptr<const void> declared() const;
  // Of the database's schema that the catalog describes.
  std::int64_t schema_version() const;
  const Rules& rules() const { return *rules_; }
  // The classes that the agent sees, for pointers in values; null: all that are not hidden.
  const ClassFilterPtr& shown() const;
  // Equal for two scopes of one catalog that see the same rows and fields.
  std::string fingerprint() const;

 private:
  class Views;

  const ClassInfo* sampled(const ClassInfo& declared, bool& is_sampled) const;

  CatalogPtr catalog_;
  RulesPtr rules_;
  std::shared_ptr<Views> views_;
  ClassOp op_ = ClassOp::find;
  bool is_canonical_ = true;
  RequestNotes* notes_ = nullptr;  // of the request, if there is one
};

// The scopes used lately, so that requests of one agent share the views of classes. Any thread.
class RecentScopes {
 public:
  // `rules` and `compiler` as above.
  Scope of(const CatalogPtr& catalog, const RulesPtr& rules, const RowCompiler* compiler = nullptr);

 private:
  std::mutex mutex_;
  CatalogPtr catalog_;                   // of all scopes
  Lru<std::string, Scope> scopes_{256};  // by fingerprint
};

}  // namespace gantry::data
