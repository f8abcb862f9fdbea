// gantry/detail/scalar_binding.hpp: reads, writes and describes booleans, numbers, texts, raw JSON
// and enumerations.
//
// A Binding<T> has three functions. read() sets `out` from a value, or says which part of it is
// wrong. write() appends the value. describe() appends the members of its JSON Schema to an open
// object; `closed`: the schemas of objects refuse further members. Any thread.
#pragma once

#include <concepts>
#include <limits>
#include <optional>
#include <string>

#include <gantry/detail/bounds.hpp>

namespace gantry::detail {

template <class T>
struct Binding;  // a type without a specialisation cannot be a member of a described struct

template <>
struct Binding<bool> {
  static Status read(const Json& json, bool& out, const Bounds&, const Place& place) {
    const std::optional<bool> value = json.as_bool();
    if (!value) return wrong(place, "true or false", shown(json));
    out = *value;
    return {};
  }
  static void write(JsonWriter& out, bool value) { out.boolean(value); }
  static void describe(JsonWriter& out, const Bounds&, bool) { out.key("type").string("boolean"); }
};

template <std::integral Int>
struct Binding<Int> {
  static Status read(const Json& json, Int& out, const Bounds& bounds, const Place& place) {
    if constexpr (std::is_unsigned_v<Int>) {
      return assign(json, json.as_unsigned(), out, bounds, place);
    } else {
      return assign(json, json.as_integer(), out, bounds, place);
    }
  }
  static void write(JsonWriter& out, Int value) { out.number(value); }
  static void describe(JsonWriter& out, const Bounds& bounds, bool) {
    out.key("type").string("integer");
    describe_range(out, limits(bounds));
  }

 private:
  // The author's bounds; without any those of the type, unless it has 64 bits.
  static Bounds limits(const Bounds& given) {
    Bounds bounds = given;
    constexpr bool kNarrow = sizeof(Int) < 8;
    if (!bounds.minimum && (kNarrow || std::is_unsigned_v<Int>)) {
      bounds.minimum = static_cast<double>(std::numeric_limits<Int>::min());
    }
    if (!bounds.maximum && kNarrow) {
      bounds.maximum = static_cast<double>(std::numeric_limits<Int>::max());
    }
    return bounds;
  }
  template <class Wide>
  static Status assign(const Json& json, const std::optional<Wide>& value, Int& out,
                       const Bounds& given, const Place& place) {
    const Bounds bounds = limits(given);
    if (!value || !within(static_cast<double>(*value), bounds)) {
      return wrong(place, "integer" + range_text(bounds.minimum, bounds.maximum), shown(json));
    }
    out = static_cast<Int>(*value);
    return {};
  }
};

template <std::floating_point Float>
struct Binding<Float> {
  static Status read(const Json& json, Float& out, const Bounds& bounds, const Place& place) {
    const std::optional<double> value = json.as_double();
    if (!value || !within(*value, bounds)) {
      return wrong(place, "number" + range_text(bounds.minimum, bounds.maximum), shown(json));
    }
    out = static_cast<Float>(*value);
    return {};
  }
  static void write(JsonWriter& out, Float value) { out.number(static_cast<double>(value)); }
  static void describe(JsonWriter& out, const Bounds& bounds, bool) {
    out.key("type").string("number");
    describe_range(out, bounds);
  }
};

template <>
struct Binding<std::string> {
  static Status read(const Json& json, std::string& out, const Bounds& bounds, const Place& place) {
    std::optional<std::string> value = json.as_string();
    if (!value) return wrong(place, "string", shown(json));
    if (Status status = check_size(characters(*value), bounds, "characters", place); !status) {
      return status;
    }
    if (bounds.choice_count > 0 && !allowed(*value, bounds)) {
      return wrong(place, "one of " + list(bounds), shown(json));
    }
    out = std::move(*value);
    return {};
  }
  static void write(JsonWriter& out, const std::string& value) { out.string(value); }
  static void describe(JsonWriter& out, const Bounds& bounds, bool) {
    out.key("type").string("string");
    if (bounds.shortest && *bounds.shortest > 0) out.key("minLength").number(*bounds.shortest);
    if (bounds.longest) out.key("maxLength").number(*bounds.longest);
    if (bounds.choice_count == 0) return;
    out.key("enum").begin_array();
    for (std::size_t i = 0; i < bounds.choice_count; ++i) out.string(bounds.choices[i]);
    out.end_array();
  }

 private:
  static bool allowed(std::string_view value, const Bounds& bounds) {
    for (std::size_t i = 0; i < bounds.choice_count; ++i) {
      if (bounds.choices[i] == value) return true;
    }
    return false;
  }
  static std::string list(const Bounds& bounds) {
    std::string out;
    for (std::size_t i = 0; i < bounds.choice_count; ++i) {
      out += (i > 0 ? ", \"" : "\"") + std::string(bounds.choices[i]) + "\"";
    }
    return out;
  }
};

template <>
struct Binding<JsonText> {
  static Status read(const Json& json, JsonText& out, const Bounds&, const Place&) {
    out.text = json.text();
    return {};
  }
  static void write(JsonWriter& out, const JsonText& value) { out.raw(value.text); }
  static void describe(JsonWriter&, const Bounds&, bool) {}
};

template <NamedEnum E>
struct Binding<E> {
  static Status read(const Json& json, E& out, const Bounds&, const Place& place) {
    const std::optional<std::string> text = json.as_string();
    std::string all;
    for (const auto& [value, name] : gantry_names(E{})) {
      if (text && *text == name) return out = value, Status();
      all += (all.empty() ? "\"" : ", \"") + std::string(name) + "\"";
    }
    return wrong(place, "one of " + all, shown(json));
  }
  static void write(JsonWriter& out, E value) {
    for (const auto& [known, name] : gantry_names(E{})) {
      if (known == value) {
        out.string(name);
        return;
      }
    }
    out.null();
  }
  static void describe(JsonWriter& out, const Bounds&, bool) {
    out.key("type").string("string").key("enum").begin_array();
    for (const auto& entry : gantry_names(E{})) out.string(entry.second);
    out.end_array();
  }
};

}  // namespace gantry::detail
