#include "tools/gantry/check/sample.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

#include <rapidjson/document.h>
#include <rapidjson/pointer.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <gantry/schema/validator.hpp>

namespace gantry::cli {
namespace {

using rapidjson::Value;

constexpr int kDeepest = 24, kVariants = 8;

constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kFormats{{
    {"date-time", "2026-01-02T03:04:05Z"},
    {"date", "2026-01-02"},
    {"time", "03:04:05Z"},
    {"duration", "PT1S"},
    {"email", "a@example.com"},
    {"hostname", "example.com"},
    {"ipv4", "192.0.2.1"},
    {"ipv6", "2001:db8::1"},
    {"uri", "https://example.com/"},
    {"uri-reference", "/a"},
    {"uuid", "12345678-1234-4234-8234-123456789012"},
    {"regex", "a"},
}};

// Texts to try in turn against a pattern.
constexpr std::array<std::string_view, 16> kTexts{
    "x",     "a",         "A",  "0",   "1",   "abc", "ABC",
    "123",   "a1",        "A1", "a-b", "a_b", "a.b", "0123456789abcdef01234567",
    "a@b.c", "2026-01-02"};

class Sampler {
 public:
  Sampler(const Value& root, rapidjson::Document& out, unsigned variant)
      : root_(root), all_(out.GetAllocator()), variant_(variant) {}

  Value of(const Value& schema, int depth = 0) {
    if (!schema.IsObject() || depth > kDeepest) return text("x");
    if (const Value* target = referred(schema)) return of(*target, depth + 1);
    if (const Value* given = given_value(schema)) return Value(*given, all_);
    const Value whole = merged(schema, depth);
    return typed(type_of(whole), whole, depth);
  }

 private:
  Value text(std::string_view s) {
    return Value(s.data(), static_cast<rapidjson::SizeType>(s.size()), all_);
  }

  static const Value* member(const Value& object, const char* name) {
    const auto found = object.FindMember(name);
    return found == object.MemberEnd() ? nullptr : &found->value;
  }

  const Value* referred(const Value& schema) const {
    const Value* const ref = member(schema, "$ref");
    if (ref == nullptr || !ref->IsString() || ref->GetString()[0] != '#') return nullptr;
    // As a plain pointer: a fragment needs percent-encoding.
    const rapidjson::Pointer pointer(ref->GetString() + 1, ref->GetStringLength() - 1);
    return pointer.IsValid() ? pointer.Get(root_) : nullptr;
  }

  static const Value* given_value(const Value& schema) {
    if (const Value* fixed = member(schema, "const")) return fixed;
    for (const char* list : {"enum", "examples"}) {
      const Value* values = member(schema, list);
      if (values != nullptr && values->IsArray() && !values->Empty()) return &(*values)[0];
    }
    return member(schema, "default");
  }

  // Adds the members of `from` to `into`. A later member replaces an earlier one; names are joined.
  void add(Value& into, const Value& from) {
    const Value* const target = referred(from);
    const Value& source = target != nullptr ? *target : from;
    if (!source.IsObject()) return;
    for (const auto& entry : source.GetObject()) {
      const std::string name = entry.name.GetString();
      Value* const known = const_cast<Value*>(member(into, name.c_str()));
      if (known == nullptr) {
        into.AddMember(Value(entry.name, all_), Value(entry.value, all_), all_);
      } else if (name == "required" && known->IsArray() && entry.value.IsArray()) {
        for (const auto& one : entry.value.GetArray()) known->PushBack(Value(one, all_), all_);
      } else if (name == "properties" && known->IsObject() && entry.value.IsObject()) {
        for (const auto& one : entry.value.GetObject()) {
          known->AddMember(Value(one.name, all_), Value(one.value, all_), all_);
        }
      } else {
        known->CopyFrom(entry.value, all_);
      }
    }
  }

  // The schema with its parts put together, one of the alternatives chosen.
  Value merged(const Value& schema, int depth) {
    Value whole(schema, all_);
    if (const Value* parts = member(schema, "allOf"); parts != nullptr && parts->IsArray()) {
      for (const auto& part : parts->GetArray()) add(whole, merged(part, depth + 1));
    }
    for (const char* name : {"oneOf", "anyOf"}) {
      const Value* choices = member(schema, name);
      if (choices == nullptr || !choices->IsArray() || choices->Empty()) continue;
      add(whole, (*choices)[variant_ % choices->Size()]);
    }
    return whole;
  }

  static std::string type_of(const Value& schema) {
    const Value* type = member(schema, "type");
    if (type != nullptr && type->IsArray() && !type->Empty()) type = &(*type)[0];
    if (type != nullptr && type->IsString()) return type->GetString();
    if (member(schema, "properties") || member(schema, "required")) return "object";
    if (member(schema, "items") || member(schema, "prefixItems")) return "array";
    if (member(schema, "minimum") || member(schema, "maximum")) return "number";
    return "string";
  }

  Value typed(const std::string& type, const Value& schema, int depth) {
    if (const Value* given = given_value(schema)) return Value(*given, all_);
    if (type == "object") return object(schema, depth);
    if (type == "array") return array(schema, depth);
    if (type == "integer" || type == "number") return number(schema);
    if (type == "boolean") return Value(variant_ % 2 == 1);
    if (type == "null") return Value();
    return string(schema);
  }

  Value object(const Value& schema, int depth) {
    Value out(rapidjson::kObjectType);
    const Value* const properties = member(schema, "properties");
    const Value* const required = member(schema, "required");
    const Value anything(rapidjson::kObjectType);
    if (required == nullptr || !required->IsArray()) return out;
    for (const auto& name : required->GetArray()) {
      if (!name.IsString() || member(out, name.GetString()) != nullptr) continue;
      const Value* of_name = properties != nullptr && properties->IsObject()
                                 ? member(*properties, name.GetString())
                                 : nullptr;
      out.AddMember(Value(name, all_), of(of_name != nullptr ? *of_name : anything, depth + 1),
                    all_);
    }
    return out;
  }

  Value array(const Value& schema, int depth) {
    Value out(rapidjson::kArrayType);
    const Value* const least = member(schema, "minItems");
    const Value* const first = member(schema, "prefixItems");
    const Value* const items = member(schema, "items");
    const Value anything(rapidjson::kObjectType);
    const std::uint64_t count = least != nullptr && least->IsUint64() ? least->GetUint64() : 0;
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(count, 64); ++i) {
      const bool has_own = first != nullptr && first->IsArray() && i < first->Size();
      const Value& own = has_own            ? (*first)[static_cast<rapidjson::SizeType>(i)]
                         : items != nullptr ? *items
                                            : anything;
      out.PushBack(of(own, depth + 1), all_);
    }
    return out;
  }

  static double limit(const Value& schema, const char* name, double otherwise) {
    const Value* const value = member(schema, name);
    return value != nullptr && value->IsNumber() ? value->GetDouble() : otherwise;
  }

  Value number(const Value& schema) {
    double out = limit(schema, "minimum", variant_ == 0 ? 1 : 0);
    out = std::max(out, limit(schema, "exclusiveMinimum", out - 1) + 1);
    out = std::min(out, limit(schema, "maximum", out));
    out = std::min(out, limit(schema, "exclusiveMaximum", out + 1) - 1);
    const double step = limit(schema, "multipleOf", 0);
    if (step > 0) out = std::ceil(out / step) * step;
    if (std::floor(out) == out && std::abs(out) < 9e15) {
      return Value(static_cast<std::int64_t>(out));
    }
    return Value(out);
  }

  Value string(const Value& schema) {
    if (const Value* format = member(schema, "format"); format != nullptr && format->IsString()) {
      for (const auto& [name, example] : kFormats) {
        if (name == format->GetString()) return text(example);
      }
    }
    const auto least = static_cast<std::size_t>(std::max(0.0, limit(schema, "minLength", 0)));
    const auto most = static_cast<std::size_t>(std::max(0.0, limit(schema, "maxLength", 1e6)));
    std::string fallback =
        std::string(std::max<std::size_t>(std::min<std::size_t>(1, most), least), 'x');
    const Value* const pattern = member(schema, "pattern");
    if (pattern == nullptr) return text(fallback);
    Value part(rapidjson::kObjectType);
    part.AddMember("pattern", Value(*pattern, all_), all_);
    const auto validator = schema::Validator::compile(part);
    for (const std::string_view candidate : kTexts) {
      std::string longer(candidate);
      while (longer.size() < least) longer += longer.back();
      Value made = text(longer);
      if (longer.size() <= most && validator && validator->validate(made)) return made;
    }
    return text(fallback);
  }

  const Value& root_;
  rapidjson::Document::AllocatorType& all_;
  unsigned variant_;
};

std::string text_of(const Value& value) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  value.Accept(writer);
  return {buffer.GetString(), buffer.GetSize()};
}

}  // namespace

std::optional<std::string> sample(std::string_view schema) {
  rapidjson::Document root;
  root.Parse(schema.data(), schema.size());
  if (root.HasParseError()) return std::nullopt;
  const auto validator = schema::Validator::compile(root);
  if (!validator) return std::nullopt;
  for (unsigned variant = 0; variant < kVariants; ++variant) {
    rapidjson::Document out;
    Sampler sampler(root, out, variant);
    const Value value = sampler.of(root);
    if (validator->validate(value)) return text_of(value);
  }
  return std::nullopt;
}

}  // namespace gantry::cli
