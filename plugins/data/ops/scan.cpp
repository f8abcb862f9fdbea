#include "ops/scan.hpp"

#include <algorithm>

#include "values/json_text.hpp"

namespace gantry::data {
namespace {

constexpr std::string_view kKey = "PRIMARY KEY";

std::string quoted(std::string_view text) {
  std::string json;
  if (!append_json_string(text, json)) json = "\"?\"";
  return json;
}

bool is_scan(std::string_view line) {
  const bool is_of_rows = line.starts_with("SCAN ") && !line.starts_with("SCAN (") &&
                          !line.starts_with("SCAN CONSTANT");
  return is_of_rows && line.find("json_each") == std::string_view::npos;
}

// "SEARCH t USING COVERING INDEX by_name (name=?)" -> by_name
std::string index_of(std::string_view line) {
  if (line.find(" PRIMARY KEY") != std::string_view::npos) return std::string(kKey);
  constexpr std::string_view kWord = " INDEX ";
  const auto at = line.find(kWord);
  if (at == std::string_view::npos || line.find("VIRTUAL TABLE") != std::string_view::npos) {
    return {};
  }
  std::string_view name = line.substr(at + kWord.size());
  if (name.ends_with(')')) name = name.substr(0, name.rfind(" ("));
  return std::string(name.starts_with("sqlite_autoindex_") ? kKey : name);
}

std::size_t equalities_of(std::string_view line) {
  std::size_t count = 0;
  for (auto at = line.find("=?"); at != std::string_view::npos; at = line.find("=?", at + 2)) {
    const bool is_range = at > 0 && (line[at - 1] == '<' || line[at - 1] == '>');
    count += is_range ? 0 : 1;
  }
  return count;
}

// Rows that one search leads to: an equality is taken to leave ten rows, a range a quarter.
std::int64_t found_by(std::string_view line, const ClassInfo& cls) {
  const std::size_t equal = equalities_of(line);
  if (equal == 0) return std::max<std::int64_t>(1, cls.estimated_rows / 4);
  if (line.find("(rowid=?)") != std::string_view::npos) return 1;
  const std::string name = index_of(line);
  if (name == kKey && equal >= std::max<std::size_t>(1, cls.id_fields.size())) return 1;
  const auto index = std::find_if(cls.indexes.begin(), cls.indexes.end(),
                                  [&](const Index& one) { return one.name == name; });
  const bool is_one = index != cls.indexes.end() && index->unique && equal >= index->fields.size();
  return is_one ? 1 : std::min<std::int64_t>(10, std::max<std::int64_t>(1, cls.estimated_rows));
}

class Reader {
 public:
  explicit Reader(const ClassInfo& cls) : cls_(cls) {}

  void read(std::string_view line) {
    report_.plan.append(line).append("\n");
    const std::string index = index_of(line);
    const bool is_new =
        std::find(report_.indexes.begin(), report_.indexes.end(), index) == report_.indexes.end();
    if (!index.empty() && is_new) report_.indexes.push_back(index);
    if (is_scan(line)) scans_ = true;
    // Rows that an index has nearly in order are sorted as they come.
    const bool is_partly = line.find("RIGHT PART") != std::string_view::npos ||
                           line.find("LAST") != std::string_view::npos;
    if (line.starts_with("USE TEMP B-TREE") && !is_partly) sorts_ = true;
    if (line.starts_with("SEARCH ")) report_.estimated_rows += found_by(line, cls_);
  }

  ScanReport finish(const ScanBound& bound) {
    const bool is_bounded = bound.limit && !bound.is_filtered && !sorts_;
    report_.full_scan = scans_ && !is_bounded;
    if (scans_) report_.estimated_rows = cls_.estimated_rows;
    const auto limit = static_cast<std::int64_t>(
        std::min<std::uint64_t>(bound.limit.value_or(INT64_MAX), INT64_MAX));
    if (is_bounded) report_.estimated_rows = std::min(report_.estimated_rows, limit);
    return std::move(report_);
  }

 private:
  const ClassInfo& cls_;
  ScanReport report_;
  bool scans_ = false, sorts_ = false;
};

std::string suggestion_for(const ClassInfo& cls, const Scope& scope) {
  std::string fields;
  for (const Field* field : scope.visible_fields(cls)) {
    if (field->indexed) fields += (fields.empty() ? "" : ", ") + field->name;
  }
  if (fields.empty()) {
    return cls.id_form == IdForm::none ? "The class has no index; ask the operator for one."
                                       : "Read objects by their objectId, which alone is indexed.";
  }
  return "Add a condition on an indexed field: " + fields + ".";
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

Outcome<ScanReport> scan_report(sqlite::Lease& lease, const ClassInfo& cls, const Fragment& sql,
                                const ScanBound& bound) {
  Fragment question{"EXPLAIN QUERY PLAN ", {}};
  auto statement = lease.prepare(question.add(sql));
  if (!statement) return statement_error(statement.status());
  Reader reader(cls);
  constexpr int kDetail = 3;
  while (statement->next()) reader.read(statement->text(kDetail));
  if (!statement->status()) return statement_error(statement->status());
  return reader.finish(bound);
}

DataError full_scan_error(const Request& request, const ClassInfo& cls, const ScanReport& report) {
  const std::string reason = "full scan of " + cls.name;
  const std::string suggestion = suggestion_for(cls, request.scope);
  DataError error{
      std::string(error_code::kSecurityBlocked),
      "This would be a " + reason + ", which the operator does not allow. " + suggestion,
      {},
      {},
      {},
      {}};
  error.details_json =
      R"({"refused":true,"reason":)" + quoted(reason) + R"(,"suggestion":)" + quoted(suggestion);
  if (request.settings.expose_explain) error.details_json += ",\"plan\":" + quoted(report.plan);
  error.details_json += '}';
  return error;
}

std::optional<DataError> refused_scan(const Request& request, sqlite::Lease& lease,
                                      const ClassInfo& cls, const Fragment& sql,
                                      const ScanBound& bound) {
  if (!request.settings.refuse_collscan) return std::nullopt;
  const auto report = scan_report(lease, cls, sql, bound);
  if (!report) return report.error();
  if (!report->full_scan) return std::nullopt;
  return full_scan_error(request, cls, *report);
}

std::string report_members(const Request& request, const ScanReport& report, const Fragment& sql) {
  std::string json = R"("full_scan":)";
  json += report.full_scan ? "true" : "false";
  json += R"(,"indexes_used":[)";
  for (const std::string& index : report.indexes) {
    json += (json.back() == '[' ? "" : ",") + quoted(index);
  }
  json += R"(],"estimated_rows":)" + std::to_string(report.estimated_rows);
  if (!request.settings.expose_explain) return json;
  return json + ",\"sql\":" + quoted(sql.text) + ",\"plan\":" + quoted(report.plan);
}

}  // namespace gantry::data
