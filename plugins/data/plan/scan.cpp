#include "plan/scan.hpp"

#include <algorithm>
#include <map>

#include "values/json_text.hpp"

namespace gantry::data {
namespace {

const Index* index_named(const ClassView& cls, std::string_view name) {
  const auto found = std::find_if(cls.indexes.begin(), cls.indexes.end(),
                                  [name](const Index& one) { return one.name == name; });
  return found == cls.indexes.end() ? nullptr : &*found;
}

bool is_of_key(const Index& index, const ClassView& cls) {
  return !cls.key_fields.empty() &&
         std::equal(
             index.fields.begin(), index.fields.end(), cls.key_fields.begin(), cls.key_fields.end(),
             [](const std::string& name, const FieldView& part) { return part.name == name; });
}

// The name of the step's index, as in get_schema; empty: none, or one that the agent may not see.
// The index of a class's own key is "PRIMARY KEY".
std::string shown_index(const PlanStep& step, const ClassView* cls) {
  if (step.by_key) return std::string(kKeyIndex);
  if (step.index.empty() || cls == nullptr) return {};
  const auto is_named = [&](const SearchIndex& one) { return one.name == step.index; };
  if (std::any_of(cls->searches.begin(), cls->searches.end(), is_named)) return step.index;
  const Index* const index = index_named(*cls, step.index);
  if (index == nullptr) return {};
  const bool is_key = step.index.starts_with("sqlite_autoindex_") && is_of_key(*index, *cls);
  return is_key ? std::string(kKeyIndex) : step.index;
}

// 0: not known.
std::int64_t rows_in(const ClassView* cls) {
  return cls == nullptr ? 0 : cls->estimated_rows.value_or(0);
}

// The estimated rows of one search: for an equality ANALYZE's count, else ten; for a range a
// quarter of all.
std::int64_t found_by(const PlanStep& step, const ClassView* cls) {
  constexpr std::int64_t kByValue = 10;
  const std::int64_t all = std::max<std::int64_t>(1, rows_in(cls));
  if (step.equals == 0) return std::max<std::int64_t>(1, all / 4);
  const auto is_one = [&step](std::size_t columns) {
    return !step.is_range && step.equals >= std::max<std::size_t>(1, columns);
  };
  if (cls == nullptr) return std::min(kByValue, all);
  if (step.by_key && is_one(cls->without_rowid ? cls->key_fields.size() : 1)) return 1;
  const Index* const index = index_named(*cls, step.index);
  if (index == nullptr) return std::min(kByValue, all);
  if (index->unique && is_one(index->fields.size())) return 1;
  if (step.equals > index->rows_of_value.size()) return std::min(kByValue, all);
  return std::clamp<std::int64_t>(index->rows_of_value[step.equals - 1], 1, all);
}

class PlanJudge {
 public:
  PlanJudge(const ClassView& asked, const Scope& scope) : asked_(asked) {
    for (const ClassView* cls : scope.classes()) classes_.emplace(cls->name, cls);
    classes_[asked.name] = &asked;
  }

  void see(const PlanStep& step) {
    const auto known = classes_.find(step.cls);
    const ClassView* const cls = known == classes_.end() ? nullptr : known->second;
    const std::string index = shown_index(step, cls);
    const bool is_hidden = index.empty() && !step.index.empty();
    // A skip-scan of a hidden index reveals the statistics of its first column.
    const bool counts_as_scan = step.skips && is_hidden;
    if (counts_as_scan) {
      report_.plan.append("SCAN").append(step.text_without_index,
                                         step.text_without_index.find(' '));
    } else {
      report_.plan += is_hidden ? step.text_without_index : step.text;
    }
    report_.plan += '\n';
    sorts_ = sorts_ || step.sorts;
    const bool is_new =
        std::find(report_.indexes.begin(), report_.indexes.end(), index) == report_.indexes.end();
    if (!index.empty() && is_new) report_.indexes.push_back(index);
    if (step.searches && !counts_as_scan) report_.estimated_rows += found_by(step, cls);
    if (step.scans || counts_as_scan) scan(cls);
  }

  ScanReport finish(const ScanBound& bound) {
    if (bound.reads_nothing) return nothing();
    // The plan does not show whether a view filters, counts or groups rows.
    const bool is_filtered = bound.is_filtered || asked_.is_view();
    const bool is_bounded = bound.limit && !is_filtered && !sorts_;
    report_.full_scan = scans_ && !is_bounded;
    report_.is_refusable = is_refusable_ && !is_bounded;
    if (!report_.full_scan) report_.scanned.clear();
    const auto limit = static_cast<std::int64_t>(
        std::min<std::uint64_t>(bound.limit.value_or(INT64_MAX), INT64_MAX));
    if (is_bounded) report_.estimated_rows = std::min(report_.estimated_rows, limit);
    return std::move(report_);
  }

 private:
  ScanReport nothing() {
    report_.scanned.clear();
    report_.estimated_rows = scans_ ? 0 : report_.estimated_rows;
    return std::move(report_);
  }

  // A sub-query scans its class independently of the statement around it, while that statement may
  // use an index. So the error names the sub-query's class.
  void scan(const ClassView* cls) {
    const bool is_refusable = cls == nullptr || !cls->allow_collscan;
    const bool is_first = is_refusable ? !is_refusable_ : !scans_;
    const bool is_beside = cls != nullptr && report_.scanned == asked_.name;
    scans_ = true;
    if (is_first || (is_beside && is_refusable)) report_.scanned = cls == nullptr ? "" : cls->name;
    is_refusable_ = is_refusable_ || is_refusable;
    report_.estimated_rows += rows_in(cls);
  }

  const ClassView& asked_;
  std::map<std::string, const ClassView*, std::less<>> classes_;
  ScanReport report_;
  bool scans_ = false, is_refusable_ = false, sorts_ = false;
};

std::string suggestion_for(const ClassView& cls) {
  if (cls.is_open()) {
    return "The database has no index on the contents of documents: read them by objectId, with "
           "get_object or get_objects.";
  }
  std::string fields;
  for (const FieldView& field : cls.fields) {
    if (field.indexed) fields += (fields.empty() ? "" : ", ") + field.name;
  }
  if (fields.empty()) {
    return cls.id_form == IdForm::none ? "The class has no index; ask the operator for one."
                                       : "Read objects by their objectId, which alone is indexed.";
  }
  return "Ask for a value or a range of a field that has an index: " + fields + ".";
}

// An expression as sort key: no index is sorted by it.
Fragment hidden_from_indexes(const Fragment& order) {
  return std::move(Fragment{"+", {}}.add(order));
}

void refuse_if(const ReadContext& context, const ClassView& cls, const ScanReport& report) {
  if (report.is_refusable) refuse_full_scan(context, cls, report);
}

}  // namespace

ScanBound ScanBound::of(const Clauses& clauses) {
  std::optional<std::uint64_t> limit;
  if (clauses.limit) limit = clauses.skip + *clauses.limit;
  return {!clauses.where.empty(), limit, clauses.where.is_never()};
}

bool refuses_scan(const ReadContext& context, const ClassView& cls) {
  return context.settings.refuse_collscan && !cls.allow_collscan;
}

ScanReport scan_report(const Scope& scope, Lease& lease, const ClassView& cls, const Fragment& sql,
                       const ScanBound& bound) {
  const auto steps = lease.explain(sql, *scope.catalog(), cls.name);
  if (!steps) throw QueryError(statement_error(steps.status()));
  PlanJudge judge(cls, scope);
  for (const PlanStep& step : *steps) judge.see(step);
  return judge.finish(bound);
}

// A step without a class reads the result of a sub-query, unless a view of the database is read.
ScanReport statement_report(const Scope& scope, Lease& lease,
                            const std::vector<const ClassView*>& classes, const Fragment& sql,
                            const ScanBound& bound) {
  const auto view = std::find_if(classes.begin(), classes.end(),
                                 [](const ClassView* cls) { return cls->is_view(); });
  const ClassView& asked = view == classes.end() ? *classes.front() : **view;
  const auto steps = lease.explain(sql, *scope.catalog(), asked.name);
  if (!steps) throw QueryError(statement_error(steps.status()));
  PlanJudge judge(asked, scope);
  for (PlanStep step : *steps) {
    step.scans = step.scans && !step.cls.empty();
    judge.see(step);
  }
  return judge.finish(bound);
}

ScanReport guarded_report(const Scope& scope, Lease& lease, const ClassView& cls, Clauses& clauses,
                          const ScanBound& bound) {
  ScanReport report = scan_report(scope, lease, cls, select_rows(cls, "*", clauses), bound);
  if (!report.is_refusable || clauses.order.empty()) return report;
  Clauses hidden = clauses;
  hidden.order = hidden_from_indexes(clauses.order);
  ScanReport other = scan_report(scope, lease, cls, select_rows(cls, "*", hidden), bound);
  if (other.is_refusable) return report;
  clauses.order = std::move(hidden.order);
  return other;
}

void refuse_full_scan(const ReadContext& context, const ClassView& cls, const ScanReport& report) {
  const ClassView* const scanned =
      report.scanned.empty() ? &cls : context.scope.open(report.scanned);
  const ClassView& shown = scanned == nullptr ? cls : *scanned;
  const std::string reason = "full scan of " + shown.name;
  const std::string suggestion = suggestion_for(shown);
  DataError error{
      std::string(error_code::kSecurityBlocked),
      "This would be a " + reason + ", which the operator does not allow. " + suggestion,
      {},
      {},
      {},
      {}};
  error.details_json = R"({"refused":true,"reason":)" + quoted_json(reason) + R"(,"suggestion":)" +
                       quoted_json(suggestion);
  if (context.settings.expose_explain && !context.scope.opened_rules()) {
    error.details_json += ",\"plan\":" + quoted_json(report.plan);
  }
  error.details_json += '}';
  throw QueryError(std::move(error));
}

void refuse_scan(const ReadContext& context, Lease& lease, const ClassView& cls,
                 const Fragment& sql, const ScanBound& bound) {
  if (!context.settings.refuse_collscan) return;
  refuse_if(context, cls, scan_report(context.scope, lease, cls, sql, bound));
}

void refuse_scan(const ReadContext& context, Lease& lease, const ClassView& cls, Clauses& clauses,
                 const ScanBound& bound) {
  if (!context.settings.refuse_collscan) return;
  refuse_if(context, cls, guarded_report(context.scope, lease, cls, clauses, bound));
}

std::string report_members(const ReadContext& context, const ScanReport& report,
                           const Fragment& sql) {
  std::string json = R"("full_scan":)";
  json += report.full_scan ? "true" : "false";
  json += R"(,"indexes_used":[)";
  for (const std::string& index : report.indexes) {
    json += (json.back() == '[' ? "" : ",") + quoted_json(index);
  }
  json += ']';
  // Statements hold the rules' conditions, and estimates count the rows of others.
  if (context.scope.opened_rules()) return json;
  json += R"(,"estimated_rows":)" + std::to_string(report.estimated_rows);
  if (!context.settings.expose_explain) return json;
  return json + ",\"sql\":" + quoted_json(sql.text) + ",\"plan\":" + quoted_json(report.plan);
}

}  // namespace gantry::data
