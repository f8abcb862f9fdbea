#include "ops/scan.hpp"

#include <algorithm>

#include "ops/plan_line.hpp"
#include "values/json_text.hpp"

namespace gantry::data {
namespace {

// The estimated rows of one search: for an equality ANALYZE's count, else ten; for a range a
// quarter of all.
std::int64_t found_by(const ExplainLine& line) {
  constexpr std::int64_t kByValue = 10;
  const std::int64_t all =
      std::max<std::int64_t>(1, line.cls == nullptr ? 1 : line.cls->estimated_rows);
  if (line.equals == 0) return std::max<std::int64_t>(1, all / 4);
  const auto is_one = [&line](std::size_t columns) {
    return !line.is_range && line.equals >= std::max<std::size_t>(1, columns);
  };
  if (line.cls == nullptr) return std::min(kByValue, all);
  if (line.by_key && is_one(line.cls->without_rowid ? line.cls->id_fields.size() : 1)) return 1;
  const auto index = std::find_if(line.cls->indexes.begin(), line.cls->indexes.end(),
                                  [&line](const Index& one) { return one.name == line.index; });
  if (index == line.cls->indexes.end()) return std::min(kByValue, all);
  if (index->unique && is_one(index->fields.size())) return 1;
  if (line.equals > index->rows_of_value.size()) return std::min(kByValue, all);
  return std::clamp<std::int64_t>(index->rows_of_value[line.equals - 1], 1, all);
}

class Reader {
 public:
  Reader(const ClassInfo& asked, const Scope& scope) : asked_(asked), scope_(scope) {}

  void read(std::string_view text) {
    if (text.starts_with("CO-ROUTINE ") || text.starts_with("MATERIALIZE ")) {
      made_.emplace_back(text.substr(text.find(' ') + 1));
    }
    if (reads_what_was_made(text)) return add(text);
    const ExplainLine line = parse_explain_line(text, asked_, scope_);
    add(is_hidden(line, scope_) ? without_index(text, line) : std::string(text));
    sorts_ = sorts_ || line.sorts;
    const std::string index = shown_index(line, scope_);
    const bool is_new =
        std::find(report_.indexes.begin(), report_.indexes.end(), index) == report_.indexes.end();
    if (!index.empty() && is_new) report_.indexes.push_back(index);
    if (line.searches) report_.estimated_rows += found_by(line);
    if (line.scans) scan(line);
  }

  ScanReport finish(const ScanBound& bound) {
    // The plan does not show whether a view filters, counts or groups rows.
    const bool is_filtered = bound.is_filtered || asked_.type == ClassInfo::Type::view;
    const bool is_bounded = bound.limit && !is_filtered && !sorts_;
    report_.full_scan = scans_ && !is_bounded;
    report_.is_refusable = is_refusable_ && !is_bounded;
    if (!report_.full_scan) report_.scanned = nullptr;
    const auto limit = static_cast<std::int64_t>(
        std::min<std::uint64_t>(bound.limit.value_or(INT64_MAX), INT64_MAX));
    if (is_bounded) report_.estimated_rows = std::min(report_.estimated_rows, limit);
    return std::move(report_);
  }

 private:
  // The plan line without the index, whose name is hidden from callers.
  static std::string without_index(std::string_view text, const ExplainLine& line) {
    const std::string_view rest = text.substr(text.find(' '));
    return (line.scans ? "SCAN" : "SEARCH") + std::string(rest.substr(0, rest.find(" USING ")));
  }
  void add(std::string_view line) { report_.plan.append(line).append("\n"); }

  // Whether the line reads the result of a view that earlier lines have computed.
  bool reads_what_was_made(std::string_view text) const {
    constexpr std::string_view kScan = "SCAN ";
    if (asked_.type != ClassInfo::Type::view || !text.starts_with(kScan)) return false;
    return std::find(made_.begin(), made_.end(), text.substr(kScan.size())) != made_.end();
  }

  // A sub-query scans its class independently of the statement around it, while that statement may
  // use an index. So the error names the sub-query's class.
  void scan(const ExplainLine& line) {
    const bool is_refusable = line.cls == nullptr || !line.cls->allow_collscan;
    const bool is_first = is_refusable ? !is_refusable_ : !scans_;
    const bool is_beside = line.cls != nullptr && report_.scanned == &asked_;
    scans_ = true;
    if (is_first || (is_beside && is_refusable)) report_.scanned = line.cls;
    is_refusable_ = is_refusable_ || is_refusable;
    report_.estimated_rows += line.cls == nullptr ? 0 : line.cls->estimated_rows;
  }

  const ClassInfo& asked_;
  const Scope& scope_;
  ScanReport report_;
  std::vector<std::string> made_;  // results of sub-queries, read like tables
  bool scans_ = false, is_refusable_ = false, sorts_ = false;
};

// Whether the condition is the constant 0: the statement reads no row, whatever its plan.
bool reads_nothing(const ClassInfo& cls, std::string_view sql) {
  const std::string begin = " FROM " + cls.table + " WHERE 0";
  const auto at = sql.find(" FROM ");
  if (at == std::string_view::npos || !sql.substr(at).starts_with(begin)) return false;
  const std::string_view rest = sql.substr(at + begin.size());
  // Such a condition inside an OR is in parentheses.
  return rest.empty() || rest.starts_with(" ORDER BY ") || rest.starts_with(" LIMIT ") ||
         rest.starts_with(" AND ") || rest.starts_with(")");
}

std::string suggestion_for(const ClassInfo& cls, const Scope& scope) {
  if (!cls.document.empty()) {
    return "The database has no index on the contents of documents: read them by objectId, with "
           "get_object or get_objects.";
  }
  std::string fields;
  for (const Field* field : scope.visible_fields(cls)) {
    if (field->indexed) fields += (fields.empty() ? "" : ", ") + field->name;
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

}  // namespace

Fragment query_sql(const ClassInfo& cls, const Fragment& where, const Fragment& order,
                   std::int64_t limit) {
  Fragment sql{"SELECT * FROM " + cls.table, {}};
  if (!where.empty()) sql.add(" WHERE ").add(where);
  if (!order.empty()) sql.add(" ORDER BY ").add(order);
  if (limit >= 0) sql.add(" LIMIT ").bind(limit);
  return sql;
}

bool refuses_scan(const Request& request, const ClassInfo& cls) {
  return request.settings.refuse_collscan && !cls.allow_collscan;
}

Outcome<ScanReport> scan_report(const Scope& scope, Lease& lease, const ClassInfo& cls,
                                const Fragment& sql, const ScanBound& bound) {
  Fragment question{"EXPLAIN QUERY PLAN ", {}};
  auto cursor = lease.prepare(question.add(sql));
  if (!cursor) return statement_error(cursor.status());
  Reader reader(cls, scope);
  constexpr std::size_t kDetail = 3;
  while ((*cursor)->next()) reader.read((*cursor)->row()[kDetail].bytes);
  if (!(*cursor)->status()) return statement_error((*cursor)->status());
  ScanReport report = reader.finish(bound);
  if (report.full_scan && reads_nothing(cls, sql.text)) {
    report.full_scan = report.is_refusable = false;
    report.scanned = nullptr;
    report.estimated_rows = 0;
  }
  return report;
}

Outcome<ScanReport> guarded_report(const Scope& scope, Lease& lease, const OrderedRead& read,
                                   Fragment& order) {
  auto report = scan_report(scope, lease, read.cls, read.sql(order), read.bound);
  if (!report || !report->is_refusable || order.empty()) return report;
  Fragment hidden = hidden_from_indexes(order);
  auto other = scan_report(scope, lease, read.cls, read.sql(hidden), read.bound);
  if (!other || other->is_refusable) return report;
  order = std::move(hidden);
  return other;
}

DataError full_scan_error(const Request& request, const ClassInfo& cls, const ScanReport& report) {
  const ClassInfo& scanned = report.scanned == nullptr ? cls : *report.scanned;
  const std::string reason = "full scan of " + scanned.name;
  const std::string suggestion = suggestion_for(scanned, request.scope);
  DataError error{
      std::string(error_code::kSecurityBlocked),
      "This would be a " + reason + ", which the operator does not allow. " + suggestion,
      {},
      {},
      {},
      {}};
  error.details_json = R"({"refused":true,"reason":)" + quoted_json(reason) + R"(,"suggestion":)" +
                       quoted_json(suggestion);
  if (request.settings.expose_explain)
    error.details_json += ",\"plan\":" + quoted_json(report.plan);
  error.details_json += '}';
  return error;
}

namespace {

std::optional<DataError> error_of(const Request& request, const ClassInfo& cls,
                                  const Outcome<ScanReport>& report) {
  if (!report) return report.error();
  if (!report->is_refusable) return std::nullopt;
  return full_scan_error(request, cls, *report);
}

}  // namespace

std::optional<DataError> refused_scan(const Request& request, Lease& lease, const ClassInfo& cls,
                                      const Fragment& sql, const ScanBound& bound) {
  if (!request.settings.refuse_collscan) return std::nullopt;
  return error_of(request, cls, scan_report(request.scope, lease, cls, sql, bound));
}

std::optional<DataError> refused_scan(const Request& request, Lease& lease, const OrderedRead& read,
                                      Fragment& order) {
  if (!request.settings.refuse_collscan) return std::nullopt;
  return error_of(request, read.cls, guarded_report(request.scope, lease, read, order));
}

std::string report_members(const Request& request, const ScanReport& report, const Fragment& sql) {
  std::string json = R"("full_scan":)";
  json += report.full_scan ? "true" : "false";
  json += R"(,"indexes_used":[)";
  for (const std::string& index : report.indexes) {
    json += (json.back() == '[' ? "" : ",") + quoted_json(index);
  }
  json += R"(],"estimated_rows":)" + std::to_string(report.estimated_rows);
  if (!request.settings.expose_explain) return json;
  return json + ",\"sql\":" + quoted_json(sql.text) + ",\"plan\":" + quoted_json(report.plan);
}

}  // namespace gantry::data
