// gantry/detail/binding.hpp: reads, writes and describes each type in a described struct.
#pragma once

#include <concepts>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <gantry/field.hpp>
#include <gantry/json.hpp>
#include <gantry/json_writer.hpp>

namespace gantry::detail {

// The current position in the value; converted to text only for a message.
struct Place {
  const Place* parent = nullptr;
  std::string_view name;  // a member's name; empty for an element
  std::size_t index = 0;

  std::string text() const {
    const std::string before = parent != nullptr ? parent->text() : std::string();
    if (name.empty())
      return parent != nullptr ? before + "[" + std::to_string(index) + "]" : before;
    return before.empty() ? std::string(name) : before + "." + std::string(name);
  }
};

inline Status wrong(const Place& place, const std::string& expected, const std::string& got) {
  const std::string path = place.text();
  return Status::invalid((path.empty() ? std::string("arguments") : path) + ": expected " +
                         expected + ", got " + got);
}

// A value as shown in messages: short scalars literally, otherwise the kind.
inline std::string shown(const Json& json) {
  constexpr std::size_t kLongest = 40;
  const bool scalar = !json.is_object() && !json.is_array();
  return std::string(scalar && json.text().size() <= kLongest ? json.text() : json.kind_name());
}

inline std::string number_text(double value) {
  std::string out;
  JsonWriter(out).number(value);
  return out;
}

inline std::string range_text(const std::optional<double>& low, const std::optional<double>& high) {
  if (low && high) return " from " + number_text(*low) + " to " + number_text(*high);
  if (low) return " of at least " + number_text(*low);
  if (high) return " of at most " + number_text(*high);
  return {};
}

inline bool within(double value, const Bounds& bounds) {
  return (!bounds.minimum || value >= *bounds.minimum) &&
         (!bounds.maximum || value <= *bounds.maximum);
}

inline void describe_range(JsonWriter& out, const Bounds& bounds) {
  if (bounds.minimum) out.key("minimum").number(*bounds.minimum);
  if (bounds.maximum) out.key("maximum").number(*bounds.maximum);
}

// Checks a size against shortest and longest; `unit` is "characters" or "elements".
inline Status check_size(std::size_t size, const Bounds& bounds, const char* unit,
                         const Place& place) {
  if ((!bounds.shortest || size >= *bounds.shortest) &&
      (!bounds.longest || size <= *bounds.longest)) {
    return {};
  }
  const std::string low = std::to_string(bounds.shortest.value_or(0));
  const std::string expected = bounds.longest
                                   ? low + " to " + std::to_string(*bounds.longest) + " " + unit
                                   : "at least " + low + " " + unit;
  return wrong(place, expected, std::to_string(size));
}

// Counts characters, not bytes, as "minLength" does.
inline std::size_t characters(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xc0) != 0x80 ? 1 : 0;
  return count;
}

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

template <class T>
struct Binding<std::optional<T>> {
  static Status read(const Json& json, std::optional<T>& out, const Bounds& bounds,
                     const Place& place) {
    out.emplace();
    return Binding<T>::read(json, *out, bounds, place);
  }
  static void write(JsonWriter& out, const std::optional<T>& value) {
    if (value) {
      Binding<T>::write(out, *value);
    } else {
      out.null();
    }
  }
  static void describe(JsonWriter& out, const Bounds& bounds, bool closed) {
    Binding<T>::describe(out, bounds, closed);
  }
};

// The bounds of a list's elements: all but the size, which applies to the list.
inline Bounds of_elements(Bounds bounds) {
  bounds.shortest.reset();
  bounds.longest.reset();
  return bounds;
}

template <class T>
struct Binding<std::vector<T>> {
  static Status read(const Json& json, std::vector<T>& out, const Bounds& bounds,
                     const Place& place) {
    if (!json.is_array()) return wrong(place, "array", shown(json));
    out.clear();
    for (const Json& element : json.elements()) {
      const Place here{&place, {}, out.size()};
      T value{};
      if (Status status = Binding<T>::read(element, value, of_elements(bounds), here); !status) {
        return status;
      }
      out.push_back(std::move(value));
    }
    return check_size(out.size(), bounds, "elements", place);
  }
  static void write(JsonWriter& out, const std::vector<T>& list) {
    out.begin_array();
    for (const T& value : list) Binding<T>::write(out, value);
    out.end_array();
  }
  static void describe(JsonWriter& out, const Bounds& bounds, bool closed) {
    out.key("type").string("array");
    if (bounds.shortest && *bounds.shortest > 0) out.key("minItems").number(*bounds.shortest);
    if (bounds.longest) out.key("maxItems").number(*bounds.longest);
    out.key("items").begin_object();
    Binding<T>::describe(out, of_elements(bounds), closed);
    out.end_object();
  }
};

template <class T>
struct Binding<std::map<std::string, T>> {
  static Status read(const Json& json, std::map<std::string, T>& out, const Bounds& bounds,
                     const Place& place) {
    if (!json.is_object()) return wrong(place, "object", shown(json));
    out.clear();
    for (const auto& [name, member] : json.members()) {
      const Place here{&place, name, 0};
      if (Status status = Binding<T>::read(member, out[name], of_elements(bounds), here); !status) {
        return status;
      }
    }
    return {};
  }
  static void write(JsonWriter& out, const std::map<std::string, T>& map) {
    out.begin_object();
    for (const auto& [name, value] : map) Binding<T>::write(out.key(name), value);
    out.end_object();
  }
  static void describe(JsonWriter& out, const Bounds& bounds, bool closed) {
    out.key("type").string("object").key("additionalProperties").begin_object();
    Binding<T>::describe(out, of_elements(bounds), closed);
    out.end_object();
  }
};

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

template <Described T>
struct Binding<T> {
  static Status read(const Json& json, T& out, const Bounds&, const Place& place) {
    if (!json.is_object()) return wrong(place, "object", shown(json));
    if (Status status = refuse_unknown(json, place); !status) return status;
    Status status;
    each([&](const auto& field) {
      if (status) status = read_field(json, field, out, place);
    });
    return status;
  }

  static void write(JsonWriter& out, const T& value) {
    out.begin_object();
    each([&](const auto& field) {
      const auto& member = value.*field.member;
      using Member = std::remove_cvref_t<decltype(member)>;
      if constexpr (kIsOptional<Member>) {
        if (!member) return;  // omitted instead of null
      }
      out.key(field.name);
      Binding<Member>::write(out, member);
    });
    out.end_object();
  }

  static void describe(JsonWriter& out, const Bounds&, bool closed) {
    out.key("type").string("object").key("properties").begin_object();
    const T defaults{};
    each([&](const auto& field) { describe_field(out, field, defaults, closed); });
    out.end_object();
    out.key("required").begin_array();
    each([&](const auto& field) {
      if (required(field)) out.string(field.name);
    });
    out.end_array();
    if (closed) out.key("additionalProperties").boolean(false);
  }

 private:
  template <class Visit>
  static void each(Visit visit) {
    std::apply([&](const auto&... field) { (visit(field), ...); }, T::fields());
  }

  template <class M>
  static constexpr bool required(const Field<T, M>& field) {
    return !kIsOptional<M> && !field.may_be_absent;
  }

  static Status refuse_unknown(const Json& json, const Place& place) {
    for (const auto& member : json.members()) {
      bool known = false;
      std::string all;
      each([&](const auto& field) {
        known = known || field.name == member.first;
        all += (all.empty() ? "" : ", ") + std::string(field.name);
      });
      if (known) continue;
      const Place here{&place, member.first, 0};
      return Status::invalid(here.text() + ": unknown name; allowed: " + all);
    }
    return {};
  }

  template <class M>
  static Status read_field(const Json& json, const Field<T, M>& field, T& out, const Place& place) {
    const Place here{&place, field.name, 0};
    const std::optional<Json> member = json.find(field.name);
    if (member) return Binding<M>::read(*member, out.*field.member, field.bounds, here);
    if (!required(field)) return {};
    return Status::invalid(here.text() + ": is missing; " + std::string(field.description));
  }

  template <class M>
  static void describe_field(JsonWriter& out, const Field<T, M>& field, const T& defaults,
                             bool closed) {
    out.key(field.name).begin_object();
    Binding<M>::describe(out, field.bounds, closed);
    if (!field.description.empty()) out.key("description").string(field.description);
    if (field.may_be_absent && !kIsOptional<M>) {
      Binding<M>::write(out.key("default"), defaults.*field.member);
    }
    out.end_object();
  }
};

}  // namespace gantry::detail
