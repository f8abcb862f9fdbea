#include "host/rpc/rounds/abilities.hpp"

#include "host/rpc/message/classify.hpp"

namespace gantry::host::rpc {
namespace {

using Value = rapidjson::Value;

const Value* object_in(const Value* value, std::string_view name) {
  const Value* found = member(value, name);
  return found != nullptr && found->IsObject() ? found : nullptr;
}

void read_elicitation(const Value* elicitation, const Features& peer, ClientCan& can) {
  if (elicitation == nullptr || !peer.elicitation()) return;
  const bool form = object_in(elicitation, "form") != nullptr;
  const bool url = object_in(elicitation, "url") != nullptr;
  // An empty object means forms; so does any object of a revision without modes.
  can.elicit_form = form || !url || !peer.ask_modes();
  can.elicit_url = url && peer.ask_modes();
}

ClientCan read_abilities(const Value* declared, const Features& peer) {
  ClientCan can;
  read_elicitation(object_in(declared, "elicitation"), peer, can);
  const Value* sampling = object_in(declared, "sampling");
  can.sample = sampling != nullptr;
  can.sample_with_tools = peer.ask_modes() && object_in(sampling, "tools") != nullptr;
  can.list_roots = object_in(declared, "roots") != nullptr;
  can.tasks =
      peer.modern() && object_in(object_in(declared, "extensions"), kTasksExtension) != nullptr;
  return can;
}

// Appends {"name":{"sub":{},…}} with the declared members.
void append_declared(std::string& out, const Value* declared, std::string_view name,
                     std::initializer_list<std::string_view> subs) {
  const Value* found = object_in(declared, name);
  if (found == nullptr) return;
  if (out.size() > 1) out += ',';
  out.append("\"").append(name).append("\":{");
  bool first = true;
  for (const std::string_view sub : subs) {
    if (object_in(found, sub) == nullptr) continue;
    out.append(first ? "\"" : ",\"").append(sub).append("\":{}");
    first = false;
  }
  out += '}';
}

}  // namespace

ClientCan abilities_of(const Message& message, const Context& context) {
  const Features peer(context.revision);
  if (peer.modern()) return read_abilities(message.meta(kCapabilitiesKey), peer);
  if (context.session == nullptr || !context.sends_notifications) return {};
  const std::string& declared = context.session->capabilities();
  if (declared == "{}") return {};
  rapidjson::Document document;
  document.Parse(declared.data(), declared.size());
  return document.HasParseError() ? ClientCan{} : read_abilities(&document, peer);
}

std::string declared_capabilities(const Message& initialize) {
  const Value* declared = initialize.param("capabilities");
  std::string out = "{";
  append_declared(out, declared, "elicitation", {"form", "url"});
  append_declared(out, declared, "sampling", {"tools", "context"});
  append_declared(out, declared, "roots", {});
  return out + "}";
}

}  // namespace gantry::host::rpc
