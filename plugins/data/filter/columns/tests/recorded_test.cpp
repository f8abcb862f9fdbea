// Runs recorded find and count commands, with MongoDB's answers, over one JSON column.
#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>

#include "recorded_rules.hpp"
#include "table.hpp"
#include "values/iso_date.hpp"

namespace gantry::data::testing {
namespace {

using Json = rapidjson::Value;
using Pool = rapidjson::MemoryPoolAllocator<>;

std::string_view text_of(const Json& json) { return {json.GetString(), json.GetStringLength()}; }

std::string json_text(const Json& json) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  json.Accept(writer);
  return {buffer.GetString(), buffer.GetSize()};
}

// Converts canonical Extended JSON to values that a JSON column and a caller's where support. Empty
// for types that neither supports.
class Plain {
 public:
  explicit Plain(Pool& pool) : pool_(pool) {}

  std::optional<Json> value(const Json& json) const {
    if (json.IsArray()) return list(json);
    if (!json.IsObject()) return Json(json, pool_);
    const bool typed = json.MemberCount() == 1;
    const std::string_view name = typed ? text_of(json.MemberBegin()->name) : std::string_view();
    if (name == "$numberInt" || name == "$numberLong") {
      return Json(static_cast<std::int64_t>(std::stoll(json.MemberBegin()->value.GetString())));
    }
    if (name == "$numberDouble") return real(json);
    if (name == "$date") return date(json.MemberBegin()->value);
    for (const char* other : {"$oid", "$binary", "$regularExpression", "$timestamp", "$minKey",
                              "$maxKey", "$numberDecimal", "$code", "$symbol", "$undefined"}) {
      if (json.HasMember(other)) return std::nullopt;
    }
    return object(json);
  }

  // The filter with each root field as a path below the column.
  std::optional<Json> filter(const Json& json) const {
    Json result(rapidjson::kObjectType);
    for (const auto& [name, value] : json.GetObject()) {
      const bool group = name == "$and" || name == "$or" || name == "$nor";
      auto plain = group && value.IsArray() ? filters(value) : this->value(value);
      if (!plain) return std::nullopt;
      const bool field = !text_of(name).starts_with('$');
      const std::string shown = (field ? "doc." : "") + std::string(text_of(name));
      result.AddMember(Json(shown.c_str(), pool_), *plain, pool_);
    }
    return result;
  }

 private:
  std::optional<Json> filters(const Json& array) const {
    Json result(rapidjson::kArrayType);
    for (const Json& element : array.GetArray()) {
      auto plain = element.IsObject() ? filter(element) : value(element);
      if (!plain) return std::nullopt;
      result.PushBack(*plain, pool_);
    }
    return result;
  }

  std::optional<Json> list(const Json& array) const {
    Json result(rapidjson::kArrayType);
    for (const Json& element : array.GetArray()) {
      auto plain = value(element);
      if (!plain) return std::nullopt;
      result.PushBack(*plain, pool_);
    }
    return result;
  }

  std::optional<Json> object(const Json& json) const {
    Json result(rapidjson::kObjectType);
    for (const auto& [name, member] : json.GetObject()) {
      auto plain = value(member);
      if (!plain) return std::nullopt;
      result.AddMember(Json(name, pool_), *plain, pool_);
    }
    return result;
  }

  std::optional<Json> real(const Json& json) const {
    const std::string text = json.MemberBegin()->value.GetString();
    if (text == "NaN" || text.ends_with("Infinity")) return Json(json, pool_);
    return Json(std::strtod(text.c_str(), nullptr));  // std::stod refuses subnormal doubles
  }

  std::optional<Json> date(const Json& json) const {
    if (!json.IsObject() || !json.HasMember("$numberLong")) return std::nullopt;
    const std::int64_t millis = std::stoll(json["$numberLong"].GetString());
    if (!fits_iso_date(millis)) return std::nullopt;
    std::string iso;
    append_iso_date(millis, iso);
    Json result(rapidjson::kObjectType);
    result.AddMember("__type", "Date", pool_).AddMember("iso", Json(iso.c_str(), pool_), pool_);
    return result;
  }

  Pool& pool_;
};

struct Case {
  std::string id, where, order, skip = "0", limit = "-1";
  std::vector<std::string> documents;
  std::string expected;  // positions of the documents, a count, or "refused"
  bool counted = false;
};

std::string order_of(const Json& sort) {
  std::string order;
  for (const auto& [name, direction] : sort.GetObject()) {
    const bool down = text_of(direction.MemberBegin()->value).starts_with('-');
    order += (order.empty() ? "" : ",") + std::string(down ? "-doc." : "doc.") + name.GetString();
  }
  return order;
}

std::vector<std::string> in_order(std::vector<std::string> positions, bool ordered) {
  if (!ordered) std::sort(positions.begin(), positions.end());
  return positions;
}

class Reader {
 public:
  // Empty for a command without constraints, or with values that a JSON column cannot hold.
  std::optional<Case> read(const Json& data) {
    const Json& command = data["cmd"];
    Case made;
    made.id = data["id"].GetString();
    made.counted = command.HasMember("count");
    if (!made.counted && !command.HasMember("find")) return std::nullopt;
    for (const auto& [name, value] : command.GetObject()) {
      if (!option(text_of(name), value, made)) return std::nullopt;
    }
    if (made.where.empty()) made.where = "{}";
    if (!documents(data["setup"], command[made.counted ? "count" : "find"], made)) {
      return std::nullopt;
    }
    return expect(data, made) ? std::optional(std::move(made)) : std::nullopt;
  }

 private:
  bool option(std::string_view name, const Json& value, Case& made) {
    if (name == "find" || name == "count") return true;
    if (name == "sort") return !(made.order = order_of(value)).empty();
    if (name == "skip" || name == "limit") {
      (name == "skip" ? made.skip : made.limit) = value.MemberBegin()->value.GetString();
      return true;
    }
    if ((name != "filter" && name != "query") || !value.IsObject()) return false;
    const auto filter = Plain(pool_).filter(value);
    if (filter) made.where = json_text(*filter);
    return filter.has_value();
  }

  bool documents(const Json& setup, const Json& collection, Case& made) {
    for (const Json& entry : setup.GetArray()) {
      if (entry[0] != collection) continue;
      for (const Json& document : entry[1].GetArray()) {
        const auto plain = Plain(pool_).value(document);
        if (!plain) return false;
        made.documents.push_back(json_text(*plain));
      }
    }
    return true;
  }

  bool expect(const Json& data, Case& made) {
    if (data.HasMember("error")) return made.expected = "refused", true;
    const auto plain = Plain(pool_).value(data["expected"]);
    if (!plain) return false;
    if (made.counted) return made.expected = json_text(*plain), true;
    std::vector<std::string> positions;
    for (const Json& document : plain->GetArray()) {
      const auto found =
          std::find(made.documents.begin(), made.documents.end(), json_text(document));
      positions.push_back(std::to_string(found - made.documents.begin() + 1));
    }
    made.expected = joined(in_order(std::move(positions), !made.order.empty()));
    return true;
  }

  Pool pool_;
};

std::string answer_of(const Case& data) {
  Database db;
  db.run("CREATE TABLE t(n INTEGER PRIMARY KEY, doc TEXT)");
  for (const std::string& document : data.documents) {
    db.rows("INSERT INTO t(doc) VALUES(?)", {Bind(document)});
  }
  ClassInfo cls;
  cls.name = "T";
  cls.table = "`t`";
  cls.id_form = IdForm::column;
  cls.id_fields = {0};
  cls.fields = {field("n", Kind::integer), field("doc", Kind::object)};
  cls.fields[1].json = true;
  const Scope scope(std::make_shared<const Catalog>(std::vector<ClassInfo>{cls}, 1));
  try {
    Clauses clauses{compile(scope, "T", data.where),
                    compile_order(data.order, *scope.open("T"), scope).sql,
                    std::stoull(data.skip),
                    {}};
    if (std::stoll(data.limit) >= 0) clauses.limit = std::stoull(data.limit);
    const Fragment sql = select_rows(*scope.open("T"), "n", clauses);
    const auto rows = in_order(db.rows(sql.text, sql.binds), !data.order.empty());
    return data.counted ? std::to_string(rows.size()) : joined(rows);
  } catch (const QueryError&) {
    return "refused";
  }
}

TEST(RecordedCommands, GetTheSameAnswer) {
  std::ifstream file(GANTRY_RECORDED_COMMANDS);
  std::map<std::string_view, int> accepted;
  int run = 0;
  for (std::string line; std::getline(file, line);) {
    rapidjson::Document data;
    data.Parse<rapidjson::kParseFullPrecisionFlag>(line.data(), line.size());
    ASSERT_FALSE(data.HasParseError());
    const auto made = Reader().read(data);
    if (!made) continue;
    ++run;
    const std::string answer = answer_of(*made);
    if (answer == made->expected) continue;
    const std::string_view rule = difference(made->where, answer);
    EXPECT_FALSE(rule.empty()) << made->id << "\n  " << made->where << "\n  got " << answer
                               << ", expected " << made->expected;
    ++accepted[rule];
  }
  std::cout << run << " commands\n";
  for (const auto& [rule, count] : accepted) std::cout << count << " differ: " << rule << "\n";
  EXPECT_GE(run, 1000);
}

}  // namespace
}  // namespace gantry::data::testing
