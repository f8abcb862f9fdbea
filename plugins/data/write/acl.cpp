#include "write/acl.hpp"

#include <rapidjson/document.h>

#include "values/json_text.hpp"

namespace gantry::data::write {
namespace {

using Json = rapidjson::Value;

bool append_if(const Json& rights, const char* right, std::string_view principal,
               std::string& list) {
  const auto found = rights.FindMember(right);
  if (found == rights.MemberEnd()) return true;
  if (!found->value.IsBool()) return false;
  if (!found->value.GetBool()) return true;
  if (list.size() > 1) list += ',';
  return append_json_string(principal, list);
}

}  // namespace

bool read_acl(const Cell& cell, std::string& readers, std::string& writers) {
  rapidjson::Document json;
  if (!cell.is(Cell::Type::nested)) return false;
  json.Parse(cell.text.data(), cell.text.size());
  if (json.HasParseError() || !json.IsObject()) return false;
  readers = writers = "[";
  for (const auto& member : json.GetObject()) {
    const std::string_view principal(member.name.GetString(), member.name.GetStringLength());
    const Json& rights = member.value;
    if (!rights.IsObject() || !append_if(rights, "read", principal, readers) ||
        !append_if(rights, "write", principal, writers)) {
      return false;
    }
  }
  readers += ']';
  writers += ']';
  return true;
}

}  // namespace gantry::data::write
