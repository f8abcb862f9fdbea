#include "plan/boundary.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "filter/columns/where.hpp"
#include "filter/condition.hpp"
#include "plan/typing/typed_where.hpp"
#include "plan/typing/warnings.hpp"
#include "rows/class_reader.hpp"
#include "rows/value_reader.hpp"
#include "sql/dialect.hpp"
#include "sql/row_access.hpp"
#include "values/extended_json.hpp"
#include "values/row_matcher.hpp"
#include "values/spending.hpp"
#include "values/system_time.hpp"

namespace gantry::data {
namespace {

const char* const kNoRow = "0";

// A filter over documents.
struct ParsedFilter {
  explicit ParsedFilter(const Value& filter) {
    expr::Variables variables;
    condition = filter::parse_condition(filter, variables);
    slots = variables.slots();
    is_deterministic = variables.is_deterministic();
  }

  bool passes(const Value& document) const {
    expr::Context context;
    context.slots.resize(slots);
    context.now = system_ms();
    context.root = context.current = document;
    return condition->passes(context);
  }

  filter::ConditionPtr condition;
  std::size_t slots = 0;
  bool is_deterministic = true;
};

// What fails on a row is false for it, as a whole: nothing around it negates it.
class ClosedMatcher : public RowMatcher {
 public:
  bool match_row(std::span<const StoredValue> row) const final {
    try {
      return passes(row);
    } catch (const TimeSpent&) {
      throw;
    } catch (const std::exception&) {
      return false;
    }
  }

 private:
  virtual bool passes(std::span<const StoredValue> row) const = 0;
};

class RowFilter final : public ClosedMatcher {
 public:
  RowFilter(ValueReader reader, ParsedFilter filter)
      : reader_(std::move(reader)), filter_(std::move(filter)) {}

 private:
  bool passes(std::span<const StoredValue> row) const override {
    return filter_.passes(reader_.read(row));
  }

  ValueReader reader_;
  ParsedFilter filter_;
};

// Its first column is the stored document.
class DocumentFilter final : public ClosedMatcher {
 public:
  DocumentFilter(const ClassView& whole, RowRules rules, std::vector<ParsedFilter> filters)
      : reader_(whole, DocumentReader::Ids::shown),
        rules_(std::move(rules)),
        filters_(std::move(filters)) {}

  const std::string& columns() const { return reader_.select_list(); }

 private:
  bool passes(std::span<const StoredValue> row) const override {
    if (!row[0].is_text()) return false;
    const auto stored = read_extended(row[0].bytes, {.keep_first_duplicate = true});
    if (!stored || !stored->is_object() || !allows(*stored)) return false;
    if (filters_.empty()) return true;
    const Value document = reader_.read(row);
    return std::all_of(filters_.begin(), filters_.end(),
                       [&](const ParsedFilter& filter) { return filter.passes(document); });
  }

  // The stored document has its ACL, which no reader shows.
  bool allows(const Value& stored) const {
    const auto& owners = rules_.owner_fields;
    const bool is_owned =
        owners.empty() || std::any_of(owners.begin(), owners.end(), [&](const std::string& field) {
          return names_object(stored.find(field), rules_.user);
        });
    const bool is_of_tenant =
        rules_.tenant_field.empty() || is_text(stored.find(rules_.tenant_field), rules_.tenant);
    return is_owned && is_of_tenant &&
           (rules_.acl_field.empty() || allows_reader(stored.find(rules_.acl_field), rules_.readers,
                                                      rules_.acl_null_is_public));
  }

  DocumentReader reader_;
  RowRules rules_;
  std::vector<ParsedFilter> filters_;
};

// Operators whose evaluation may fail on a row.
bool may_fail(const Value& filter) {
  if (filter.is_array()) {
    return std::any_of(filter.elements().begin(), filter.elements().end(), may_fail);
  }
  if (!filter.is_object()) return false;
  return std::any_of(filter.members().begin(), filter.members().end(), [](const Member& one) {
    return one.name == "$expr" || one.name == "$regex" || one.name == "$jsonSchema" ||
           may_fail(one.value);
  });
}

class Conditions {
 public:
  void add(Fragment condition) {
    if (condition.empty()) return;
    if (!all_.sql.empty()) all_.sql.add(" AND ");
    all_.sql.add(condition);
  }
  void note(bool is_deterministic) {
    all_.is_deterministic = all_.is_deterministic && is_deterministic;
  }
  RowCondition take() { return std::move(all_); }

 private:
  RowCondition all_;
};

// The filter as a matcher of whole rows.
Fragment row_filter(const Value& filter, const ClassView& whole, Conditions& all) {
  ParsedFilter parsed(filter);
  all.note(parsed.is_deterministic);
  std::set<std::string> paths;
  parsed.condition->add_paths(paths);
  ValueReader reader = ValueReader::compile(whole, &paths);
  const std::vector<std::string> columns = reader.columns();
  if (columns.size() > kMostRowColumns) return {kNoRow, {}};
  Fragment sql{"gantry_match_row(", {}};
  sql.bind(std::make_shared<RowFilter>(std::move(reader), std::move(parsed)));
  for (const std::string& column : columns) sql.add(", ").add(column);
  return std::move(sql.add(")"));
}

// Tells the operator of each misfit once. After many others all are told again.
class Misfits {
 public:
  explicit Misfits(Warn warn) : warn_(std::move(warn)) {}

  void tell(const ClassView& whole, const QueryError& error) {
    constexpr std::size_t kMost = 256;
    const std::string sentence =
        "a row filter does not fit class '" + whole.name +
        "', so agents with it see none of its rows: " + error.error().message +
        " Correct the filter in the agents file or the model.";
    {
      const std::lock_guard lock(mutex_);
      if (told_.size() >= kMost) told_.clear();
      if (!told_.insert(sentence).second) return;
    }
    if (warn_) warn_(sentence);
  }

 private:
  const Warn warn_;
  std::mutex mutex_;
  std::set<std::string> told_;
};

// What filters are compiled in.
struct Engine {
  const Scope& scope;  // without rules
  const Dialect& dialect;
  Misfits& misfits;
};

// `may_lack`: fields that the class does not have are missing.
void add_filter(const Value& filter, const ClassView& whole, const Engine& engine, bool may_lack,
                Conditions& all) {
  try {
    Warnings unshown;
    const Value typed = typing::typed_where(filter, whole, engine.scope, unshown);
    RequestNotes notes;
    Predicate where = compile_where(typed, whole, engine.scope.of_request(notes), {engine.dialect});
    all.note(notes.is_deterministic);
    all.add(std::move(where.plain));
    const bool is_closed = where.matched.empty() || !may_fail(typed);
    all.add(is_closed ? std::move(where.matched) : row_filter(typed, whole, all));
  } catch (const QueryError& error) {
    if (!may_lack) engine.misfits.tell(whole, error);
    all.add(may_lack ? row_filter(filter, whole, all) : Fragment{kNoRow, {}});
  }
}

Fragment any_owner(const RowRules& rows, const ClassView& whole) {
  Fragment any{"(0", {}};
  for (const std::string& name : rows.owner_fields) {
    const FieldView* const field = whole.named(name);
    if (field != nullptr) any.add(" OR ").add(names_object(*field, rows.user));
  }
  return std::move(any.add(")"));
}

Fragment of_tenant(const RowRules& rows, const ClassView& whole) {
  const FieldView* const field = whole.named(rows.tenant_field);
  if (field == nullptr) return {kNoRow, {}};
  return equals_text(*field, rows.tenant);
}

RowCondition over_documents(const RowRules& rows, const ClassView& whole) {
  std::vector<ParsedFilter> filters;
  bool is_deterministic = true;
  for (const auto* list : {&rows.filters, &rows.defaults}) {
    for (const Value& filter : *list) {
      filters.emplace_back(filter);
      is_deterministic = is_deterministic && filters.back().is_deterministic;
    }
  }
  auto matcher = std::make_shared<DocumentFilter>(whole, rows, std::move(filters));
  const std::string columns = matcher->columns();
  Fragment sql{"gantry_match_row(", {}};
  sql.bind(std::move(matcher)).add(", ").add(columns).add(")");
  return {std::move(sql), is_deterministic};
}

// In the order of the rules: the cheap ones with indexes first.
RowCondition over_columns(const RowRules& rows, const ClassView& whole, const Engine& engine) {
  Conditions all;
  if (!rows.tenant_field.empty()) all.add(of_tenant(rows, whole));
  if (!rows.owner_fields.empty()) all.add(any_owner(rows, whole));
  for (const Value& filter : rows.filters) add_filter(filter, whole, engine, false, all);
  for (const Value& filter : rows.defaults) add_filter(filter, whole, engine, true, all);
  if (rows.acl_field.empty()) return all.take();
  all.add(rows.acl_column.empty()
              ? Fragment{kNoRow, {}}
              : allows_reader(rows.acl_column, rows.readers, rows.acl_null_is_public));
  return all.take();
}

class Compiler final : public RowCompiler {
 public:
  Compiler(const Dialect& dialect, Warn warn) : dialect_(dialect), misfits_(std::move(warn)) {}

  RowCondition boundary(const RowRules& rows, const ClassView& whole,
                        const Scope& engine) const override {
    try {
      return by_storage(
          whole,
          [&] {
            return over_columns(rows, whole, {engine, dialect_, misfits_});
          },
          [&] { return over_documents(rows, whole); });
    } catch (const QueryError& error) {
      misfits_.tell(whole, error);
      return {{kNoRow, {}}};
    }
  }

  RowCondition canonical(const std::string& filter, const ClassView& whole,
                         const Scope& engine) const override {
    RowRules rows;
    const auto parsed = read_extended(filter, {.parse_types = true});
    if (!parsed || !parsed->is_object()) return {{kNoRow, {}}};
    rows.filters.push_back(*parsed);
    return boundary(rows, whole, engine);
  }

 private:
  const Dialect& dialect_;
  mutable Misfits misfits_;
};

}  // namespace

std::unique_ptr<const RowCompiler> row_compiler(const Dialect& dialect, Warn warn) {
  return std::make_unique<Compiler>(dialect, std::move(warn));
}

}  // namespace gantry::data
