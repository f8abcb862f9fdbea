#include "ops/doubts.hpp"

#include <algorithm>
#include <cctype>
#include <gantry/schema/nearest.hpp>

#include "errors/query_error.hpp"
#include "plan/read.hpp"
#include "plan/typing/type.hpp"
#include "values/iso_date.hpp"
#include "values/pattern.hpp"
#include "values/utf8.hpp"

namespace gantry::data {
namespace {

using typing::text_value;

constexpr std::int64_t kMostRows = 200'000;
constexpr std::uint64_t kMostValues = 1000;
constexpr std::size_t kMostShown = 20;

// An answer without objects, or of zeros and nulls alone, as aggregates of no rows are.
bool is_empty(const Reply& reply) {
  const bool is_array = reply.rows.starts_with("[[") || reply.rows == "[]";
  return (is_array && reply.rows.find_first_not_of("[]0,nul.") == std::string::npos) ||
         reply.meta.find("\"count\":0") != std::string::npos ||
         reply.meta.find("\"row_count\":0") != std::string::npos;
}

class Inquiry {
 public:
  explicit Inquiry(const Request& request) : context_(request) { context_.warnings = nullptr; }

  // Empty: there is nothing to say.
  std::string of(const Doubt& doubt) const {
    if (doubt.cls->estimated_rows > kMostRows && !is_indexed(doubt)) return {};
    if (doubt.literal.is_missing()) return of_null(doubt);
    if (finds(doubt, doubt.literal)) return {};
    return of_text(doubt);
  }

 private:
  static bool is_indexed(const Doubt& doubt) {
    const FieldView* const field = doubt.cls->find(doubt.path);
    return field != nullptr && field->indexed;
  }

  Array run(const ClassView& cls, Array stages, std::uint64_t most) const {
    Read read;
    read.view = &cls;
    read.stages = Value::array(std::move(stages));
    return read_documents(context_, read, most).list;
  }

  bool finds(const Doubt& doubt, Value value) const {
    const Value match = object_of("$match", object_of(doubt.path, std::move(value)));
    const Value first = object_of("$limit", Value::int32(1));
    const Value only =
        object_of("$project", object_of("found", object_of("$literal", Value::int32(1))));
    return !run(*doubt.cls, {match, first, only}, 1).empty();
  }

  std::string of_null(const Doubt& doubt) const {
    if (!finds(doubt, Value::null())) return {};
    return "'" + doubt.path +
           "' is NULL in some rows, and an expression takes NULL for smaller than " +
           "every value; leave them out with {\"" + doubt.path + "\": {\"$ne\": null}}.";
  }

  // The values of the field; those of arrays one by one.
  Array values(const Doubt& doubt) const {
    const Value path = text_value("$" + doubt.path);
    Array found =
        run(*doubt.cls,
            {object_of("$project",
                       ObjectBuilder().add("_id", Value::int32(0)).add("value", path).build()),
             object_of("$unwind", text_value("$value")),
             object_of("$group", object_of("_id", text_value("$value")))},
            kMostValues);
    for (Value& one : found) one = Value(one.find("_id"));
    return found;
  }

  std::string of_text(const Doubt& doubt) const {
    const std::string given(doubt.literal.text());
    const Array all = values(doubt);
    const bool has_dates =
        std::any_of(all.begin(), all.end(), [](const Value& one) { return one.is_date(); });
    const bool has_texts =
        std::any_of(all.begin(), all.end(), [](const Value& one) { return one.is_string(); });
    const std::string none = "No '" + clipped(doubt.path) + "' of class '" + doubt.cls->name +
                             "' equals '" + clipped(given) + "'";
    if (has_dates && !has_texts && parse_iso_date(given)) {
      return "'" + clipped(doubt.path) + "' of class '" + doubt.cls->name +
             "' holds dates, which " + (doubt.is_bound ? "compare with" : "equal") +
             " no text such as '" + clipped(given) + "'; did you mean {\"$date\":\"" +
             with_time(given) + "\"}?";
    }
    if (doubt.is_bound) return {};
    if (given.empty() && finds(doubt, Value::null())) return none + "; did you mean null?";
    const std::string meant = nearest_text(given, all);
    if (!meant.empty()) return none + "; did you mean '" + meant + "'?";
    const std::string known = all.size() > kMostShown ? std::string() : listed(all);
    return known.empty() ? known : none + known;
  }

  // "; it holds 'DE', 'FR'."
  static std::string listed(const Array& all) {
    std::string names;
    for (const Value& one : all) {
      if (!one.is_string()) return {};
      names += (names.empty() ? "'" : ", '") + clipped(one.text()) + "'";
    }
    return names.empty() ? names : "; it holds " + names + ".";
  }

  static std::string with_time(std::string_view date) {
    std::string text;
    append_iso_date(*parse_iso_date(date), text);
    return text;
  }

  // A text that differs in case only, else the nearest spelling.
  static std::string nearest_text(const std::string& given, const Array& all) {
    std::vector<std::string> names;
    for (const Value& one : all) {
      if (one.is_string() && one.text().size() <= 128) names.emplace_back(one.text());
    }
    for (const std::string& name : names) {
      if (same_but_for_case(given, name)) return name;
    }
    return std::string(schema::nearest(given, names).value_or(std::string_view()));
  }

  static bool same_but_for_case(std::string_view a, std::string_view b) {
    if (a.size() > 128 || !is_utf8(a)) return false;
    std::string pattern = "^";
    for (const char c : a) {
      if (static_cast<unsigned char>(c) < 0x80U &&
          std::isalnum(static_cast<unsigned char>(c)) == 0) {
        pattern += '\\';
      }
      pattern += c;
    }
    return Pattern(pattern + "$", "i").found_in(b);
  }

  ReadContext context_;
};

}  // namespace

void look_into_doubts(const Request& request, const Reply& reply) {
  if (request.warnings->doubts().empty()) return;
  const bool has_none = is_empty(reply);
  const Inquiry inquiry(request);
  for (const Doubt& doubt : request.warnings->doubts()) {
    if (doubt.is_met && !has_none) continue;
    try {
      std::string sentence = inquiry.of(doubt);
      if (!sentence.empty()) request.warnings->add(std::move(sentence));
    } catch (const QueryError&) {  // the answer stands without the warning
      return;
    }
  }
}

}  // namespace gantry::data
