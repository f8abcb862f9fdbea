#include "filter/columns/text_search.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "filter/columns/operand.hpp"
#include "filter/columns/refusal.hpp"
#include "filter/columns/text_terms.hpp"
#include "sql/select.hpp"
#include "values/utf8.hpp"

namespace gantry::data::columns {
namespace {

constexpr std::size_t kMostTerms = 200;

struct TextQuery {
  std::string_view search;
  std::optional<std::string_view> language;
  bool keeps_case = false, keeps_marks = false;
};

bool flag_of(std::string_view name, const Value& value) {
  if (value.is_boolean()) return value.truth();
  refuse("'" + std::string(name) + "' of $text is true or false, not " +
         std::string(described(value)) + ".");
}

std::string_view string_of(std::string_view name, const Value& value) {
  if (value.is_string()) return value.text();
  refuse("'" + std::string(name) + "' of $text needs a string, not " +
         std::string(described(value)) + ".");
}

void read_members(const Value& object, std::string_view search, TextQuery& query) {
  for (const auto& [name, value] : object.members()) {
    if (name == search) {
      if (!value.is_object()) query.search = string_of(name, value);
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

TextQuery read_query(const Value& operand, bool is_of_field) {
  if (!operand.is_object()) {
    refuse("$text needs an object such as {\"$search\": \"words\"}, not " +
           std::string(described(operand)) + ".");
  }
  const Value& search = operand.find("$search");
  if (search.is_missing()) refuse("$text needs a $search: {\"$search\": \"words\"}.");
  TextQuery query;
  read_members(operand, "$search", query);
  if (!search.is_object()) return query;
  const Value& term = search.find("$term");
  if (!is_of_field || term.is_missing()) {
    refuse("'$search' of $text needs a string, not an object.");
  }
  read_members(search, "$term", query);
  if (term.is_object()) refuse("'$term' of $text needs a string, not an object.");
  return query;
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

Node text_found(const Subject* field, const Value& operand, const Context& context) {
  if (field != nullptr && field->column->path) {
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
  if (terms.finds_nothing()) return Node::constant(false);
  std::string asked = fts5_query(terms);
  if (field != nullptr) asked = column_filter(*field->column) + "(" + asked + ")";
  return Node::of(Predicate{found_by(index, std::move(asked)), {}});
}

void refuse_text_in(std::string_view op, const Value& list) {
  if (!list.is_array()) return;
  for (const Value& filter : list.elements()) {
    if (!filter.is_object()) continue;
    for (const auto& [name, value] : filter.members()) {
      if (name == "$text" || !value.find("$text").is_missing()) {
        refuse("$text cannot stand inside " + std::string(op) +
               ": write it at the top of the where, or inside $and there.");
      }
      if (name == "$and" || name == "$or" || name == "$nor") refuse_text_in(op, value);
    }
  }
}

}  // namespace gantry::data::columns
