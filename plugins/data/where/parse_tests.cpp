#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "rows/object_id.hpp"
#include "values/extended_json.hpp"
#include "values/query_error.hpp"
#include "where/operand.hpp"
#include "where/parser.hpp"
#include "where/refusal.hpp"

namespace gantry::data::where {
namespace {

struct TypeName {
  std::string_view name;
  int code;
  std::uint32_t bits;
};

// Types that stored values never have are allowed and match nothing.
constexpr std::array<TypeName, 22> kTypes = {{
    {"double", 1, TypeBit::kDouble},
    {"string", 2, TypeBit::kString},
    {"object", 3, TypeBit::kObject},
    {"array", 4, TypeBit::kArray},
    {"binData", 5, TypeBit::kBytes},
    {"undefined", 6, 0},
    {"objectId", 7, 0},
    {"bool", 8, TypeBit::kBoolean},
    {"date", 9, TypeBit::kDate},
    {"null", 10, TypeBit::kNull},
    {"regex", 11, 0},
    {"dbPointer", 12, 0},
    {"javascript", 13, 0},
    {"symbol", 14, 0},
    {"javascriptWithScope", 15, 0},
    {"int", 16, TypeBit::kInt},
    {"timestamp", 17, 0},
    {"long", 18, TypeBit::kLong},
    {"decimal", 19, 0},
    {"minKey", -1, 0},
    {"maxKey", 127, 0},
    {"number", 0, TypeBit::kDouble | TypeBit::kInt | TypeBit::kLong},
}};

std::string_view text_of(const Json& json) { return {json.GetString(), json.GetStringLength()}; }

[[noreturn]] void refuse_for(std::string_view op, const Subject& subject, std::string_view why) {
  refuse("Operator " + std::string(op) + " does not apply to field '" + subject.name +
         "': " + std::string(why) + ".");
}

// The operand as a 64-bit integer, cut off toward zero.
std::optional<std::int64_t> truncated(const Json& json) {
  const View view = view_of(json);
  if (view.type != View::Type::number) return std::nullopt;
  if (!view.is_real) return view.integer;
  const double whole = std::trunc(view.real);
  if (!(whole >= -9223372036854775808.0 && whole < 9223372036854775808.0)) return std::nullopt;
  return static_cast<std::int64_t>(whole);
}

void add_operands(const Subject& subject, std::string_view op, const Json& json,
                  const Context& context, std::vector<View>& values) {
  if (!subject.is_typed()) return values.push_back(view_of(json));
  for (const View& view : to_operands(json, *subject.column, op, context.scope, *context.source)) {
    values.push_back(view);
  }
}

// Matches rows with one of these composite ids, whose parts are columns.
Node composite_test(const std::vector<View>& ids, const Context& context) {
  std::vector<Node> tests;
  for (const View& id : ids) {
    if (id.is_nothing()) continue;  // no key has this form
    auto parts = parse_object_id(context.cls, id.text);
    if (!parts) refuse(parts.message());
    for (IdPart& part : *parts) part.column.insert(0, context.options.qualifier);
    tests.push_back(Node::of(id_condition(*parts)));
  }
  return Node::group(Node::Type::any, std::move(tests));
}

void check_orderable(const Subject& subject, std::string_view op) {
  if (!subject.is_typed()) return;
  if (subject.column->field.kind == Kind::pointer && !subject.column->is_id) {
    refuse_for(op, subject, "pointers have no order; use $eq, $in or $inQuery");
  }
  if (subject.column->is_composite()) {
    refuse_for(op, subject, "its ids are made of several columns; compare those");
  }
}

const TypeName* find_type(const Json& json) {
  for (const TypeName& type : kTypes) {
    if (json.IsString() && text_of(json) == type.name) return &type;
    const bool coded = json.IsNumber() && json.GetDouble() == type.code && type.code != 0;
    if (coded) return &type;
  }
  return nullptr;
}

std::uint32_t type_bits(const Json& json) {
  if (const TypeName* type = find_type(json)) return type->bits;
  std::string names;
  for (const TypeName& type : kTypes) names += (names.empty() ? "" : ", ") + std::string(type.name);
  refuse("$type needs a type's name or number, or an array of them. Names: " + names + ".");
}

void check_regex(const Subject& subject, const Json& operand) {
  if (!operand.IsString()) {
    refuse("$regex needs a pattern as a string, not " + std::string(described(operand)) + ".");
  }
  if (!subject.is_typed()) return;
  const Kind kind = subject.column->stored_kind();
  const bool pointer = !subject.column->is_id && subject.column->field.kind == Kind::pointer;
  if (pointer || subject.column->is_composite() || (kind != Kind::string && kind != Kind::any)) {
    refuse_for("$regex", subject, "it holds no text");
  }
}

bool is_expression(const Json& value) {
  return value.IsObject() && value.MemberCount() > 0 &&
         text_of(value.MemberBegin()->name).starts_with('$') && !is_literal(value);
}

}  // namespace

Node equals_any(const Subject& subject, std::vector<View> values, const Context& context) {
  if (subject.is_typed() && subject.column->is_composite()) return composite_test(values, context);
  if (values.size() == 1) return leaf(subject, Compare{Order::eq, values.front()});
  return leaf(subject, OneOf{ValueSet(std::move(values))});
}

Node compare_test(const Subject& subject, std::string_view op, Order order, const Json& operand,
                  const Context& context) {
  if (order != Order::eq) check_orderable(subject, op);
  if (is_expression(operand)) {
    refuse("Operator " + std::string(op) + " compares with a value, not with another operator.");
  }
  std::vector<View> values;
  add_operands(subject, op, operand, context, values);
  if (order == Order::eq) return equals_any(subject, std::move(values), context);
  return leaf(subject, Compare{order, values.front()});
}

Node in_test(const Subject& subject, std::string_view op, const Json& operand,
             const Context& context) {
  std::vector<View> values;
  for (const Json& value : listed(op, operand, context)) {
    if (is_expression(value)) {
      refuse("Operator " + std::string(op) + " lists values, not operators.");
    }
    add_operands(subject, op, value, context, values);
  }
  if (values.empty()) return Node::group(Node::Type::any, {});
  return equals_any(subject, std::move(values), context);
}

Node exists_test(const Subject& subject, const Json& operand) {
  const View given = view_of(operand);
  if (given.type != View::Type::boolean && given.type != View::Type::number) {
    refuse("$exists needs true or false, not " + std::string(described(operand)) + ".");
  }
  const bool is_wanted = given.is_real ? given.real != 0 : given.integer != 0;
  Node node = leaf(subject, Exists{});
  return is_wanted ? node : Node::negated(std::move(node));
}

Node regex_test(const Subject& subject, const Json& operand, const Json& document) {
  check_regex(subject, operand);
  std::string_view options;
  if (const auto found = document.FindMember("$options"); found != document.MemberEnd()) {
    if (!found->value.IsString()) refuse("$options needs a string of the letters i, m, s, x.");
    options = text_of(found->value);
  }
  return leaf(subject, Found{std::make_shared<const Regex>(text_of(operand), options)});
}

Node modulo_test(const Subject& subject, const Json& operand) {
  if (!operand.IsArray() || operand.Size() != 2) {
    refuse("$mod needs an array of two numbers: [divisor, remainder].");
  }
  const auto divisor = truncated(operand[0]);
  const auto remainder = truncated(operand[1]);
  if (!divisor || !remainder) refuse("$mod needs two numbers within 64 bits.");
  if (*divisor == 0) refuse("The divisor of $mod cannot be 0.");
  if (subject.is_typed()) {
    const Kind kind = subject.column->field.kind;
    const bool numeric = kind == Kind::integer || kind == Kind::number || kind == Kind::any;
    if (!numeric || subject.column->is_id) refuse_for("$mod", subject, "it holds no numbers");
  }
  // Dividing the smallest integer by -1 overflows; a divisor of 1 gives the same remainder.
  return leaf(subject, Modulo{*divisor == -1 ? 1 : *divisor, *remainder});
}

Node bits_test(const Subject& subject, std::string_view op, const Json& operand,
               const Context& context) {
  if (operand.IsArray()) context.budget.spend_listed(operand.Size());
  if (subject.is_typed()) {
    const Kind kind = subject.column->field.kind;
    const bool has_bits =
        kind == Kind::integer || kind == Kind::number || kind == Kind::bytes || kind == Kind::any;
    if (!has_bits || subject.column->is_id) {
      refuse_for(op, subject, "it holds neither numbers nor binary data");
    }
  }
  try {
    const Value bits = read_extended(operand, {.parse_types = true});
    return leaf(subject, HasBits{std::make_shared<const match::Bits>(op, bits)});
  } catch (const QueryError& error) {
    throw Refusal{error.error()};
  }
}

Node type_test(const Subject& subject, const Json& operand) {
  std::uint32_t bits = 0;
  if (!operand.IsArray()) return leaf(subject, HasType{type_bits(operand)});
  if (operand.Empty()) refuse("$type needs at least one type.");
  for (const Json& type : operand.GetArray()) bits |= type_bits(type);
  return leaf(subject, HasType{bits});
}

Node size_test(const Subject& subject, const Json& operand) {
  const auto size = truncated(operand);
  const View view = view_of(operand);
  const bool whole = size && (!view.is_real || view.real == static_cast<double>(*size));
  const bool fits = whole && *size >= 0 && *size <= std::numeric_limits<std::int32_t>::max();
  if (!fits) refuse("$size needs a whole number from 0 to 2147483647.");
  if (subject.is_typed()) refuse_for("$size", subject, "it holds no arrays");
  return leaf(subject, HasSize{static_cast<std::uint64_t>(*size)});
}

Node contained_test(const Subject& subject, const Json& operand, const Context& context) {
  std::vector<View> values;
  for (const Json& value : listed("$containedBy", operand, context)) {
    values.push_back(view_of(value));
  }
  if (subject.is_typed()) refuse_for("$containedBy", subject, "it holds no arrays");
  return leaf(subject, Contained{ValueSet(std::move(values))});
}

}  // namespace gantry::data::where
