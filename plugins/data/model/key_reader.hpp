// model/key_reader.hpp: reads the values of a model file's keys.
//
// Internal to parsing: a wrong value throws BadModel, which parse_class() converts. Any thread.
#pragma once

#include <rapidjson/document.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.hpp"

namespace gantry::data::model {

// An error of a file, with the file and the line.
struct BadModel {
  std::string sentence;
};

// Throws BadModel: the place of the key at `path`, then `why`.
[[noreturn]] void refuse(const ModelClass& cls, const std::string& path, const std::string& why);

inline std::string quoted(std::string_view name) { return "'" + std::string(name) + "'"; }

using Json = rapidjson::Value;

inline std::string_view text_of(const Json& json) {
  return {json.GetString(), json.GetStringLength()};
}

// A value together with its path in the file ("acl.read").
class Key {
 public:
  Key(const ModelClass& cls, std::string path, const Json& json)
      : cls_(cls), path_(std::move(path)), json_(json) {}

  const Json& json() const { return json_; }
  // The name for messages: "\"acl.read\"".
  std::string quoted() const { return '"' + path_ + '"'; }
  // Throws BadModel: the file, the line, "PATH must be …".
  [[noreturn]] void wrong(const std::string& what) const;
  [[noreturn]] void must_be(const std::string& what) const { wrong(quoted() + " must be " + what); }

  bool flag() const;
  std::string text() const;                // not empty, no NUL
  std::vector<std::string> texts() const;  // of an array, each once
  // Refuses an empty name, and one that is not among `known` (empty: all are).
  void check_name(std::string_view name, const std::vector<std::string_view>& known) const;
  // Calls visit(name, Key) for each member of an object. `known`: refuses other names; empty: any.
  template <class Visit>
  void members(const std::vector<std::string_view>& known, Visit&& visit) const {
    if (!json_.IsObject()) must_be("an object");
    for (const auto& member : json_.GetObject()) {
      const Key key(cls_, path_ + "." + std::string(text_of(member.name)), member.value);
      key.check_name(text_of(member.name), known);
      visit(std::string(text_of(member.name)), key);
    }
  }

 private:
  const ModelClass& cls_;
  std::string path_;
  const Json& json_;
};

// The keys by subject; each sets its part of `cls`.
void read_fields(const Key& key, ModelClass& cls);             // "fields"
void read_pointers(const Key& key, ModelClass& cls);           // "pointers"
void read_hidden(const Key& key, ModelClass& cls);             // "hidden"
void read_canonical_filter(const Key& key, ModelClass& cls);   // "canonical_filter"
void read_tenant_scope(const Key& key, ModelClass& cls);       // "tenant_scope"
void read_class_permissions(const Key& key, ModelClass& cls);  // "class_permissions"
void read_protected_fields(const Key& key, ModelClass& cls);   // "protected_fields"
void read_acl(const Key& key, ModelClass& cls);                // "acl"

// What the keys of one file say together, without the database.
void check_together(const ModelClass& cls);

}  // namespace gantry::data::model
