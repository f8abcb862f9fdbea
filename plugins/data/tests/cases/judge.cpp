// Reads cases, and compares answers.
#include <algorithm>
#include <cmath>
#include <exception>

#include "case.hpp"
#include "errors/query_error.hpp"
#include "values/extended_json.hpp"

namespace gantry::data::cases {
namespace {

constexpr double kTolerance = 1e-13;

bool same_number(const Value& a, const Value& b, bool strict) {
  if (strict && a.type() != b.type()) return false;
  if (compare(a, b) == 0) return true;
  if (!a.is_real() || !b.is_real()) return false;
  const double larger = std::max(std::abs(a.real()), std::abs(b.real()));
  return std::abs(a.real() - b.real()) <= larger * kTolerance;
}

// The recordings do not preserve the order of members.
bool same_members(const Value& a, const Value& b, bool strict) {
  const auto is_in_b = [&](const Member& member) {
    const Value& other = b.find(member.name);
    return !other.is_missing() && same_answer(member.value, other, strict);
  };
  return a.members().size() == b.members().size() &&
         std::all_of(a.members().begin(), a.members().end(), is_in_b);
}

// Sorts the arrays without a defined order, so that they can be compared element by element.
Value with_sorted(Value documents, const Array& fields) {
  if (fields.empty() || !documents.is_array()) return documents;
  for (Value& document : documents.own_elements()) {
    if (!document.is_object()) continue;
    for (Member& member : document.own_members()) {
      const auto is_it = [&](const Value& field) { return field.text() == member.name; };
      if (!member.value.is_array() || std::none_of(fields.begin(), fields.end(), is_it)) continue;
      Array& elements = member.value.own_elements();
      std::stable_sort(elements.begin(), elements.end(),
                       [](const Value& a, const Value& b) { return compare(a, b) < 0; });
    }
  }
  return documents;
}

std::string text_of(const Value& value) {
  std::string text;
  append_value_json(value, JsonDialect::extended, text);
  return text;
}

Judgement judge_answer(const Case& one, const Value& got, bool strict) {
  if (got.is_missing()) return {Verdict::skipped, ""};
  if (one.wants_error) return {Verdict::accepted, text_of(got)};
  const bool is_list = got.is_array() && one.expected.is_array();
  const bool same = is_list
                        ? same_list(got.elements(), one.expected.elements(), one.any_order, strict)
                        : same_answer(got, one.expected, strict);
  return {same ? Verdict::right : Verdict::wrong, text_of(got)};
}

}  // namespace

std::optional<Case> read_case(std::string_view line) {
  const auto json = read_extended(line);
  if (!json || !json->find("id").is_string()) return std::nullopt;
  Case one;
  one.id = std::string(json->find("id").text());
  one.setup = json->find("setup");
  one.command = json->find("cmd");
  one.expected = json->find("expected");
  one.wants_error = one.expected.is_missing();
  const Value& fields = json->find("opts").find("anyOrderIn");
  if (fields.is_array()) one.any_order_in = fields.elements();
  one.expected = with_sorted(std::move(one.expected), one.any_order_in);
  one.any_order = json->find("opts").find("anyOrder").is_true();
  return one;
}

bool same_answer(const Value& a, const Value& b, bool strict) {
  if (a.is_number() && b.is_number()) return same_number(a, b, strict);
  if (a.type() != b.type()) return false;
  if (a.is_object()) return same_members(a, b, strict);
  if (a.is_array()) return same_list(a.elements(), b.elements(), false, strict);
  return compare(a, b) == 0;
}

bool same_list(const Array& a, const Array& b, bool any_order, bool strict) {
  const auto same = [&](const Value& x, const Value& y) { return same_answer(x, y, strict); };
  return any_order ? std::is_permutation(a.begin(), a.end(), b.begin(), b.end(), same)
                   : std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

Judgement judge(const Case& one, bool strict) {
  try {
    return judge_answer(one, with_sorted(answer(one.setup, one.command), one.any_order_in), strict);
  } catch (const QueryError& error) {
    return {one.wants_error ? Verdict::right : Verdict::refused, error.what()};
  } catch (const std::exception& error) {
    return {Verdict::wrong, std::string("fault: ") + error.what()};
  }
}

}  // namespace gantry::data::cases
