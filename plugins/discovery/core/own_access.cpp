#include "core/own_access.hpp"

#include <gantry/json.hpp>
#include <gantry/json_writer.hpp>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace discovery {
namespace {

using gantry::Json;
using gantry::JsonWriter;
using Names = std::vector<std::string>;

constexpr std::size_t kMostNamed = 20;

// A member of the object `json`; nothing if there is none.
std::optional<Json> at(std::string_view json, std::string_view name) {
  const auto object = Json::parse(json);
  return object ? object->find(name) : std::nullopt;
}

std::string text_at(std::string_view json, std::string_view name) {
  const auto value = at(json, name);
  return value ? value->as_string().value_or("") : std::string();
}

Names names_of(std::string_view items) {
  Names names;
  const auto list = Json::parse(items);
  if (!list || !list->is_array()) return names;
  for (const Json item : list->elements()) {
    const auto name = item.is_object() ? item.find("name") : std::optional<Json>(item);
    if (name) names.push_back(name->as_string().value_or(""));
  }
  return names;
}

bool has(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// "a, b +3 more"
std::string listed(const Names& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size() && i < kMostNamed; ++i) {
    out += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > kMostNamed) out += " +" + std::to_string(names.size() - kMostNamed) + " more";
  return out;
}

void copy_member(std::string_view json, std::string_view name, JsonWriter& out) {
  if (const auto value = at(json, name)) out.key(name).raw(value->text());
}

void write_classes(std::string_view schemas, JsonWriter& out) {
  out.key("classes").begin_array();
  for (const std::string_view kind : {"built_in", "custom"}) {
    const auto classes = at(schemas, kind);
    if (!classes) continue;
    for (const Json cls : classes->elements()) {
      out.begin_object();
      copy_member(cls.text(), "name", out);
      copy_member(cls.text(), "fields", out);
      out.end_object();
    }
  }
  out.end_array();
}

// The tools of each operation on a class, the usual one first.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kReaders = {
    {{"find", "query_class"},
     {"find", "aggregate"},
     {"get", "get_object"},
     {"count", "count_objects"}}};

std::string other_ways(std::string_view operations, std::string_view tools) {
  const Names may = names_of(operations), offered = names_of(tools);
  Names ways;
  for (const auto& [operation, tool] : kReaders) {
    if (has(may, operation) && has(offered, tool)) ways.emplace_back(tool);
  }
  return ways.empty() ? std::string() : "For this class you may call: " + listed(ways);
}

}  // namespace

std::string own_access(const Surface& surface) {
  std::string text;
  JsonWriter out(text);
  out.begin_object().key("agent").string(text_at(surface.agent, "name"));
  copy_member(surface.agent, "permissions", out);
  out.key("tools").begin_array();
  for (const std::string& name : names_of(surface.tools)) out.string(name);
  out.end_array();
  if (!surface.schemas.empty()) write_classes(surface.schemas, out);
  out.key("limits").begin_object();
  if (!surface.max_bytes.empty()) out.key("bytes").raw(surface.max_bytes);
  if (const auto limits = at(surface.agent, "limits")) {
    for (const char* name : {"rows", "calls", "seconds"}) copy_member(limits->text(), name, out);
  }
  out.end_object().end_object();
  return text;
}

std::string verdict_answer(const Question& question, const Verdict& verdict) {
  std::string text;
  JsonWriter out(text);
  out.begin_object();
  const auto put = [&out](std::string_view name, const std::string& value) {
    if (!value.empty()) out.key(name).string(value);
  };
  put("tool", question.tool);
  put("class_name", question.class_name);
  out.key("allowed").boolean(verdict.allowed);
  put("reason", verdict.reason);
  put("suggestion", verdict.suggestion);
  if (!verdict.operations.empty()) out.key("operations").raw(verdict.operations);
  if (!verdict.fields.empty()) out.key("fields").raw(verdict.fields);
  if (!verdict.sql.empty()) out.key("sql").raw(verdict.sql);
  out.end_object();
  return text;
}

Verdict tool_verdict(std::string_view explanation, std::string_view tools) {
  Verdict verdict;
  const auto allowed = at(explanation, "allowed");
  verdict.allowed = allowed && allowed->as_bool().value_or(false);
  if (verdict.allowed) return verdict;
  verdict.reason = text_at(explanation, "reason");
  const Names names = names_of(tools);
  if (!names.empty()) verdict.suggestion = "You may call: " + listed(names);
  return verdict;
}

std::optional<Verdict> class_denial(std::string_view error, std::string_view operations,
                                    std::string_view tools) {
  if (text_at(error, "error_code") != "access_denied") return std::nullopt;
  Verdict verdict;
  verdict.allowed = false;
  verdict.reason = text_at(error, "error");
  verdict.suggestion = other_ways(operations, tools);
  const bool lists_classes = has(names_of(tools), "get_all_schemas");
  const auto details = at(error, "details");
  if (details && text_at(details->text(), "kind") == "hidden_class" && lists_classes) {
    verdict.suggestion = "get_all_schemas lists the classes that you may use";
  }
  return verdict;
}

Verdict class_verdict(std::string_view meta) {
  Verdict verdict;
  if (const auto operations = at(meta, "operations")) verdict.operations = operations->text();
  if (const auto fields = at(meta, "fields")) verdict.fields = fields->text();
  if (const auto sql = at(meta, "sql")) verdict.sql = sql->text();
  return verdict;
}

}  // namespace discovery
