// Runs the recorded cases of another engine: constraint, order, skip and limit over given rows.
#include <gtest/gtest.h>

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <algorithm>
#include <fstream>
#include <iostream>

#include "table.hpp"
#include "values/extended_json.hpp"
#include "values/iso_date.hpp"

namespace gantry::data::testing {
namespace {

using Json = rapidjson::Value;

Kind kind_of(std::string_view type) {
  if (type.starts_with("String")) return Kind::string;
  if (type.starts_with("Number")) return Kind::number;
  if (type.starts_with("Boolean")) return Kind::boolean;
  if (type.starts_with("Date")) return Kind::date;
  if (type.starts_with("Array")) return Kind::array;
  if (type.starts_with("Object")) return Kind::object;
  return Kind::pointer;
}

std::string_view affinity_of(Kind kind, DateForm form) {
  if (kind == Kind::number || kind == Kind::boolean) return "NUMERIC";
  return kind == Kind::date && form != DateForm::iso_text ? "NUMERIC" : "TEXT";
}

std::string json_text(const Json& json) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  json.Accept(writer);
  return {buffer.GetString(), buffer.GetSize()};
}

Bind date_bind(const Json& json, DateForm form) {
  const std::string iso = json["iso"].GetString();
  const std::int64_t millis = parse_iso_date(iso).value();
  if (form == DateForm::iso_text) return iso;
  if (form == DateForm::epoch_millis) return millis;
  if (form == DateForm::epoch_seconds) return static_cast<double>(millis) / 1000.0;
  return static_cast<double>(millis + INT64_C(210866760000000)) / 86'400'000.0;
}

Bind bind_of(const Json& json, Kind kind, DateForm form) {
  if (json.IsNull()) return nullptr;
  if (kind == Kind::date) return date_bind(json, form);
  if (kind == Kind::array || kind == Kind::object) return json_text(json);
  if (json.IsBool()) return std::int64_t{json.GetBool() ? 1 : 0};
  if (json.IsInt64()) return json.GetInt64();
  if (json.IsNumber()) return json.GetDouble();
  return std::string(json.GetString(), json.GetStringLength());
}

// One case's table and class, with dates stored in one of their forms.
class CaseTable {
 public:
  CaseTable(const Json& data, DateForm form) : form_(form) {
    info_.name = "C";
    info_.table = "`c`";
    info_.id_form = IdForm::column;
    std::string columns;
    for (const auto& [name, type] : data["schema"].GetObject()) {
      add_field(name.GetString(), kind_of(type.GetString()), columns);
    }
    db_.run("CREATE TABLE c(" + columns + ")");
    for (const Json& row : data["rows"].GetArray()) insert(row);
    scope_ = std::make_unique<Scope>(
        std::make_shared<const Catalog>(std::vector<ClassInfo>{info_, owner()}, 1));
  }

  std::vector<std::string> ids(const Json& data) {
    try {
      const ClassView& cls = *scope_->open("C");
      const Value where = read_extended(data["where"], {.parse_types = true});
      Clauses clauses{compile_where(where, cls, *scope_, {sqlite_dialect()}),
                      compile_order(order_of(data), cls, *scope_).sql,
                      0,
                      {}};
      if (data.HasMember("skip")) clauses.skip = data["skip"].GetUint64();
      if (data.HasMember("limit")) clauses.limit = data["limit"].GetUint64();
      const Fragment sql = select_rows(cls, "objectId", clauses);
      return db_.rows(sql.text, sql.binds);
    } catch (const QueryError& error) {
      return {"refused: " + error.error().message};
    }
  }

 private:
  static ClassInfo owner() {
    ClassInfo cls;
    cls.name = "Owner";
    cls.table = "`owner`";
    return cls;
  }

  void add_field(const std::string& name, Kind kind, std::string& columns) {
    Field made = field(name, kind);
    made.date_form = kind == Kind::date ? form_ : DateForm::none;
    made.json = kind == Kind::array || kind == Kind::object;
    made.numeric_affinity = affinity_of(kind, form_) == "NUMERIC";
    made.declared = affinity_of(kind, form_);
    if (kind == Kind::pointer) made.native = Kind::string, made.target_class = "Owner";
    if (name == "objectId") info_.id_fields = {info_.fields.size()};
    if (name == "createdAt") info_.created_at = info_.fields.size();
    columns += (columns.empty() ? "" : ", ") + made.column + " " + made.declared;
    info_.fields.push_back(std::move(made));
  }

  void insert(const Json& row) {
    Fragment sql{"INSERT INTO c VALUES(", {}};
    for (const Field& field : info_.fields) {
      const auto found = row.FindMember(field.name.c_str());
      if (!sql.binds.empty()) sql.add(",");
      sql.bind(found == row.MemberEnd() ? Bind(nullptr) : bind_of(found->value, field.kind, form_));
    }
    db_.rows(sql.add(")").text, sql.binds);
  }

  static std::string order_of(const Json& data) {
    std::string order;
    if (!data.HasMember("sort")) return order;
    for (const auto& [name, direction] : data["sort"].GetObject()) {
      order += (order.empty() ? "" : ",") + std::string(direction.GetInt() < 0 ? "-" : "") +
               name.GetString();
    }
    return order;
  }

  DateForm form_;
  Database db_;
  ClassInfo info_;
  std::unique_ptr<Scope> scope_;
};

std::string expected_of(const Json& data) {
  if (data["expected"].IsNumber()) return std::to_string(data["expected"].GetInt64());
  std::vector<std::string> ids;
  for (const Json& id : data["expected"].GetArray()) ids.emplace_back(id.GetString());
  if (!data["ordered"].GetBool()) std::sort(ids.begin(), ids.end());
  return joined(ids);
}

std::string answer_of(const Json& data, DateForm form) {
  std::vector<std::string> ids = CaseTable(data, form).ids(data);
  if (data["expected"].IsNumber()) return std::to_string(ids.size());
  if (!data["ordered"].GetBool()) std::sort(ids.begin(), ids.end());
  return joined(ids);
}

bool holds_null(const Json& rows, const char* field) {
  for (const Json& row : rows.GetArray()) {
    if (row.HasMember(field) && row[field].IsNull()) return true;
  }
  return false;
}

// A column has only NULL, so null and missing are the same: for a field that is null in some row,
// existence has a different and correct answer here.
bool tells_null_from_missing(const Json& where, const Json& rows) {
  if (where.IsArray()) {
    const auto list = where.GetArray();
    return std::any_of(list.begin(), list.end(),
                       [&](const Json& part) { return tells_null_from_missing(part, rows); });
  }
  if (!where.IsObject()) return false;
  for (const auto& [name, value] : where.GetObject()) {
    const bool asked = value.IsObject() && value.HasMember("$exists");
    if (asked && holds_null(rows, name.GetString())) return true;
    if (tells_null_from_missing(value, rows)) return true;
  }
  return false;
}

class RecordedCases : public ::testing::TestWithParam<DateForm> {};

TEST_P(RecordedCases, GetTheSameAnswer) {
  std::ifstream file(GANTRY_WHERE_CASES);
  int run = 0;
  int passed = 0;
  int left_out = 0;
  for (std::string line; std::getline(file, line);) {
    rapidjson::Document data;
    data.Parse<rapidjson::kParseFullPrecisionFlag>(line.data(), line.size());
    ASSERT_FALSE(data.HasParseError());
    if (std::string_view(data["op"].GetString()) == "aggregate") continue;
    if (tells_null_from_missing(data["where"], data["rows"])) {
      ++left_out;
      continue;
    }
    ++run;
    const std::string answer = answer_of(data, GetParam());
    passed += answer == expected_of(data) ? 1 : 0;
    EXPECT_EQ(answer, expected_of(data))
        << data["id"].GetString() << " " << json_text(data["where"]) << " "
        << (data.HasMember("sort") ? json_text(data["sort"]) : "");
  }
  std::cout << passed << " of " << run << " cases, " << left_out << " left out\n";
  EXPECT_GE(run, 700);
}

INSTANTIATE_TEST_SUITE_P(DateForms, RecordedCases,
                         ::testing::Values(DateForm::iso_text, DateForm::epoch_millis,
                                           DateForm::epoch_seconds, DateForm::julian));

}  // namespace
}  // namespace gantry::data::testing
