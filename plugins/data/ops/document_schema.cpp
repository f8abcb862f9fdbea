#include "ops/document_schema.hpp"

#include <string>
#include <unordered_map>

#include "plan/class_source.hpp"
#include "rows/document_reader.hpp"
#include "sql/row_order.hpp"
#include "values/pointer.hpp"

namespace gantry::data {
namespace {

constexpr int kMostSampled = 200;
constexpr std::size_t kMostBytes = 4u << 20;

Kind kind_of(const Value& value) {
  switch (value.type()) {
    case Value::Type::int32:
    case Value::Type::int64:
      return Kind::integer;
    case Value::Type::real:
      return Kind::number;
    case Value::Type::string:
      return Kind::string;
    case Value::Type::object:
      return pointer_id(value).is_missing() ? Kind::object : Kind::pointer;
    case Value::Type::array:
      return Kind::array;
    case Value::Type::bytes:
      return Kind::bytes;
    case Value::Type::boolean:
      return Kind::boolean;
    case Value::Type::date:
      return Kind::date;
    case Value::Type::missing:
    case Value::Type::null:
      break;
  }
  return Kind::any;
}

bool is_numeric(Kind kind) { return kind == Kind::integer || kind == Kind::number; }

Kind both(Kind a, Kind b) {
  if (a == b) return a;
  return is_numeric(a) && is_numeric(b) ? Kind::number : Kind::any;
}

class Fields {
 public:
  void see(const Value& document) {
    for (const Member& member : document.members()) see(member);
  }
  std::vector<SeenField> take() { return std::move(fields_); }

 private:
  void see(const Member& member) {
    Spending::step_current();
    const auto [known, is_new] = places_.try_emplace(member.name, fields_.size());
    if (is_new) fields_.push_back({member.name, Kind::any}), typed_.push_back(false);
    if (member.value.is_nullish()) return;
    const std::size_t at = known->second;
    const Kind kind = kind_of(member.value);
    fields_[at].kind = typed_[at] ? both(fields_[at].kind, kind) : kind;
    typed_[at] = true;
  }

  std::unordered_map<std::string, std::size_t> places_;  // in fields_, by name
  std::vector<SeenField> fields_;
  std::vector<bool> typed_;  // a value other than null was seen
};

// Returns false at the end. `document` is empty for a row that does not hold a document.
bool next_document(pipeline::Stream& stream, Value& document) {
  try {
    return stream.next(document);
  } catch (const NoDocument&) {
    document = ObjectBuilder().build();
    return true;
  }
}

}  // namespace

std::vector<SeenField> seen_fields(const Request& request, const ClassView& cls) {
  if (cls.is_view()) request.scope.lose_determinism();
  ClassSource source(request);
  const pipeline::StreamPtr stream = source.scan_where(cls, nullptr, in_own_order(cls, {}));
  Fields fields;
  std::size_t bytes = 0;
  Value document;
  for (int i = 0; i < kMostSampled && bytes < kMostBytes; ++i) {
    if (!next_document(*stream, document)) break;
    fields.see(document);
    bytes += weight_of(document);
  }
  return fields.take();
}

}  // namespace gantry::data
