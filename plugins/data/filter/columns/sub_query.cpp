#include "filter/columns/sub_query.hpp"

#include <string>

#include "filter/columns/refusal.hpp"
#include "values/utf8.hpp"

namespace gantry::data::columns {
namespace {

constexpr std::int64_t kMostSubQueryRows = std::int64_t{1} << 53;

[[noreturn]] void refuse_sub_query(std::string_view op, const std::string& what) {
  refuse("Operator " + std::string(op) + " " + what);
}

bool selects(std::string_view op) { return op == "$select" || op == "$dontSelect"; }

void check_member(bool is_right, std::string_view name, std::string_view wanted) {
  if (is_right) return;
  refuse("'" + std::string(name) + "' of a sub-query is " + std::string(wanted) + ".");
}

std::uint64_t count_in(const Member& one) {
  const Value& count = one.value;
  check_member(count.is_integral() && count.integer() >= 0 && count.integer() <= kMostSubQueryRows,
               one.name, "a whole number that is not negative");
  return static_cast<std::uint64_t>(count.integer());
}

void read_member(std::string_view op, const Member& one, SubQuery& query) {
  const auto& [name, value] = one;
  if (name == "className") {
    check_member(value.is_string(), name, "a string");
    query.class_name = value.text();
  } else if (name == "where") {
    check_member(value.is_object(), name, "an object");
    query.where = &value;
  } else if (name == "order") {
    check_member(value.is_string(), name, "a string");
    query.order = value.text();
  } else if (name == "limit") {
    query.limit = count_in(one);
  } else if (name == "skip") {
    query.skip = count_in(one);
  } else {
    refuse_sub_query(op, "knows className, where, limit, skip and order; '" + clipped(name) +
                             "' is none of them.");
  }
}

}  // namespace

bool is_related(std::string_view op) {
  return op == "$inQuery" || op == "$notInQuery" || selects(op);
}

SubQuery read_sub_query(std::string_view op, const Value& operand) {
  const bool has_key = selects(op);
  const Value& rows = has_key ? operand.find("query") : operand;
  const Value& key = operand.find("key");
  const bool is_whole =
      rows.is_object() &&
      (!has_key || (operand.members().size() == 2 && key.is_string() && !key.text().empty()));
  if (!is_whole) {
    refuse_sub_query(op, has_key
                             ? R"(needs {"query": {"className": …, "where": {…}}, "key": "field"}.)"
                             : R"(needs {"className": …, "where": {…}}.)");
  }
  SubQuery query;
  if (has_key) query.key = key.text();
  for (const Member& one : rows.members()) read_member(op, one, query);
  if (query.class_name.empty()) refuse_sub_query(op, "needs a className.");
  return query;
}

}  // namespace gantry::data::columns
