#include "tools/gantry/mcp/arguments.hpp"

#include <algorithm>

#include <rapidjson/document.h>
#include <rapidjson/error/en.h>

#include "host/base/numbers.hpp"
#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/nearest.hpp"

namespace gantry::cli {
namespace {

using rapidjson::Document;
using rapidjson::Value;

bool equals_text(const Value& value, std::string_view text) {
  return value.IsString() && std::string_view(value.GetString(), value.GetStringLength()) == text;
}

// Whether the schema's type allows `type`, and says so.
bool takes(const Value& schema, std::string_view type) {
  const Value* types = find_member(schema, "type");
  if (types == nullptr) return false;
  if (!types->IsArray()) return equals_text(*types, type);
  return std::any_of(types->Begin(), types->End(),
                     [type](const Value& one) { return equals_text(one, type); });
}

bool has_text_option(const Value& schema, std::string_view text) {
  const Value* options = find_member(schema, "enum");
  return options != nullptr && options->IsArray() &&
         std::any_of(options->Begin(), options->End(),
                     [text](const Value& one) { return equals_text(one, text); });
}

bool says_type(const Value& schema) { return find_member(schema, "type") != nullptr; }

// The host takes an array for such an object, as its members by number.
bool counts_members(const Value& schema) {
  const Value* properties = find_member(schema, "properties");
  return properties != nullptr && find_member(*properties, "0") != nullptr;
}

// Whether a JSON value is of a type that the schema names, texts apart.
bool fits_type(const Value& value, const Value& schema) {
  if (value.IsBool()) return takes(schema, "boolean");
  if (value.IsNumber()) {
    const bool whole = value.IsInt64() || value.IsUint64();
    return takes(schema, "number") || (whole && takes(schema, "integer"));
  }
  if (value.IsObject()) return takes(schema, "object");
  if (value.IsArray()) return takes(schema, "array") || counts_members(schema);
  return value.IsNull() && takes(schema, "null");
}

// "an integer", "JSON of an object or true or false".
std::string wanted(const Value& schema) {
  static constexpr std::pair<const char*, const char*> kNames[] = {
      {"integer", "an integer"},   {"number", "a number"},    {"boolean", "true or false"},
      {"object", "a JSON object"}, {"array", "a JSON array"}, {"null", "null"}};
  std::string out;
  for (const auto& [type, name] : kNames) {
    if (takes(schema, type)) out += (out.empty() ? "" : " or ") + std::string(name);
  }
  return out;
}

Value text_value(const std::string& text, Document& out) {
  return Value(text.c_str(), static_cast<rapidjson::SizeType>(text.size()), out.GetAllocator());
}

// The JSON of `text`; not an object member: `text` is no JSON.
bool read_json(const std::string& text, Document& out) {
  out = parsed(text);
  return !out.IsNull() || text == "null";
}

// The value of one word, without the items of an array.
Result<Value> single(const std::string& text, const Value& schema, Document& out) {
  Document json;
  const bool is_json = read_json(text, json);
  if (has_text_option(schema, text)) return text_value(text, out);
  const bool open = !says_type(schema);
  const bool takes_text = takes(schema, "string");
  if (is_json && open && find_member(schema, "enum") == nullptr) {
    return Value(json, out.GetAllocator());
  }
  const bool nested = json.IsObject() || json.IsArray();
  if (is_json && fits_type(json, schema) && (nested || !takes_text)) {
    return Value(json, out.GetAllocator());
  }
  if (open || takes_text) return text_value(text, out);
  return Status::invalid("needs " + wanted(schema) + ", got " + printable(text));
}

// One item of a property that takes an array.
Result<Value> item(const std::string& text, const Value& schema, Document& out) {
  static const Value any(rapidjson::kObjectType);
  const Value* items = find_member(schema, "items");
  return single(text, items == nullptr ? any : *items, out);
}

class Reader {
 public:
  explicit Reader(const Value& schema) : schema_(schema) { out_.SetObject(); }

  Status json(std::string_view text) {
    Document given;
    std::string mended;
    if (const auto at = host::make_readable(text, mended)) {
      return Status::invalid("the number at character " + std::to_string(*at + 1) +
                             " is beyond the range of doubles");
    }
    if (given
            .Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseFullPrecisionFlag>(text.data(),
                                                                                        text.size())
            .HasParseError()) {
      return Status::invalid("the JSON is not valid at character " +
                             std::to_string(given.GetErrorOffset() + 1) + ": " +
                             rapidjson::GetParseError_En(given.GetParseError()) +
                             " A shell keeps its quotes where it stands in single ones: '{…}'.");
    }
    if (!given.IsObject()) {
      return Status::invalid("the arguments are a JSON object or KEY=VALUE, got " +
                             printable(compact(given)));
    }
    for (const auto& member : given.GetObject()) {
      const Value name(member.name, out_.GetAllocator());
      out_.RemoveMember(name);
      out_.AddMember(Value(member.name, out_.GetAllocator()),
                     Value(member.value, out_.GetAllocator()), out_.GetAllocator());
    }
    return {};
  }

  Status pair(const std::string& key, const std::string& text) {
    const Value* property = property_of(key);
    if (property == nullptr && is_closed()) return unknown(key);
    static const Value any(rapidjson::kObjectType);
    const Value& schema = property == nullptr ? any : *property;
    const bool again = std::find(seen_.begin(), seen_.end(), key) != seen_.end();
    Document json;
    const bool whole = read_json(text, json) && json.IsArray();
    if (takes(schema, "array") && !whole && (again || !takes_other(text, schema))) {
      return add(key, item(text, schema, out_), again);
    }
    if (again) return Status::invalid(key + " is given twice and takes one value");
    return set(key, single(text, schema, out_));
  }

  std::string text() const { return compact(out_); }

 private:
  // Whether the property takes this text as it is, not as an item.
  bool takes_other(const std::string& text, const Value& schema) {
    Document json;
    return takes(schema, "string") || (read_json(text, json) && fits_type(json, schema));
  }

  const Value* property_of(const std::string& key) const {
    const Value* properties = find_member(schema_, "properties");
    return properties == nullptr ? nullptr : find_member(*properties, key.c_str());
  }

  bool is_closed() const {
    const Value* more = find_member(schema_, "additionalProperties");
    return more != nullptr && more->IsFalse();
  }

  Status unknown(const std::string& key) const {
    std::vector<std::string> names;
    const Value* properties = find_member(schema_, "properties");
    if (properties != nullptr && properties->IsObject()) {
      for (const auto& property : properties->GetObject()) {
        names.emplace_back(property.name.GetString(), property.name.GetStringLength());
      }
    }
    std::string all;
    for (const auto& name : names) all += (all.empty() ? "" : ", ") + name;
    const std::string nearest = did_you_mean(key, names);
    return Status::invalid("there is no argument '" + printable(key) + "'" +
                           (!nearest.empty() ? nearest
                            : all.empty()    ? "; the tool takes none"
                                             : "; the tool takes " + all));
  }

  Status set(const std::string& key, Result<Value> value) {
    if (!value) return Status::invalid(key + " " + value.message());
    const Value name = text_value(key, out_);
    out_.RemoveMember(name);
    out_.AddMember(text_value(key, out_), *value, out_.GetAllocator());
    seen_.push_back(key);
    return {};
  }

  Status add(const std::string& key, Result<Value> value, bool again) {
    if (!value) return Status::invalid("an item of " + key + " " + value.message());
    if (!again) {
      if (Status made = set(key, Value(rapidjson::kArrayType)); !made) return made;
    }
    Value& array = out_[key.c_str()];
    if (!array.IsArray()) return Status::invalid(key + " is given twice and takes one value");
    array.PushBack(*value, out_.GetAllocator());
    return {};
  }

  const Value& schema_;
  Document out_;
  std::vector<std::string> seen_;  // keys of pairs
};

bool begins_json(const std::string& word) {
  const std::size_t first = word.find_first_not_of(" \t\r\n");
  return first != word.npos && (word[first] == '{' || word[first] == '[');
}

Status take_word(Reader& reader, const std::string& word) {
  if (begins_json(word)) return reader.json(word);
  const std::size_t equals = word.find('=');
  if (equals == word.npos || equals == 0) {
    return Status::invalid("'" + printable(word) + "' is neither a JSON object nor KEY=VALUE");
  }
  return reader.pair(word.substr(0, equals), word.substr(equals + 1));
}

}  // namespace

Result<std::string> arguments_of(const std::vector<std::string>& words, const Value& schema) {
  Reader reader(schema);
  for (const bool json : {true, false}) {
    for (const auto& word : words) {
      if (begins_json(word) != json) continue;
      if (Status taken = take_word(reader, word); !taken) return taken;
    }
  }
  return reader.text();
}

}  // namespace gantry::cli
