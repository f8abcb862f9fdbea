#include "tools/gantry/mcp/answer.hpp"

#include <algorithm>
#include <string_view>

#include <rapidjson/document.h>

#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/table.hpp"

namespace gantry::cli {
namespace {

using rapidjson::Value;
using Rows = std::vector<std::vector<std::string>>;

std::string whole_text(const Value& value) { return {value.GetString(), value.GetStringLength()}; }

std::string cell_text(const Value& value) {
  if (value.IsNull()) return "NULL";
  return printable(value.IsString() ? whole_text(value) : compact(value));
}

bool is_all(const Value* value, bool (Value::*kind)() const) {
  if (value == nullptr || !value->IsArray() || value->Empty()) return false;
  for (const auto& one : value->GetArray()) {
    if (!(one.*kind)()) return false;
  }
  return true;
}

// Objects as rows: a column for each name, in the order of its first use.
Rows rows_of_objects(const Value& objects) {
  Rows out(1);
  std::vector<std::string> names;
  for (const auto& object : objects.GetArray()) {
    for (const auto& member : object.GetObject()) {
      const std::string name = whole_text(member.name);
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  for (const auto& name : names) out[0].push_back(printable(name));
  for (const auto& object : objects.GetArray()) {
    auto& row = out.emplace_back();
    for (const auto& name : names) {
      const Value* value = find_member(object, name.c_str());
      row.push_back(value == nullptr ? "" : cell_text(*value));
    }
  }
  return out;
}

Rows rows_of_arrays(const Value& columns, const Value& arrays) {
  Rows out(1);
  for (const auto& column : columns.GetArray()) out[0].push_back(cell_text(column));
  for (const auto& array : arrays.GetArray()) {
    auto& row = out.emplace_back();
    for (const auto& value : array.GetArray()) row.push_back(cell_text(value));
  }
  return out;
}

struct Titled {
  std::string title;
  Rows rows;
};

// The tables of an answer: an array of objects, alone or as a member, or columns and rows; else a
// row for each member.
std::vector<Titled> tables_of(const Value& value) {
  if (is_all(&value, &Value::IsObject)) return {{"", rows_of_objects(value)}};
  if (!value.IsObject()) return {{"", {{cell_text(value)}}}};
  const Value* columns = find_member(value, "columns");
  if (is_all(columns, &Value::IsString) && is_all(find_member(value, "rows"), &Value::IsArray)) {
    return {{"", rows_of_arrays(*columns, value["rows"])}};
  }
  Rows members;
  std::vector<Titled> out;
  for (const auto& member : value.GetObject()) {
    const std::string name = printable(whole_text(member.name));
    if (is_all(&member.value, &Value::IsObject)) {
      out.push_back({name, rows_of_objects(member.value)});
    }
    members.push_back({name, cell_text(member.value)});
  }
  if (out.empty()) out.push_back({"", members});
  return out;
}

// The value holds rows, and there are none.
bool is_without_rows(const Value& value) {
  if (value.IsArray()) return value.Empty();
  for (const char* name : {"results", "rows", "groups", "values"}) {
    const Value& rows = member(value, name);
    if (rows.IsArray() && rows.Empty()) return true;
  }
  return false;
}

// Each row as lines "column  value", for a table that is too wide.
std::string records_text(const Rows& rows, std::size_t width) {
  std::string out;
  for (std::size_t row = 1; row < rows.size(); ++row) {
    Rows lines;
    for (std::size_t i = 0; i < rows[row].size(); ++i) lines.push_back({rows[0][i], rows[row][i]});
    out += "row " + std::to_string(row) + "\n" + table(fitted(lines, width));
  }
  return out;
}

std::string table_text(const Value& value, std::size_t width) {
  if (is_without_rows(value)) return "no rows\n";
  const auto tables = tables_of(value);
  std::string out;
  for (const auto& [title, rows] : tables) {
    if (tables.size() > 1) out += (out.empty() ? "" : "\n") + title + "\n";
    const bool is_table = rows.empty() || rows[0].size() < 3 || can_fit(rows, width);
    out += is_table ? table(fitted(rows, width)) : records_text(rows, width);
  }
  return out;
}

std::string content_text(const Value& result) {
  const Value* content = find_member(result, "content");
  if (content == nullptr || !content->IsArray()) return compact(result) + "\n";
  std::string out;
  for (const auto& block : content->GetArray()) {
    const bool is_text = text_at(block, "type") == "text";
    out += is_text ? text_at(block, "text") : compact(block);
    if (!out.ends_with('\n')) out += '\n';
  }
  return out;
}

// What a failed result says of itself, {error, error_code?}: its structured content, else the text
// that holds such an object; null: it says nothing so.
rapidjson::Document failure_in(const Value& result) {
  rapidjson::Document out;
  if (const Value* structured = find_member(result, "structuredContent"); structured != nullptr) {
    out.CopyFrom(*structured, out.GetAllocator());
    return out;
  }
  for (const auto& block : items(member(result, "content"))) {
    out = parsed(text_at(block, "text"));
    if (!text_at(out, "error").empty()) return out;
  }
  out.SetNull();
  return out;
}

// The word as a shell takes it.
std::string quoted(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@%+,=";
  if (!word.empty() && word.find_first_not_of(kPlain) == word.npos) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

std::string answer_text(const Value& result, Form form, std::size_t width) {
  const Value* structured = find_member(result, "structuredContent");
  if (structured == nullptr) {
    return form == Form::compact ? compact(result) + "\n" : content_text(result);
  }
  if (form == Form::table) return table_text(*structured, width);
  return (form == Form::compact ? compact(*structured) : pretty(*structured)) + "\n";
}

std::string next_page(const Value& result, const std::vector<std::string>& flags) {
  const Value* structured = find_member(result, "structuredContent");
  const Value* next = structured == nullptr ? nullptr : find_member(*structured, "next_call");
  const Value* arguments = next == nullptr ? nullptr : find_member(*next, "arguments");
  if (arguments == nullptr) return {};
  std::string out = "gantry call " + printable(text_at(*next, "tool")) + " " +
                    quoted(printable(compact(*arguments)));
  for (const auto& flag : flags) out += " " + quoted(printable(flag));
  return out;
}

bool is_refused(const Value& answer, Refusal& refusal) {
  if (const Value* error = find_member(answer, "error"); error != nullptr) {
    const Value* code = find_member(*error, "code");
    refusal = {code == nullptr ? "null" : compact(*code), text_at(*error, "message")};
    return true;
  }
  const Value* result = find_member(answer, "result");
  if (result == nullptr) {
    refusal = {"null", "the server answered something that is no answer"};
    return true;
  }
  if (text_at(*result, "resultType") == "input_required") {
    refusal = {"\"input_required\"",
               "the tool asks the user something, which needs an MCP client with elicitation"};
    return true;
  }
  if (!member(*result, "isError").IsTrue()) return false;
  const auto failure = failure_in(*result);
  std::string message = text_at(failure, "error");
  if (message.empty()) message = content_text(*result);
  while (message.ends_with('\n')) message.pop_back();
  refusal = {compact(member(failure, "error_code")), message};
  return true;
}

}  // namespace gantry::cli
