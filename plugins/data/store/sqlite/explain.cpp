#include "store/sqlite/explain.hpp"

#include <algorithm>
#include <string>

namespace gantry::data::sqlite {
namespace {

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
// another ("log", "log USING x"), the longer match is used. Null: a table that is no class.
// `left_out`: what the line leaves out of the table's name.
const ClassInfo* class_of(std::string_view rest, const Catalog& catalog, const ClassInfo* asked,
                          std::string_view left_out) {
  const ClassInfo* found = asked != nullptr && asked->type == ClassType::view ? asked : nullptr;
  std::size_t longest = 0;
  for (const ClassInfo& cls : catalog.classes()) {
    const std::string whole = unquoted(cls.table);
    if (!whole.starts_with(left_out)) continue;
    const std::string_view table = std::string_view(whole).substr(left_out.size());
    if (table.size() <= longest || !is_whole(rest, table)) continue;
    // Several classes may be of one table: the model says so.
    found = asked != nullptr && asked->table == cls.table ? asked : &cls;
    longest = table.size();
  }
  return found;
}

// "main.notes_fts VIRTUAL TABLE INDEX 0:M2" is a full-text search. If the table is a class itself,
// "0:=" finds a row by its rowid, and any other index string reads rows.
bool asks_index(std::string_view rest, const ClassInfo& cls, const SearchIndex& index,
                PlanStep& out) {
  const std::string begin = unquoted(index.table) + " VIRTUAL TABLE INDEX ";
  if (!rest.starts_with(begin)) return false;
  const std::size_t at = std::min(rest.size(), rest.find(':', begin.size()));
  const std::string_view how = rest.substr(at);
  const bool asks_words = index.table != cls.table || has(how, "M");
  out.cls = cls.name;
  out.by_key = !asks_words && has(how, "=");
  out.searches = asks_words || out.by_key;
  out.scans = !out.searches;
  out.equals = out.searches ? 1 : 0;
  if (asks_words) out.index = index.name;
  return true;
}

// Whether the line is a full-text search; describes it in `out`.
bool searches_text(std::string_view rest, const Catalog& catalog, PlanStep& out) {
  for (const ClassInfo& cls : catalog.classes()) {
    for (const SearchIndex& index : cls.searches) {
      if (asks_index(rest, cls, index, out)) return true;
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

// "SCAN a USING INDEX x" -> "SCAN a"
std::string without_index(std::string_view line) {
  return std::string(line.substr(0, line.find(" USING ")));
}

class PlanReader {
 public:
  PlanReader(const Catalog& catalog, const ClassInfo* asked) : catalog_(catalog), asked_(asked) {}

  PlanStep read(std::string_view line) {
    if (line.starts_with("CO-ROUTINE ") || line.starts_with("MATERIALIZE ")) {
      made_.emplace_back(line.substr(line.find(' ') + 1));
    }
    PlanStep step;
    step.text = step.text_without_index = line;
    if (reads_what_was_made(line)) return step;
    parse(line, step);
    step.text_without_index = without_index(line);
    return step;
  }

 private:
  // Whether the line reads the result of a view that earlier lines have computed.
  bool reads_what_was_made(std::string_view line) const {
    const bool is_view = asked_ != nullptr && asked_->type == ClassType::view;
    if (!is_view || !line.starts_with(kScan)) return false;
    return std::find(made_.begin(), made_.end(), line.substr(kScan.size())) != made_.end();
  }

  void parse(std::string_view line, PlanStep& out) const {
    const bool is_virtual = line.starts_with(kScan) && has(line, " VIRTUAL TABLE INDEX ");
    if (is_virtual && searches_text(line.substr(kScan.size()), catalog_, out)) return;
    // Building an automatic index reads all rows.
    out.scans = (line.starts_with(kScan) && reads_rows(line.substr(kScan.size()))) ||
                (line.starts_with(kSearch) && has(line, " AUTOMATIC "));
    out.searches = !out.scans && line.starts_with(kSearch);
    out.skips = out.searches && has(line, " (ANY(");
    // Rows that an index returns nearly sorted are sorted in parts.
    const bool is_partly = has(line, "RIGHT PART") || has(line, "LAST");
    out.sorts = line.starts_with("USE TEMP B-TREE") && !is_partly;
    if (out.scans || out.searches) read_rows(line, line.substr(line.find(' ') + 1), out);
  }

  void read_rows(std::string_view line, std::string_view rest, PlanStep& out) const {
    if (const ClassInfo* const cls = class_read(rest)) out.cls = cls->name;
    out.by_key = has(line, " PRIMARY KEY");
    if (!out.by_key) out.index = index_of(line);
    const std::string_view conditions = conditions_of(line);
    out.equals = equalities_in(conditions);
    out.is_range = has(conditions, "<") || has(conditions, ">");
  }

  // "SELECT count(*) FROM main.log" without a condition is the line "SCAN log".
  const ClassInfo* class_read(std::string_view rest) const {
    if (const ClassInfo* const cls = class_of(rest, catalog_, asked_, "")) return cls;
    const bool is_made = std::any_of(made_.begin(), made_.end(), [rest](const std::string& name) {
      return is_whole(rest, name);
    });
    return is_made ? nullptr : class_of(rest, catalog_, asked_, "main.");
  }

  static constexpr std::string_view kScan = "SCAN ", kSearch = "SEARCH ";

  const Catalog& catalog_;
  const ClassInfo* asked_;
  std::vector<std::string> made_;  // results of sub-queries, read like tables
};

const ClassInfo* declared(const Catalog& catalog, std::string_view name) {
  const auto& classes = catalog.classes();
  const auto found = std::find_if(classes.begin(), classes.end(),
                                  [name](const ClassInfo& cls) { return cls.name == name; });
  return found == classes.end() ? nullptr : &*found;
}

}  // namespace

std::vector<PlanStep> parse_plan(const std::vector<std::string>& lines, const Catalog& catalog,
                                 std::string_view asked) {
  PlanReader reader(catalog, declared(catalog, asked));
  std::vector<PlanStep> steps;
  for (const std::string& line : lines) steps.push_back(reader.read(line));
  return steps;
}

}  // namespace gantry::data::sqlite
