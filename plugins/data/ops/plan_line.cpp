#include "ops/plan_line.hpp"

#include <algorithm>

namespace gantry::data {
namespace {

constexpr std::string_view kKey = "PRIMARY KEY";

bool has(std::string_view line, std::string_view word) {
  return line.find(word) != std::string_view::npos;
}

// "`main`.`my table`" -> main.my table
std::string unquoted(std::string_view table) {
  std::string plain;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i] != '`') {
      plain += table[i];
    } else if (i + 1 < table.size() && table[i + 1] == '`') {
      plain += table[i++];
    }
  }
  return plain;
}

bool is_whole(std::string_view rest, std::string_view name) {
  return rest.starts_with(name) && (rest.size() == name.size() || rest[name.size()] == ' ');
}

// After SCAN or SEARCH the line contains the table, qualified by its schema as in our statements.
// Inside a view tables are unqualified and count as the view's. If one table name is a prefix of
// another ("log", "log USING x"), the longer match is used.
const ClassInfo* class_of(std::string_view rest, const ClassInfo& asked, const Scope& scope) {
  const ClassInfo* found = asked.type == ClassInfo::Type::view ? &asked : nullptr;
  std::size_t longest = 0;
  const auto look = [&](const ClassInfo& cls) {
    const std::string table = unquoted(cls.table);
    if (table.size() <= longest || !is_whole(rest, table)) return;
    found = &cls;
    longest = table.size();
  };
  look(asked);
  for (const ClassInfo* cls : scope.visible_classes()) look(*cls);
  return found;
}

// "main.notes_fts VIRTUAL TABLE INDEX 0:M2" is a full-text search. If the table is a class itself,
// "0:=" finds a row by its rowid, and any other index string reads rows.
bool asks_index(std::string_view rest, const ClassInfo& cls, const SearchIndex& index,
                ExplainLine& out) {
  const std::string begin = unquoted(index.table) + " VIRTUAL TABLE INDEX ";
  if (!rest.starts_with(begin)) return false;
  const std::size_t at = std::min(rest.size(), rest.find(':', begin.size()));
  const std::string_view how = rest.substr(at);
  const bool asks_words = index.table != cls.table || has(how, "M");
  out.cls = &cls;
  out.by_key = !asks_words && has(how, "=");
  out.searches = asks_words || out.by_key;
  out.scans = !out.searches;
  out.equals = out.searches ? 1 : 0;
  if (asks_words) out.index = index.name;
  return true;
}

// Whether the line is a full-text search; describes it in `out`.
bool searches_text(std::string_view rest, const Scope& scope, ExplainLine& out) {
  for (const ClassInfo* cls : scope.visible_classes()) {
    for (const SearchIndex& index : cls->searches) {
      if (asks_index(rest, *cls, index, out)) return true;
    }
  }
  return false;
}

bool reads_rows(std::string_view rest) {
  return !rest.starts_with('(') && !rest.starts_with("CONSTANT") && !has(rest, "json_each");
}

// "… USING COVERING INDEX by_name (name=?)" -> by_name
std::string index_of(std::string_view line) {
  constexpr std::string_view kWord = " INDEX ";
  const auto at = line.find(kWord);
  if (at == std::string_view::npos || has(line, "VIRTUAL TABLE") || has(line, " AUTOMATIC ")) {
    return {};
  }
  std::string_view name = line.substr(at + kWord.size());
  if (name.ends_with(')')) name = name.substr(0, name.rfind(" ("));
  return std::string(name);
}

std::string_view conditions_of(std::string_view line) {
  const auto at = line.ends_with(')') ? line.rfind(" (") : std::string_view::npos;
  return at == std::string_view::npos ? std::string_view() : line.substr(at);
}

std::size_t equalities_in(std::string_view conditions) {
  std::size_t count = 0;
  for (auto at = conditions.find("=?"); at != std::string_view::npos;
       at = conditions.find("=?", at + 2)) {
    const bool is_range = at > 0 && (conditions[at - 1] == '<' || conditions[at - 1] == '>');
    count += is_range ? 0 : 1;
  }
  return count;
}

bool is_of_key(const Index& index, const ClassInfo& cls) {
  return !cls.id_fields.empty() &&
         std::equal(index.fields.begin(), index.fields.end(), cls.id_fields.begin(),
                    cls.id_fields.end(), [&cls](const std::string& name, std::size_t at) {
                      return cls.fields[at].name == name;
                    });
}

void read_rows(std::string_view line, std::string_view rest, const ClassInfo& asked,
               const Scope& scope, ExplainLine& out) {
  out.cls = class_of(rest, asked, scope);
  out.by_key = has(line, " PRIMARY KEY");
  if (!out.by_key) out.index = index_of(line);
  const std::string_view conditions = conditions_of(line);
  out.equals = equalities_in(conditions);
  out.is_range = has(conditions, "<") || has(conditions, ">");
}

}  // namespace

ExplainLine parse_explain_line(std::string_view line, const ClassInfo& asked, const Scope& scope) {
  constexpr std::string_view kScan = "SCAN ", kSearch = "SEARCH ";
  ExplainLine out;
  const bool is_virtual = line.starts_with(kScan) && has(line, " VIRTUAL TABLE INDEX ");
  if (is_virtual && searches_text(line.substr(kScan.size()), scope, out)) return out;
  // Building an automatic index reads all rows.
  out.scans = (line.starts_with(kScan) && reads_rows(line.substr(kScan.size()))) ||
              (line.starts_with(kSearch) && has(line, " AUTOMATIC "));
  out.searches = !out.scans && line.starts_with(kSearch);
  // Rows that an index returns nearly sorted are sorted in parts.
  const bool is_partly = has(line, "RIGHT PART") || has(line, "LAST");
  out.sorts = line.starts_with("USE TEMP B-TREE") && !is_partly;
  if (out.scans || out.searches) {
    read_rows(line, line.substr(line.find(' ') + 1), asked, scope, out);
  }
  // A skip-scan, one search for each value of the index's first column: its use reveals the
  // column's statistics.
  if (out.searches && has(line, " (ANY(") && is_hidden(out, scope)) {
    out.scans = true;
    out.searches = false;
  }
  return out;
}

bool is_hidden(const ExplainLine& line, const Scope& scope) {
  return !line.index.empty() && shown_index(line, scope).empty();
}

std::string shown_index(const ExplainLine& line, const Scope& scope) {
  if (line.by_key) return std::string(kKey);
  if (line.index.empty() || line.cls == nullptr) return {};
  const auto& searches = line.cls->searches;
  if (std::any_of(searches.begin(), searches.end(),
                  [&](const SearchIndex& one) { return one.name == line.index; })) {
    return line.index;  // only an index of visible fields is used for $text
  }
  const auto& indexes = line.cls->indexes;
  const auto found = std::find_if(indexes.begin(), indexes.end(),
                                  [&](const Index& one) { return one.name == line.index; });
  if (found == indexes.end() || !is_visible(*found, *line.cls, scope)) return {};
  const bool is_key = line.index.starts_with("sqlite_autoindex_") && is_of_key(*found, *line.cls);
  return is_key ? std::string(kKey) : line.index;
}

bool is_visible(const Index& index, const ClassInfo& cls, const Scope& scope) {
  return !index.internal &&
         std::all_of(index.fields.begin(), index.fields.end(), [&](const std::string& name) {
           return scope.find_field(cls, name) != nullptr;
         });
}

}  // namespace gantry::data
