// store/store.hpp: a database as the engine reads it. The folders above know no more of a store;
// store/sqlite implements it.
//
// Statuses that are errors: GANTRY_TIMED_OUT and GANTRY_CANCELLED, the budget's; GANTRY_BUSY, the
// database is locked by another program; GANTRY_TOO_BIG, a value beyond kMostValueBytes;
// GANTRY_DENIED and GANTRY_FAILED, the database's. Their messages are for the operator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

#include "sql/dialect.hpp"
#include "store/caller_statement.hpp"
#include "store/editor.hpp"
#include "values/budget.hpp"
#include "values/fragment.hpp"
#include "values/stored_value.hpp"

namespace gantry::data {

class Catalog;  // the engine opens its classes through a Scope, see view/scope.hpp
using CatalogPtr = std::shared_ptr<const Catalog>;

namespace model {
class Source;
}

// A larger text or BLOB is not read: the statement ends with GANTRY_TOO_BIG.
inline constexpr std::size_t kMostValueBytes = std::size_t{64} << 20U;
// The limit of a value in a statement whose text comes from a caller.
inline constexpr std::size_t kMostCallerValueBytes = std::size_t{8} << 20U;
// The limit of the columns of one statement.
inline constexpr std::size_t kMostColumns = 2000;

// One run of a statement.
//
//   while (cursor->next()) … cursor->row() …
//   if (!cursor->status()) return cursor->status();
//
// One thread. It must be destroyed before its lease.
class Cursor {
 public:
  virtual ~Cursor() = default;

  // True: there is a row. False: the end, or an error that status() returns. At the end it looks
  // whether another program changed the database meanwhile, as Lease::confirm() does.
  virtual bool next() = 0;
  // The same without that look, for a statement that runs many times.
  virtual bool step() = 0;
  // The current row; valid, with its bytes, until the next call of another function.
  virtual Row row() = 0;
  virtual const Status& status() const = 0;
  // Begins another run with other values for the statement's parameters.
  virtual Status restart(const std::vector<Bind>& values) = 0;
};
using CursorPtr = std::unique_ptr<Cursor>;

// One step of the database's plan for a statement.
struct PlanStep {
  std::string text;                // in the database's words, for the operator
  std::string text_without_index;  // the same where the index may not be named
  std::string cls;                 // the class whose rows it reads; empty: none
  bool scans = false;              // reads every row
  bool searches = false;           // finds rows by a key or an index
  bool skips = false;              // searches once for each value of the index's first column
  bool sorts = false;              // sorts all rows before it returns the first
  std::string index;               // the index's SQL name; empty: none, or the primary key
  bool by_key = false;             // uses the primary key
  std::size_t equals = 0;          // number of columns compared for equality
  bool is_range = false;
};

// A caller's text that Store::judge() has let pass, with the sub-queries for its classes.
struct CallerStatement {
  Fragment sql;
  std::vector<Fragment> bodies;  // the sub-queries, each as a statement
  // StatementShape::is_simple: it makes no value larger than those stored, and its conditions may
  // meet rows that the agent does not see, so that no size may fail that fails nowhere else.
  bool is_simple = false;
};

// A connection, for one thread at a time, working under the budget it was leased with. Never hold
// one while writing to a socket or calling a plugin.
class Lease {
 public:
  virtual ~Lease() = default;

  // The statement has not run yet. An error in the text is the fault of the code that made it.
  virtual Result<CursorPtr> prepare(const Fragment& statement) = 0;
  // The same for a statement that holds a caller's text. From now on the lease also limits the
  // memory that the database takes and, but for simple statements, the size of values,
  // kMostCallerValueBytes: beyond them the statement ends with GANTRY_INVALID_ARGUMENT.
  virtual Result<CursorPtr> prepare_for_caller(const CallerStatement& statement) = 0;
  // The plan of a statement that reads the class `asked`, without running it.
  virtual Result<std::vector<PlanStep>> explain(const Fragment& statement, const Catalog& catalog,
                                                std::string_view asked) = 0;
  // Call after the last row if statements ended before their end: fails when another program
  // changed the database during the reads.
  virtual Status confirm() const = 0;
};
using LeasePtr = std::unique_ptr<Lease>;

struct StoreOptions {
  std::size_t connections = 0;                // read connections; 0: the store's choice
  std::shared_ptr<model::Source> model = {};  // used by one store only; null: none
  // Classes of the type built_in, beside those whose names begin with '_'; exact.
  std::vector<std::string> built_in = {};
  EditRights rights = {};  // what begin_edit() may change
};

// What a store does for this server, as it was opened.
struct Capabilities {
  EditRights edits = {};  // what begin_edit() may change
};

// Any thread. Leases, cursors and catalogs may outlive it.
class Store {
 public:
  virtual ~Store() = default;

  virtual Capabilities can() const = 0;

  // What its SQL can say of a column's values.
  virtual const Dialect& dialect() const = 0;

  // The catalog of the current schema: a few microseconds when nothing changed. Call it once per
  // request and keep the result; a request continues with its catalog when the schema changes.
  virtual Result<CatalogPtr> catalog(const Budget& budget) = 0;

  // The catalog and counters. `commits` increases when anything may have been committed;
  // `generation` when connections had to be reopened, after which a failed read may succeed;
  // `version` when either of them or the catalog changed. Two results with the same version saw the
  // same rows and catalog. `schema` is that of the catalog. `models` counts the models that came
  // into force.
  struct Now {
    CatalogPtr catalog;
    std::int64_t schema = 0;
    std::uint64_t commits = 0;
    std::uint64_t generation = 0;
    std::uint64_t version = 0;
    std::uint64_t models = 0;
  };
  virtual Result<Now> now(const Budget& budget) = 0;
  // The result of the last now(), without another look if it was less than a second ago: for a
  // transaction, which finds out itself if its schema is another one.
  virtual Result<Now> recent(const Budget& budget) = 0;
  // Like now(), for periodic polling: opens no connection after rest() while nothing shows a
  // commit. It may see a commit later than now() does.
  virtual Result<Now> glance(const Budget& budget) = 0;
  // Call after a time without requests: closes idle connections that hinder writers.
  virtual void rest() = 0;
  // `commits` of the last now() or glance(), without another look.
  virtual std::uint64_t commits_seen() const = 0;

  // Waits for a free connection within the budget.
  virtual Result<LeasePtr> lease(Budget budget) = 0;
  // The same for a request that has just called catalog() or now(): reads that state or a later
  // one.
  virtual Result<LeasePtr> lease_as_seen(Budget budget) = 0;

  // Begins a transaction that may change what the options allow, under the budget. Waits for other
  // transactions of this store within the budget, and for other programs' locks. Errors: see
  // store/editor.hpp; internal_error if nothing is allowed.
  virtual Outcome<EditPtr> begin_edit(const Budget& budget) = 0;

  // Whether a caller's own statement may run; see store/caller_statement.hpp. Runs nothing.
  virtual Result<StatementVerdict> judge(std::string_view sql, const ClassLookup& lookup) const = 0;
  // The text of a statement that passed, as this store runs it.
  virtual std::string runnable(std::string_view sql) const = 0;

  // How messages name the database: a file's path, for example. It is no secret from the operator,
  // but callers do not see it.
  virtual const std::string& name() const = 0;
};
using StorePtr = std::unique_ptr<Store>;

// The only place that looks at the scheme: "sqlite:PATH" and a bare path. Errors are sentences for
// the operator: GANTRY_INVALID_ARGUMENT for another scheme, and those of the store.
Result<StorePtr> open_store(std::string_view url, StoreOptions options = {});

}  // namespace gantry::data
