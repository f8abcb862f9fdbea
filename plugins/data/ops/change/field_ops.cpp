#include "ops/change/field_ops.hpp"

#include <gantry/json.hpp>

#include <cmath>
#include <utility>
#include <vector>

#include <rapidjson/document.h>

#include "policy/internal.hpp"
#include "values/extended_json.hpp"
#include "values/json_text.hpp"
#include "write/convert.hpp"
#include "write/document.hpp"
#include "write/json_cell.hpp"

namespace gantry::data {
namespace {

using Document = rapidjson::Value;

constexpr std::size_t kMostObjects = 1000;

// Null: it is absent.
const Document* given(const Document& json, const char* name) {
  const auto found = json.FindMember(name);
  return found == json.MemberEnd() ? nullptr : &found->value;
}

std::optional<FieldOp::Type> type_named(std::string_view name) {
  using Type = FieldOp::Type;
  if (name == "Increment") return Type::increment;
  if (name == "Add") return Type::add;
  if (name == "AddUnique") return Type::add_unique;
  if (name == "Remove") return Type::remove;
  if (name == "Delete") return Type::unset;
  return std::nullopt;
}

Status check(const FieldOp& op) {
  if (op.type == FieldOp::Type::increment) {
    if (op.operand != nullptr && op.operand->IsNumber()) return {};
    return Status::invalid("Increment needs a number as 'amount'");
  }
  if (!op.is_of_list()) return {};
  if (op.operand == nullptr || !op.operand->IsArray()) {
    return Status::invalid("the operation needs an array as 'objects'");
  }
  if (op.operand->Size() > kMostObjects) return Status::invalid("'objects' has more than 1000");
  return {};
}

bool adds_up(std::int64_t a, std::int64_t b, std::int64_t& sum) {
  return !__builtin_add_overflow(a, b, &sum);
}

Status too_large() { return Status::invalid("the sum is beyond 64 bits"); }

Status no_number() { return Status::invalid("Increment needs a field that holds a number"); }

Result<std::string> element_text(const Document& json, bool extended) {
  std::string text = write::json_text_of(json);
  return extended ? write::stored_value_of(text) : Result<std::string>(std::move(text));
}

Value value_of_text(std::string_view text) {
  auto value = read_extended(text, {.parse_types = true, .keep_first_duplicate = true});
  return value ? std::move(*value) : Value();
}

// A list of JSON texts with their values.
class List {
 public:
  void add(std::string text) {
    values_.push_back(value_of_text(text));
    texts_.push_back(std::move(text));
  }
  bool has(const Value& value) const {
    for (const Value& one : values_) {
      if (one == value) return true;
    }
    return false;
  }
  void remove(const Value& value) {
    for (std::size_t i = values_.size(); i-- > 0;) {
      if (!(values_[i] == value)) continue;
      values_.erase(values_.begin() + static_cast<long>(i));
      texts_.erase(texts_.begin() + static_cast<long>(i));
    }
  }
  std::string text() const {
    std::string all = "[";
    for (const std::string& one : texts_) all += (all.size() > 1 ? "," : "") + one;
    return all + "]";
  }

 private:
  std::vector<std::string> texts_;
  std::vector<Value> values_;
};

bool is_seen_whole(const Value& value, const ClassFilter* shown) {
  Value seen = value;
  drop_internal(seen, shown);
  return seen == value;
}

Result<std::string> changed_list(const FieldOp& op, std::string_view stored, bool extended,
                                 const ClassFilter* shown) {
  List list;
  if (!stored.empty()) {
    const auto json = gantry::Json::parse(stored);
    if (!json || !json->is_array()) {
      return Status::invalid("Add, AddUnique and Remove need a field that holds an array");
    }
    for (const gantry::Json element : json->elements()) list.add(std::string(element.text()));
  }
  for (const Document& one : op.operand->GetArray()) {
    auto text = element_text(one, extended);
    if (!text) return text.status();
    const Value value = value_of_text(*text);
    if (!is_seen_whole(value, shown))
      return Status::invalid("'objects' has a pointer to a class that this agent does not see");
    if (op.type == FieldOp::Type::remove) {
      list.remove(value);
    } else if (op.type == FieldOp::Type::add || !list.has(value)) {
      list.add(*std::move(text));
    }
  }
  return list.text();
}

Result<Value> sum_of(const Value& stored, const Document& amount) {
  if (!stored.is_nullish() && !stored.is_number()) return no_number();
  const bool is_whole = amount.IsInt64() && (stored.is_nullish() || stored.is_integral());
  if (is_whole) {
    std::int64_t sum = 0;
    const std::int64_t from = stored.is_nullish() ? 0 : stored.integer();
    if (!adds_up(from, amount.GetInt64(), sum)) return too_large();
    return Value::integer(sum);
  }
  if (stored.is_integral() && !write::fits_double(stored.integer())) return too_large();
  const double sum = (stored.is_nullish() ? 0 : stored.number()) + amount.GetDouble();
  if (!std::isfinite(sum)) return too_large();
  return Value::real(sum);
}

}  // namespace

Result<std::optional<FieldOp>> field_op_of(const Document& json) {
  if (!json.IsObject()) return std::optional<FieldOp>();
  const Document* const name = given(json, "__op");
  if (name == nullptr) return std::optional<FieldOp>();
  const auto type = name->IsString() ? type_named({name->GetString(), name->GetStringLength()})
                                     : std::optional<FieldOp::Type>();
  if (!type) {
    return Status::invalid("'__op' must be Increment, Add, AddUnique, Remove or Delete");
  }
  FieldOp op{*type};
  op.operand = given(json, *type == FieldOp::Type::increment ? "amount" : "objects");
  if (Status status = check(op); !status) return status;
  return std::optional(op);
}

Result<write::Stored> incremented(const FieldOp& op, const StoredValue& stored) {
  if (!stored.is_null() && !stored.is_number()) return no_number();
  write::Stored sum;
  if (op.operand->IsInt64() && stored.type != StoredValue::Type::real) {
    sum.type = StoredValue::Type::integer;
    if (!adds_up(stored.integer, op.operand->GetInt64(), sum.integer)) return too_large();
    return sum;
  }
  const bool is_whole = stored.type == StoredValue::Type::integer;
  if (is_whole && !write::fits_double(stored.integer)) return too_large();
  sum.type = StoredValue::Type::real;
  sum.real = stored.number() + op.operand->GetDouble();
  if (!std::isfinite(sum.real)) return too_large();
  return sum;
}

Result<std::string> changed_json(const FieldOp& op, std::string_view stored, bool extended,
                                 const ClassFilter* shown) {
  if (op.is_of_list()) return changed_list(op, stored, extended, shown);
  if (write::loses_digits(stored)) {
    return Status::invalid("the stored number has more digits than Increment keeps");
  }
  const Value before = stored.empty() ? Value() : value_of_text(stored);
  auto sum = sum_of(before, *op.operand);
  if (!sum) return sum.status();
  std::string text;
  append_value_json(*sum, extended ? JsonDialect::extended : JsonDialect::plain, text);
  return text;
}

}  // namespace gantry::data
