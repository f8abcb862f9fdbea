#include "catalog/search_index.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "catalog/column_type.hpp"
#include "catalog/sql_words.hpp"

namespace gantry::data {
namespace {

using Words = std::span<const SqlWord>;
using Form = SqlWord::Form;

bool is_name(const SqlWord& word) { return word.form != Form::sign; }

// The words after CREATE VIRTUAL TABLE [schema.]name USING fts5, or none.
Words arguments_of(Words words) {
  constexpr std::array<std::string_view, 3> kBegin = {"create", "virtual", "table"};
  constexpr std::size_t kShortest = 8;
  if (words.size() < kShortest) return {};
  for (const std::string_view text : kBegin) {
    if (!words.front().is_bare(text)) return {};
    words = words.subspan(1);
  }
  if (words[1].is_sign('.')) words = words.subspan(2);
  if (words.size() < 5 || !is_name(words[0]) || !words[1].is_bare("using")) return {};
  const bool is_fts5 = is_name(words[2]) && same_name(words[2].text, "fts5");
  if (!is_fts5 || !words[3].is_sign('(') || !words.back().is_sign(')')) return {};
  return words.subspan(4, words.size() - 5);
}

std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> list;
  for (SqlWord& word : sql_words(text)) list.push_back(std::move(word.text));
  return list;
}

class Reader {
 public:
  std::optional<Fts5Table> run(Words words) {
    while (!words.empty()) {
      const auto comma = std::find_if(words.begin(), words.end(),
                                      [](const SqlWord& word) { return word.is_sign(','); });
      const auto length = static_cast<std::size_t>(comma - words.begin());
      if (!argument(words.first(length))) return std::nullopt;
      words = words.subspan(std::min(words.size(), length + 1));
    }
    return std::move(table_);
  }

 private:
  bool argument(Words words) {
    if (words.empty() || !is_name(words[0])) return false;
    if (words.size() == 3 && words[1].is_sign('=')) {
      return words[0].form == Form::bare && is_name(words[2]) &&
             option(lower(words[0].text), words[2].text);
    }
    const bool is_plain = words.size() == 1;
    if (!is_plain && (words.size() != 2 || !same_name(words[1].text, "unindexed"))) return false;
    table_.columns.push_back({words[0].text, is_plain});
    return true;
  }

  bool option(const std::string& name, const std::string& value) {
    if (name == "content") return table_.content = value, true;
    if (name == "content_rowid") return table_.content_rowid = value, true;
    if (name == "detail") return table_.has_full_detail = same_name(value, "full"), true;
    if (name == "tokenize") return table_.tokenizer = words_in(value), true;
    return name == "prefix" || name == "columnsize";
  }

  Fts5Table table_;
};

}  // namespace

std::optional<Fts5Table> parse_fts5(std::string_view create_sql) {
  const std::vector<SqlWord> words = sql_words(create_sql);
  const Words arguments = arguments_of(words);
  return arguments.empty() ? std::nullopt : Reader().run(arguments);
}

void describe_tokenizer(const Fts5Table& table, SearchIndex& index) {
  std::span<const std::string> words = table.tokenizer;
  index.stems = !words.empty() && same_name(words[0], "porter");
  if (index.stems) words = words.subspan(1);
  const std::string name = words.empty() ? "unicode61" : lower(words[0]);
  index.keeps_marks = name == "ascii";
  for (std::size_t i = 1; name == "unicode61" && i + 1 < words.size(); i += 2) {
    if (same_name(words[i], "remove_diacritics")) index.keeps_marks = words[i + 1] == "0";
  }
  if (name != "unicode61" && name != "ascii") {
    index.unusable = "its tokenizer '" + name + "' does not split texts into words";
  } else if (!table.has_full_detail) {
    index.unusable = "it does not keep where in a text words stand (detail is not full)";
  }
}

}  // namespace gantry::data
