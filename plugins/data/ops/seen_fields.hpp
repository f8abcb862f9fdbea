// ops/seen_fields.hpp: names and kinds that occur in values, without the values.
//
// Of values whose internal members were removed, as every reader of the engine returns them. One
// thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "catalog/field.hpp"
#include "values/value.hpp"

namespace gantry::data {

struct SeenField {
  std::string name;
  Kind kind = Kind::any;        // of all values but null; `any` if they differ
  std::vector<SeenField> keys;  // of objects and of arrays of objects, see SeenKeys
};

// The dotted keys in stored JSON: at most 40, down to three levels, the upper levels first, else in
// the order of appearance. An array shows the keys of its objects, as a dotted path reaches them.
// Left out: keys that no dotted path can name, and those longer than 100 bytes.
class SeenKeys {
 public:
  void see(const Value& json) { see_below(json, "", 1); }
  std::vector<SeenField> take();

 private:
  void see_below(const Value& json, const std::string& path, std::size_t level);
  void see_member(const Member& member, const std::string& path, std::size_t level);

  struct Key {
    SeenField field;
    std::size_t level = 0;
    bool typed = false;
  };
  std::unordered_map<std::string, std::size_t> places_;  // in keys_, by name
  std::vector<Key> keys_;
};

class SeenFields {
 public:
  void see(const Value& document);
  std::vector<SeenField> take();  // in the order of appearance

 private:
  struct Seen {
    SeenField field;
    bool typed = false;
    SeenKeys keys;
  };
  std::unordered_map<std::string, std::size_t> places_;  // in fields_, by name
  std::vector<Seen> fields_;
};

}  // namespace gantry::data
