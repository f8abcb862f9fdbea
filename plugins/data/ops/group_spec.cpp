#include "ops/group_spec.hpp"

#include <algorithm>
#include <span>

#include "ops/read_arguments.hpp"
#include "plan/typing/type.hpp"

namespace gantry::data {
namespace {

using typing::text_value;

struct Choice {
  std::string_view name;
  std::string_view meaning;
};

constexpr std::size_t kMostGroupFields = 3;

constexpr Choice kGroupOperations[] = {{"count", "$sum"},   {"sum", "$sum"}, {"avg", "$avg"},
                                       {"average", "$avg"}, {"min", "$min"}, {"max", "$max"}};
constexpr Choice kSorts[] = {
    {"value_desc", "value"}, {"value_asc", "value"}, {"key_desc", "_id"}, {"key_asc", "_id"}};
constexpr Choice kDirections[] = {{"asc", "_id"}, {"desc", "_id"}};
// A quarter's number follows its format.
constexpr Choice kIntervals[] = {{"year", "%Y"},
                                 {"quarter", "%Y-Q"},
                                 {"month", "%Y-%m"},
                                 {"week", "%G-W%V"},
                                 {"day", "%Y-%m-%d"},
                                 {"hour", "%Y-%m-%d %H:00"},
                                 {"minute", "%Y-%m-%d %H:%M"},
                                 {"second", "%Y-%m-%d %H:%M:%S"}};

Value reference(std::string_view path) { return Value::string("$" + std::string(path)); }

const Choice& choose(std::string_view what, std::string_view name,
                     std::span<const Choice> choices) {
  std::string names;
  for (const Choice& choice : choices) {
    if (choice.name == name) return choice;
    names += (names.empty() ? "" : ", ") + std::string(choice.name);
  }
  refuse_argument("'" + std::string(what) + "' must be one of " + names);
}

std::string_view text_or(const Request& request, const char* name, std::string_view otherwise) {
  const std::string_view given = optional_string(request, name);
  return given.empty() ? otherwise : given;
}

std::string_view path_argument(const char* name, std::string_view path) {
  if (path.empty()) refuse_argument("'" + std::string(name) + "' must not be empty");
  if (path.front() == '$') {
    refuse_argument("'" + std::string(name) + "' is a field's name without '$'");
  }
  return path;
}

std::string_view path_argument(const Request& request, const char* name) {
  return path_argument(name, required_string(request, name));
}

// A member of the key for a field; `taken` are those of the others.
std::string key_name(std::string_view path, const std::vector<std::string>& taken) {
  std::string name(path);
  std::replace(name.begin(), name.end(), '.', '_');
  while (std::find(taken.begin(), taken.end(), name) != taken.end()) name += '_';
  return name;
}

// The common first stages.
class GroupBuilder {
 public:
  GroupBuilder(const Request& request, std::int64_t limit, std::int64_t most) : request_(request) {
    grouping.read = requested_read(request);
    limit_ = optional_integer(request, "limit", limit, 1, most);
    grouping.limit = static_cast<std::uint64_t>(limit_);
  }

  // The argument `field`. Returns the key.
  Value field() {
    grouping.fields.emplace_back(path_argument(request_, "field"));
    parameters_.add("field", text_value(grouping.fields.front()));
    return reference(path_of(grouping.fields.front()));
  }

  // The argument `fields`, or `field`. Returns the key.
  Value fields() {
    const auto given = optional_strings(request_, "fields", kMostGroupFields);
    const bool has_field = !optional_string(request_, "field").empty();
    if (has_field && !given.empty()) refuse_argument("Use either 'field' or 'fields', not both");
    if (!has_field && given.empty()) {
      refuse_argument("'field' is missing: the field to group by, or up to 3 in 'fields'");
    }
    if (has_field) return field();
    ObjectBuilder key;
    Array listed;
    for (const std::string_view path : given) {
      grouping.names.push_back(key_name(path_argument("fields", path), grouping.names));
      grouping.fields.emplace_back(path);
      key.add(grouping.names.back(), reference(path_of(path)));
      listed.push_back(text_value(path));
    }
    parameters_.add("fields", Value::array(std::move(listed)));
    return key.build();
  }

  // The path under which stages read a field. A column whose own name has a dot is no path; it gets
  // another name first, once.
  std::string path_of(std::string_view name) {
    const ClassView& cls = *grouping.read.view;
    const bool is_own_name = name.find('.') != name.npos && cls.named(name) != nullptr;
    if (!is_own_name) return std::string(name);
    const auto known = std::find(renamed_.begin(), renamed_.end(), name);
    if (known != renamed_.end())
      return aliases_[static_cast<std::size_t>(known - renamed_.begin())];
    std::string alias = key_name(name, aliases_);
    while (cls.named(alias) != nullptr) alias = key_name(alias + '_', aliases_);
    add(object_of("$set", object_of(alias, object_of("$getField", text_value(name)))));
    renamed_.emplace_back(name);
    return aliases_.emplace_back(std::move(alias));
  }

  void add(Value stage) { stages_.push_back(std::move(stage)); }
  void parameter(std::string_view name, Value value) { parameters_.set(name, std::move(value)); }

  void sort(const Choice& choice) {
    const bool is_down = choice.name.ends_with("desc");
    ObjectBuilder keys;
    keys.add(std::string(choice.meaning), Value::int32(is_down ? -1 : 1));
    if (choice.meaning != "_id") keys.add("_id", Value::int32(1));
    add(object_of("$sort", keys.build()));
    parameter("sort", text_value(choice.name));
  }

  Grouping build() {
    add(object_of("$limit", Value::integer(limit_ + 1)));
    parameter("limit", Value::integer(limit_));
    grouping.parameters = parameters_.build();
    grouping.read.stages = Value::array(stages_);
    const Value& where = grouping.read.filter;
    if (!where.is_missing()) stages_.insert(stages_.begin(), object_of("$match", where));
    grouping.shown = Value::array(std::move(stages_));
    return std::move(grouping);
  }

  // {_id: key, value: …} by `operation` and `value_field`.
  void group(Value key) {
    const std::string_view name = text_or(request_, "operation", "count");
    const Choice& operation = choose("operation", name, kGroupOperations);
    grouping.operation = operation.name == "average" ? "avg" : std::string(operation.name);
    parameter("operation", text_value(grouping.operation));
    Value operand = Value::int32(1);
    if (operation.name != "count") {
      const std::string_view field = optional_string(request_, "value_field");
      if (field.empty()) {
        refuse_argument("'value_field' is missing: operation '" + grouping.operation +
                        "' needs the field to compute with");
      }
      operand = reference(path_of(path_argument(request_, "value_field")));
      parameter("value_field", text_value(field));
    }
    Value value = object_of(operation.meaning, std::move(operand));
    add(object_of(
        "$group",
        ObjectBuilder().add("_id", std::move(key)).add("value", std::move(value)).build()));
  }

  Grouping grouping;

 private:
  const Request& request_;
  std::vector<std::string> renamed_, aliases_;  // in the same order
  Array stages_;
  ObjectBuilder parameters_;
  std::int64_t limit_ = 0;
};

// The date in the form of the interval: "2026-11", "2026-Q4".
Value interval_key(const Choice& interval, const Value& date, std::string_view zone) {
  Value key = object_of("$dateToString", ObjectBuilder()
                                             .add("date", date)
                                             .add("format", text_value(interval.meaning))
                                             .add("timezone", text_value(zone))
                                             .build());
  if (interval.name != "quarter") return key;
  const Value month = object_of(
      "$month", ObjectBuilder().add("date", date).add("timezone", text_value(zone)).build());
  const Value third = object_of("$divide", Value::array({month, Value::int32(3)}));
  const Value number = object_of("$toInt", object_of("$ceil", third));
  return object_of("$concat", Value::array({std::move(key), object_of("$toString", number)}));
}

void check_date(const Grouping& grouping) {
  const ClassView& cls = *grouping.read.view;
  const std::string& name = grouping.fields.front();
  const FieldView* const field = cls.named(name);
  if (field == nullptr || field->kind == Kind::date || field->json || field->kind == Kind::any)
    return;
  std::string dates;
  for (const FieldView& other : cls.fields) {
    if (other.kind == Kind::date) dates += (dates.empty() ? "" : ", ") + other.name;
  }
  refuse_argument("Field '" + name + "' of class '" + cls.name + "' holds no dates. Date fields: " +
                  (dates.empty() ? "it has none" : dates) + ".");
}

// Whether an inner part of a dotted path may be an array.
bool may_hold_arrays(const ClassView& cls, std::string_view path) {
  if (cls.is_open()) return true;
  const FieldView* const root = cls.named(path.substr(0, path.find('.')));
  return root != nullptr && (root->json || root->kind == Kind::any);
}

// "0", "17": an index into an array, and possibly a field name.
bool is_place(std::string_view part) {
  constexpr std::size_t kMostDigits = 9;
  return !part.empty() && part.size() <= kMostDigits && (part == "0" || part.front() != '0') &&
         part.find_first_not_of("0123456789") == std::string_view::npos;
}

// Makes the element at that index available as a field named after the index.
Value with_place(std::string_view array, std::string_view place) {
  const Value element =
      object_of("$arrayElemAt",
                Value::array({reference(array), Value::int32(std::stoi(std::string(place)))}));
  const Value more = object_of(
      "$concatArrays", Value::array({Value::array({object_of(place, element)}), reference(array)}));
  const Value is_array = object_of("$isArray", reference(array));
  return object_of(
      "$set",
      object_of(array, object_of("$cond", Value::array({is_array, more, reference(array)}))));
}

}  // namespace

Grouping read_group_by(const Request& request) {
  GroupBuilder builder(request, 200, 1000);
  Value key = builder.fields();
  if (optional_flag(request, "flatten_arrays", false)) {
    for (const std::string& field : builder.grouping.fields) {
      builder.add(object_of("$unwind", reference(builder.path_of(field))));
    }
    builder.parameter("flatten_arrays", Value::boolean(true));
  }
  builder.group(std::move(key));
  builder.sort(choose("sort", text_or(request, "sort", "value_desc"), kSorts));
  return builder.build();
}

Grouping read_group_by_date(const Request& request) {
  GroupBuilder builder(request, 200, 1000);
  const Value field = builder.field();
  check_date(builder.grouping);
  const Choice& interval = choose("interval", required_string(request, "interval"), kIntervals);
  const std::string_view zone = text_or(request, "timezone", "UTC");
  Value key = interval_key(interval, field, zone);
  // A field that is not a date yields null.
  Value is_date = object_of("$eq", Value::array({object_of("$type", field), text_value("date")}));
  builder.parameter("interval", text_value(interval.name));
  builder.parameter("timezone", text_value(zone));
  builder.group(
      object_of("$cond", Value::array({std::move(is_date), std::move(key), Value::null()})));
  builder.sort(choose("sort", text_or(request, "sort", "key_asc"), kSorts));
  return builder.build();
}

Grouping read_distinct(const Request& request) {
  GroupBuilder builder(request, 1000, 5000);
  builder.field();
  // Unwinds each array on the path and the one at its end.
  const std::string field = builder.path_of(builder.grouping.fields.front());
  const bool has_way = may_hold_arrays(*builder.grouping.read.view, field);
  for (auto dot = field.find('.'); has_way && dot != std::string::npos;
       dot = field.find('.', dot + 1)) {
    const std::string_view way = std::string_view(field).substr(0, dot);
    const std::string_view rest = std::string_view(field).substr(dot + 1);
    const std::string_view part = rest.substr(0, rest.find('.'));
    if (is_place(part)) builder.add(with_place(way, part));
    builder.add(object_of("$unwind", reference(way)));
  }
  builder.add(object_of(
      "$project",
      ObjectBuilder().add("_id", Value::int32(0)).add("value", reference(field)).build()));
  // null is a value; a missing field and an empty array are not.
  builder.add(object_of("$unwind", ObjectBuilder()
                                       .add("path", text_value("$value"))
                                       .add("preserveNullAndEmptyArrays", Value::boolean(true))
                                       .build()));
  builder.add(object_of("$match", object_of("value", object_of("$exists", Value::boolean(true)))));
  builder.add(object_of("$group", object_of("_id", text_value("$value"))));
  builder.sort(choose("sort", text_or(request, "sort", "asc"), kDirections));
  return builder.build();
}

}  // namespace gantry::data
