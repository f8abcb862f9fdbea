// gantry/detail/binding.hpp: reads, writes and describes each type in a described struct: optional
// values, lists, maps and structs over those of scalar_binding.hpp.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <gantry/detail/scalar_binding.hpp>

namespace gantry::detail {

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
