#include "host/rpc/lists/entries.hpp"

#include "host/base/json.hpp"
#include "host/rpc/message/era.hpp"
#include "host/rpc/message/message.hpp"
#include "sdk/contract/uris.hpp"

namespace gantry::host::rpc {
namespace {

using Value = rapidjson::Value;

void append_text(std::string& out, std::string_view name, std::string_view text) {
  if (!text.empty()) append_text_member(out, name, text);
}

void append_raw(std::string& out, std::string_view name, std::string_view json) {
  if (json.empty()) return;
  append_name(out, name);
  append_compact(out, json);
}

// The author's _meta, preceded by the category unless it names one itself.
std::string meta_of_tool(const ItemSpec& spec) {
  const std::string category = "\"category\":" + json_string(spec.category);
  rapidjson::Document meta;
  meta.Parse(spec.meta.data(), spec.meta.size());
  if (meta.HasParseError() || !meta.IsObject() || meta.ObjectEmpty()) return "{" + category + "}";
  if (meta.HasMember("category")) return spec.meta;
  return "{" + category + "," + spec.meta.substr(spec.meta.find('{') + 1);
}

void append_tool(std::string& out, const ItemSpec& spec, const Features& peer) {
  append_raw(out, "inputSchema", spec.input_schema);
  if (peer.structured()) append_raw(out, "outputSchema", spec.output_schema);
  if (peer.annotations()) append_raw(out, "annotations", spec.annotations);
}

void append_prompt(std::string& out, const ItemSpec& spec, const Features& peer) {
  if (spec.arguments.empty()) return;
  append_name(out, "arguments");
  out += '[';
  for (const PromptArgument& argument : spec.arguments) {
    out += out.back() == '[' ? "{" : ",{";
    append_text(out, "name", argument.name);
    if (peer.titles()) append_text(out, "title", argument.title);
    append_text(out, "description", argument.description);
    if (argument.required) append_raw(out, "required", "true");
    out += '}';
  }
  out += ']';
}

void append_resource(std::string& out, const ItemSpec& spec) {
  append_text(out, "mimeType", spec.mime_type);
  if (spec.bytes) append_raw(out, "size", std::to_string(*spec.bytes));
  append_raw(out, "annotations", spec.annotations);
}

// True if the member exists and is not a string.
bool is_wrong_text(const Value& value, std::string_view name) {
  const Value* text = member(&value, name);
  return text != nullptr && !text->IsString();
}

std::string problem_of(const Value& value, const ItemSpec& uri_template) {
  if (!value.IsObject()) return "a listed resource is no object";
  const auto uri = text_of(member(&value, "uri")), name = text_of(member(&value, "name"));
  if (!uri || !name || name->empty()) return "a listed resource lacks its uri or its name";
  const std::string which = "the listed resource '" + std::string(*uri) + "' ";
  if (!contract::match_uri(uri_template.uri, *uri)) return which + "does not match its template";
  for (const std::string_view text : {"title", "description", "mimeType"}) {
    if (is_wrong_text(value, text))
      return which + "has a " + std::string(text) + " that is no text";
  }
  const Value* size = member(&value, "size");
  if (size != nullptr && !size->IsUint64()) return which + "has a size that is no whole number";
  const Value* annotations = member(&value, "annotations");
  if (annotations != nullptr && !annotations->IsObject()) {
    return which + "has annotations that are no object";
  }
  return {};
}

}  // namespace

std::string entry_of(const ItemSpec& spec, std::string_view revision, bool can_be_task) {
  const Features peer(revision);
  std::string out = "{";
  append_text(out, spec.kind == "resource" ? "uri" : "uriTemplate", spec.uri);
  append_text(out, "name", spec.name);
  if (peer.titles()) append_text(out, "title", spec.title);
  append_text(out, "description", spec.description);
  if (spec.kind == "tool") append_tool(out, spec, peer);
  if (can_be_task && peer.requested_tasks()) {
    append_raw(out, "execution", R"({"taskSupport":"optional"})");
  }
  if (spec.kind == "prompt") append_prompt(out, spec, peer);
  if (!spec.uri.empty()) append_resource(out, spec);
  if (peer.icons()) append_raw(out, "icons", spec.icons);
  if (peer.titles()) append_raw(out, "_meta", spec.kind == "tool" ? meta_of_tool(spec) : spec.meta);
  return out + "}";
}

ListedResource listed_resource(const Value& value, const ItemSpec& uri_template,
                               std::string_view revision) {
  ListedResource out;
  out.problem = problem_of(value, uri_template);
  if (!out.problem.empty()) return out;
  const auto text = [&value](std::string_view name) {
    return text_of(member(&value, name)).value_or("");
  };
  ItemSpec spec;
  spec.kind = "resource";
  spec.uri = text("uri");
  spec.name = text("name");
  spec.title = text("title");
  spec.description = text("description");
  spec.mime_type = text("mimeType").empty() ? uri_template.mime_type : text("mimeType");
  if (const Value* size = member(&value, "size")) spec.bytes = size->GetUint64();
  if (const Value* known = member(&value, "annotations")) spec.annotations = json_of(*known);
  out.uri = spec.uri;
  out.entry = entry_of(spec, revision);
  return out;
}

}  // namespace gantry::host::rpc
