#include "where/text_search.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "values/utf8.hpp"
#include "where/operand.hpp"
#include "where/refusal.hpp"
#include "where/text_terms.hpp"

namespace gantry::data::where {
namespace {

constexpr std::size_t kMostTerms = 200;

std::string_view text_of(const Json& json) { return {json.GetString(), json.GetStringLength()}; }

struct TextQuery {
  std::string_view search;
  std::optional<std::string_view> language;
  bool keeps_case = false, keeps_marks = false;
};

bool flag_of(std::string_view name, const Json& value) {
  if (value.IsBool()) return value.GetBool();
  refuse("'" + std::string(name) + "' of $text is true or false, not " +
         std::string(described(value)) + ".");
}

std::string_view string_of(std::string_view name, const Json& value) {
  if (value.IsString()) return text_of(value);
  refuse("'" + std::string(name) + "' of $text needs a string, not " +
         std::string(described(value)) + ".");
}

void read_members(const Json& object, std::string_view search, TextQuery& query) {
  for (const auto& [key, value] : object.GetObject()) {
    const std::string_view name = text_of(key);
    if (name == search) {
      if (!value.IsObject()) query.search = string_of(name, value);
    } else if (name == "$language") {
      query.language = string_of(name, value);
    } else if (name == "$caseSensitive") {
      query.keeps_case = flag_of(name, value);
    } else if (name == "$diacriticSensitive") {
      query.keeps_marks = flag_of(name, value);
    } else {
      refuse("$text knows $search, $language, $caseSensitive and $diacriticSensitive; '" +
             clipped(name, 64) + "' is none of them.");
    }
  }
}

TextQuery read_query(const Json& operand, bool is_of_field) {
  if (!operand.IsObject()) {
    refuse("$text needs an object such as {\"$search\": \"words\"}, not " +
           std::string(described(operand)) + ".");
  }
  const auto search = operand.FindMember("$search");
  if (search == operand.MemberEnd()) refuse("$text needs a $search: {\"$search\": \"words\"}.");
  TextQuery query;
  read_members(operand, "$search", query);
  if (!search->value.IsObject()) return query;
  if (!is_of_field || !search->value.HasMember("$term")) {
    refuse("'$search' of $text needs a string, not an object.");
  }
  read_members(search->value, "$term", query);
  if (search->value["$term"].IsObject()) refuse("'$term' of $text needs a string, not an object.");
  return query;
}

bool is_visible(const SearchIndex& index, const Context& context) {
  return std::all_of(index.fields.begin(), index.fields.end(), [&](const std::string& name) {
    return context.scope.find_field(context.cls, name) != nullptr;
  });
}

std::string fields_of(const SearchIndex& index) {
  std::string list;
  for (const std::string& name : index.fields) list += (list.empty() ? "'" : ", '") + name + "'";
  return list;
}

[[noreturn]] void refuse_unindexed(const Subject* field, const std::string& found,
                                   const Context& context) {
  std::string text = "$text needs a search index, and ";
  text += field == nullptr
              ? "class '" + context.cls.name + "' has none"
              : "none has field '" + field->name + "' of class '" + context.cls.name + "'";
  refuse(text + (found.empty() ? "" : " that can answer: " + found) +
         ". Use $regex, as in {\"field\": {\"$regex\": \"word\", \"$options\": \"i\"}}.");
}

bool has_field(const SearchIndex& index, const Column& column) {
  return std::find(index.fields.begin(), index.fields.end(), column.field.name) !=
         index.fields.end();
}

const SearchIndex& index_for(const Subject* field, const Context& context) {
  std::vector<const SearchIndex*> usable;
  std::string others;
  for (const SearchIndex& index : context.cls.searches) {
    if (!is_visible(index, context)) continue;
    if (field != nullptr && !has_field(index, *field->column)) {
      others += (others.empty() ? "" : "; ") + index.name + " has " + fields_of(index);
    } else if (!index.unusable.empty()) {
      others += (others.empty() ? "" : "; ") + index.name + " cannot: " + index.unusable;
    } else {
      usable.push_back(&index);
    }
  }
  if (usable.empty()) refuse_unindexed(field, others, context);
  if (field != nullptr || usable.size() == 1) return *usable.front();
  std::string names;
  for (const auto* index : usable) names += " " + index->name + " (" + fields_of(*index) + ")";
  refuse("Class '" + context.cls.name + "' has several search indexes:" + names +
         ". Name a field: {\"" + usable.front()->fields.front() +
         "\": {\"$text\": {\"$search\": \"words\"}}}.");
}

void check_language(std::string_view language, const SearchIndex& index) {
  const bool fits = index.stems ? language == "en" || language == "english" : language == "none";
  if (fits) return;
  refuse("'$language' of $text cannot be '" + clipped(language, 32) + "': the search index " +
         index.name +
         (index.stems ? " finds words by their English stems, which is \"english\"."
                      : " finds words as they are written, which is \"none\".") +
         " Leave $language out to take the index as it is.");
}

void check_fits(const TextQuery& query, const SearchIndex& index) {
  if (query.language) check_language(*query.language, index);
  if (query.keeps_case) {
    refuse("'$caseSensitive' of $text cannot be true: the search index " + index.name +
           " does not tell upper case from lower. Add a $regex on the field, which does.");
  }
  if (query.keeps_marks && !index.keeps_marks) {
    refuse("'$diacriticSensitive' of $text cannot be true: the search index " + index.name +
           " does not tell letters with marks from those without. Add a $regex on the field, "
           "which does.");
  }
}

// The column's name comes from the catalog.
std::string column_filter(const Column& column) {
  std::string filter = "{\"";
  for (const char c : column.field.name) filter.append(c == '"' ? 2 : 1, c);
  return filter + "\"} : ";
}

}  // namespace

Node text_found(const Subject* field, const Json& operand, const Context& context) {
  if (field != nullptr && (!field->column || !field->path.empty())) {
    refuse(
        "$text stands at the top of a where or on a field of the class that is in a search index; "
        "'" +
        field->name + "' cannot be in one.");
  }
  const TextQuery query = read_query(operand, field != nullptr);
  const SearchIndex& index = index_for(field, context);
  check_fits(query, index);
  const TextTerms terms = read_text_terms(query.search);
  if (terms.count() > kMostTerms) {
    refuse("A $search has at most " + std::to_string(kMostTerms) + " words.");
  }
  if (terms.finds_nothing()) return Node::group(Node::Type::any, {});
  std::string asked = fts5_query(terms);
  if (field != nullptr) asked = column_filter(*field->column) + "(" + asked + ")";
  Fragment sql{"(" + context.options.qualifier + index.key + " IN (SELECT rowid FROM ", {}};
  sql.add(index.table).add(" WHERE ").add(index.column).add(" MATCH ").bind(std::move(asked));
  return Node::of(std::move(sql.add("))")));
}

void refuse_text_in(std::string_view op, const Json& list) {
  for (const Json& filter : list.GetArray()) {
    if (!filter.IsObject()) continue;
    for (const auto& [key, value] : filter.GetObject()) {
      const std::string_view name = text_of(key);
      if (name == "$text" || (value.IsObject() && value.HasMember("$text"))) {
        refuse("$text cannot stand inside " + std::string(op) +
               ": write it at the top of the where, or inside $and there.");
      }
      const bool is_list = name == "$and" || name == "$or" || name == "$nor";
      if (is_list && value.IsArray()) refuse_text_in(op, value);
    }
  }
}

}  // namespace gantry::data::where
