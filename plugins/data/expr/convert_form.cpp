#include <algorithm>
#include <array>
#include <optional>

#include "expr/convert.hpp"
#include "expr/named_operands.hpp"
#include "expr/nodes.hpp"
#include "expr/numbers.hpp"
#include "expr/types.hpp"

namespace gantry::data::expr {
namespace {

struct TypeName {
  std::string_view name;
  int code;
  Target target;
};
constexpr TypeName kTypes[] = {
    {"double", 1, Target::real},
    {"string", 2, Target::string},
    {"object", 3, Target::unsupported},
    {"array", 4, Target::unsupported},
    {"binData", 5, Target::bytes},
    {"undefined", 6, Target::unsupported},
    {"objectId", 7, Target::object_id},
    {"bool", 8, Target::boolean},
    {"date", 9, Target::date},
    {"null", 10, Target::unsupported},
    {"regex", 11, Target::unsupported},
    {"dbPointer", 12, Target::unsupported},
    {"javascript", 13, Target::unsupported},
    {"symbol", 14, Target::unsupported},
    {"javascriptWithScope", 15, Target::unsupported},
    {"int", 16, Target::int32},
    {"timestamp", 17, Target::unsupported},
    {"long", 18, Target::int64},
    {"decimal", 19, Target::decimal},
    {"minKey", -1, Target::unsupported},
    {"maxKey", 127, Target::unsupported},
    {"missing", 0, Target::unsupported},
};

struct FormatName {
  std::string_view name;
  Format format;
};
constexpr FormatName kFormats[] = {
    {"auto", Format::automatic}, {"base64", Format::base64}, {"base64url", Format::base64url},
    {"utf8", Format::utf8},      {"hex", Format::hex},       {"uuid", Format::uuid},
};

template <class Table>
auto entry_named(const Table& table, std::string_view name) {
  const auto it = std::find_if(std::begin(table), std::end(table),
                               [&](const auto& entry) { return entry.name == name; });
  return it == std::end(table) ? nullptr : &*it;
}

Target target_of(const Value& type) {
  const TypeName* known = nullptr;
  if (type.is_string()) {
    known = entry_named(kTypes, type.text());
  } else if (type.is_number()) {
    const auto code = whole_long(type);
    const auto it = std::find_if(std::begin(kTypes), std::end(kTypes), [&](const TypeName& entry) {
      return code && entry.code == *code;
    });
    known = it == std::end(kTypes) ? nullptr : &*it;
  } else {
    refuse_type("$convert's to", "the name or number of a type", type);
  }
  if (known != nullptr) return known->target;
  throw QueryError("$convert's to is no type; use one of bool, int, long, double, string, date.");
}

// The operand `to`: {type: "binData", subtype: 0}, or the type alone. As in MongoDB, other members
// have no meaning.
struct Aim {
  Target target = Target::unsupported;
  Value subtype;  // missing if absent
};

Aim aim_of(const Value& to) {
  if (!to.is_object()) return {target_of(to), {}};
  return {target_of(to.find("type")), to.find("subtype")};
}

void check_subtype(const Value& subtype) {
  if (subtype.is_missing()) return;
  const auto number = subtype.is_number() ? whole_long(subtype) : std::nullopt;
  if (number && *number == 0) return;
  const bool known =
      number && ((*number > 0 && *number <= 9) || (*number >= 128 && *number <= 255));
  throw QueryError(known
                       ? "$convert would make binary data of a subtype that is not supported here; "
                         "only 0 is."
                       : "$convert's subtype is none of binary data; use 0.");
}

Format format_of(const Value& format) {
  if (format.is_nullish()) return Format::none;
  if (!format.is_string()) refuse_type("$convert's format", "a string", format);
  if (const auto* known = entry_named(kFormats, format.text())) return known->format;
  throw QueryError("$convert's format is one of auto, base64, base64url, hex, utf8 and uuid.");
}

bool is_big_endian(const Value& order) {
  if (order.is_nullish()) return false;
  if (!order.is_string()) refuse_type("$convert's byteOrder", "a string", order);
  if (order.text() == "big" || order.text() == "little") return order.text() == "big";
  throw QueryError("$convert's byteOrder is \"little\" or \"big\".");
}

enum ConvertOperand : std::size_t {
  kConvertInput,
  kTo,
  kFormat,
  kByteOrder,
  kOnError,
  kOnNull,
  kConvertOperands
};
constexpr std::array<Parameter, kConvertOperands> kConvertParameters = {
    Parameter{"input", true}, Parameter{"to", true}, Parameter{"format"},
    Parameter{"byteOrder"},   Parameter{"onError"},  Parameter{"onNull"}};

class Convert final : public Expression {
 public:
  explicit Convert(std::vector<ExpressionPtr> operands) : operands_(std::move(operands)) {}

  Value evaluate(Context& context) const override {
    const Value to = value_of(kTo, context);
    const Value input = value_of(kConvertInput, context);
    std::optional<Aim> aim;
    if (!to.is_nullish()) aim = aim_of(to);
    if (input.is_nullish()) {
      return operands_[kOnNull] ? value_of(kOnNull, context) : Value::null();
    }
    return aim ? converted(*aim, input, context) : Value::null();
  }
  void add_paths(std::set<std::string>& paths) const override { add_all_paths(operands_, paths); }
  const std::vector<ExpressionPtr>& operands() const { return operands_; }

 private:
  // Missing if the operand is absent.
  Value value_of(ConvertOperand operand, Context& context) const {
    return operands_[operand] ? operands_[operand]->evaluate(context) : Value();
  }

  Value converted(const Aim& aim, const Value& input, Context& context) const {
    const Conversion conversion = {"$convert", aim.target, format_of(value_of(kFormat, context)),
                                   is_big_endian(value_of(kByteOrder, context))};
    if (aim.target == Target::bytes) check_subtype(aim.subtype);
    if (!operands_[kOnError]) return convert(conversion, input);
    try {
      return convert(conversion, input);
    } catch (const ConversionFailure&) {
      return value_of(kOnError, context);
    }
  }

  std::vector<ExpressionPtr> operands_;
};

}  // namespace

ExpressionPtr parse_convert(std::string_view name, const Value& operand, Variables& variables) {
  const auto given = named_operands(name, operand, kConvertParameters);
  std::vector<ExpressionPtr> operands(kConvertOperands);
  for (std::size_t i = 0; i < kConvertOperands; ++i) {
    if (!given[i].is_missing()) operands[i] = parse_expression(given[i], variables);
  }
  if (auto failing = take_failing(operands)) return failing;
  auto node = std::make_unique<const Convert>(std::move(operands));
  const auto& kept = node->operands();
  return fold(std::move(node), kept);
}

}  // namespace gantry::data::expr
