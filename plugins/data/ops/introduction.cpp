#include "ops/introduction.hpp"

#include <algorithm>

#include <gantry/json_writer.hpp>

namespace gantry::data {
namespace {

constexpr std::string_view kRules =
    "\n1. Rows are plain: ids and pointers are key values, dates ISO 8601 UTC text."
    "\n2. A pointer is compared and joined with the key's value; dotted paths follow it "
    "(\"customer_id.name\") in where, keys, order, group fields and pipelines."
    "\n3. Compare dates with ISO text."
    "\n4. Begin with get_all_schemas, then get_schema with class_names."
    "\n5. aggregate takes MongoDB pipelines; group_by and distinct summarise."
    "\n6. Read warnings and follow their repair; next_call is the next page; format csv costs "
    "least.";

constexpr std::size_t kMostFileBytes = 100;

// Names are the operator's, but a line of the text is ours.
std::string in_one_line(std::string_view name) {
  std::string text(name);
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return text;
}

std::string file_of(const std::string& path) {
  std::string name = in_one_line(path.substr(path.rfind('/') + 1));
  if (name.size() <= kMostFileBytes) return name;
  std::size_t end = kMostFileBytes;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U) --end;
  return name.substr(0, end) + "…";
}

// " It has 3 classes: a, b, c." of at most `room` bytes; of the operator's own classes first.
std::string classes_sentence(const Scope& scope, std::size_t room) {
  std::vector<const ClassView*> classes = scope.classes();
  std::stable_partition(classes.begin(), classes.end(),
                        [](const ClassView* cls) { return cls->type != ClassType::built_in; });
  if (classes.empty()) return " You may see no class of it.";
  std::string text = " It has " + std::to_string(classes.size()) +
                     (classes.size() == 1 ? " class: " : " classes: ");
  constexpr std::string_view kMore = "…";
  bool is_first = true;
  for (const ClassView* cls : classes) {
    const std::string name = (is_first ? "" : ", ") + in_one_line(cls->name);
    if (text.size() + name.size() + kMore.size() + 2 > room) return text.append(" ").append(kMore);
    text += name;
    is_first = false;
  }
  return text + ".";
}

}  // namespace

std::string introduction_text(const Request& request) {
  std::string text = (request.may_write ? "SQLite database " : "Read-only SQLite database ") +
                     file_of(request.store.name()) +
                     (request.may_write ? ", which you may change." : ".");
  text += classes_sentence(request.scope, kMostIntroductionBytes - kRules.size() - text.size());
  return text.append(kRules);
}

Reply introduction(const Request& request) {
  Reply reply;
  JsonWriter(reply.meta).begin_object().key("text").string(introduction_text(request)).end_object();
  return reply;
}

}  // namespace gantry::data
