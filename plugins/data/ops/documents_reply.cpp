#include "ops/documents_reply.hpp"

#include <algorithm>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "errors/query_error.hpp"
#include "ops/too_large.hpp"
#include "plan/bound_read.hpp"
#include "plan/typing/parse_form.hpp"
#include "values/json_size.hpp"
#include "values/json_text.hpp"
#include "values/pointer.hpp"

namespace gantry::data {
namespace {

// A field of the documents, at the root or below _id.
struct PointerColumn {
  std::string class_name;
  bool is_mixed = false;
};

template <class Visit>
void visit_fields(Members& members, const std::string& prefix, Visit visit) {
  for (Member& member : members) {
    Spending::step_current();
    const bool is_key = prefix.empty() && member.name == "_id" && member.value.is_object() &&
                        pointer_id(member.value).is_missing();
    if (is_key) {
      visit_fields(member.value.own_members(), "_id.", visit);
    } else {
      visit(prefix + member.name, member.value);
    }
  }
}

// Positions in a list by name; the names must outlive it.
using PlacesByName = std::unordered_map<std::string_view, std::size_t, std::hash<std::string_view>,
                                        std::equal_to<std::string_view>,
                                        Metered<std::pair<const std::string_view, std::size_t>>>;

std::vector<std::pair<std::string, std::size_t>> weights_of(const Array& documents,
                                                            JsonDialect dialect) {
  std::vector<std::pair<std::string, std::size_t>> weights;
  PlacesByName places;
  for (const Value& document : documents) {
    if (!document.is_object()) continue;
    for (const Member& member : document.members()) {
      Spending::step_current();
      const auto [place, is_new] = places.try_emplace(member.name, weights.size());
      if (is_new) weights.emplace_back(member.name, 0);
      weights[place->second].second += json_bytes(member.value, dialect);
    }
  }
  return weights;
}

}  // namespace

typing::TypePtr documents_of(const ReadContext& context, const Read& read) {
  ReadContext silent = context;
  silent.warnings = nullptr;
  const Value stages = read.stages.is_missing() ? Value::array({}) : read.stages;
  return typed(silent, read.view, stages).documents;
}

void put_in_parse_form(const ReadContext& context, const Read& read, Array& documents) {
  const typing::TypePtr type = documents_of(context, read);
  for (Value& document : documents) document = typing::in_parse_form(document, *type);
}

std::map<std::string, std::string> compact_pointers(Array& documents) {
  std::map<std::string, PointerColumn> columns;
  const auto learn = [&](const std::string& name, const Value& value) {
    if (value.is_nullish()) return;
    PointerColumn& column = columns[name];
    const bool is_pointer = !pointer_id(value).is_missing();
    const std::string_view target = is_pointer ? value.find("className").text() : "";
    if (column.class_name.empty()) column.class_name = target;
    column.is_mixed = column.is_mixed || !is_pointer || column.class_name != target;
  };
  for (Value& document : documents) visit_fields(document.own_members(), "", learn);
  std::map<std::string, std::string> classes;
  for (const auto& [name, column] : columns) {
    if (!column.is_mixed) classes.emplace(name, column.class_name);
  }
  if (classes.empty()) return classes;
  const auto compact = [&](const std::string& name, Value& value) {
    if (classes.count(name) > 0 && !value.is_nullish()) value = Value(pointer_id(value));
  };
  for (Value& document : documents) visit_fields(document.own_members(), "", compact);
  return classes;
}

std::string documents_json(const Request& request, const Array& documents, JsonDialect dialect) {
  // Documents that do not fit are measured, not written.
  const std::size_t room = request.room_for_rows();
  std::string text = "[";
  std::size_t bytes = 0;
  for (const Value& document : documents) {
    const std::size_t comma = bytes == 0 || bytes > room ? 0 : 1;
    if (bytes > room || weight_of(document) > room) {
      const std::size_t size = comma + json_bytes(document, dialect);
      if (bytes + size > room) {
        bytes += size;
        continue;
      }
    }
    const std::size_t before = text.size();
    if (comma != 0) text += ',';
    append_value_json(document, dialect, text);
    bytes += text.size() - before;
  }
  if (bytes <= room) return text += ']';
  Rows rows;
  rows.count = documents.size();
  rows.bytes = bytes;
  rows.weights = weights_of(documents, dialect);
  throw QueryError(response_too_large(request, rows));
}

}  // namespace gantry::data
