// gantry/offer.hpp: the list of a plugin's items.
//
// A handler is a function, lambda or function object of one of these forms:
//   R (const Args&)   R (const Args&, Call&)   R (Call&)   R ()
// Args is a struct with fields() (fields.hpp), for resources Reading, for completions Completing. R
// is void, text, JsonText, a struct with fields(), Status, the answer type of the kind (Messages,
// Contents, Listing, Completion), or Result of one of these. Exceptions become tool errors. A
// deferred call is finished with the answer type of its kind; the short form text is for return
// values only.
//
// A plugin uses one of two ways: either the manifest says "items": "probe", and tool(), prompt(),
// resource() and resource_template() announce the items; or the manifest lists the items, and
// handler() registers a function for each. References to items are valid as long as the Offer.
// Threads: one at a time.
#pragma once

#include <deque>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <gantry/items.hpp>

namespace gantry {

class Offer {
 public:
  // Announces a tool. Its schemas are made from the handler's types.
  template <class F>
  ToolInfo& tool(std::string_view name, std::string_view description, F function) {
    using Arguments = detail::ArgumentsOf<F>;
    using Structure = detail::StructureOf<F>;
    add("tool", name, detail::make_handler(std::move(function), "tool"));
    ToolInfo& info = tools_.emplace_back(name, description);
    if constexpr (!std::is_void_v<Arguments>) info.input_schema(schema_of<Arguments>(true));
    if constexpr (!std::is_void_v<Structure>) info.output_schema(schema_of<Structure>(false));
    return info;
  }

  // Announces a prompt. Its arguments come from the handler's struct, or from
  // PromptInfo::argument(). See prompt.hpp.
  template <class F>
  PromptInfo& prompt(std::string_view name, std::string_view description, F function) {
    using Arguments = detail::ArgumentsOf<F>;
    add("prompt", name, detail::make_handler(std::move(function), "prompt"));
    PromptInfo& info = prompts_.emplace_back(name, description);
    if constexpr (!std::is_void_v<Arguments>) info.template arguments_of<Arguments>();
    add("completion", name, completing(info.completers()));
    return info;
  }

  // Announces one resource with a fixed URI. See resource.hpp.
  template <class F>
  ResourceInfo& resource(std::string_view uri, std::string_view name, std::string_view description,
                         F function) {
    add("resource", uri, detail::make_handler(std::move(function), "resource"));
    return resources_.emplace_back(uri, name, description);
  }

  // All resources whose URIs match a template, RFC 6570 level 1: "notes://{day}".
  template <class F>
  ResourceTemplateInfo& resource_template(std::string_view uri_template, std::string_view name,
                                          std::string_view description, F function) {
    constexpr std::string_view kKind = "resource_template";
    add(kKind, uri_template, detail::make_handler(std::move(function), kKind));
    ResourceTemplateInfo& info = templates_.emplace_back(uri_template, name, description);
    add("completion", uri_template, completing(info.completers()));
    add("resource_list", uri_template, [lister = info.lister()](Call& call) -> gantry_status {
      return *lister ? (*lister)(call) : GANTRY_UNSUPPORTED;
    });
    return info;
  }

  // Registers a service for other plugins: "id/REV", as in the manifest's "offers".
  template <class F>
  void service(std::string_view name, F function) {
    services_.emplace_back(name);
    add("service", name, detail::make_handler(std::move(function), "service"));
  }

  // Registers the handler of a tool that the manifest lists.
  template <class F>
  void handler(std::string_view name, F function) {
    handler("tool", name, std::move(function));
  }
  // The same for any kind. `name` is the item's name; for resources the URI; for templates and the
  // kind "resource_list" the URI template; for completions the prompt's name or the URI template.
  template <class F>
  void handler(std::string_view kind, std::string_view name, F function) {
    declared_ = std::string(kind) + " '" + std::string(name) + "'";
    add(kind, name, detail::make_handler(std::move(function), kind));
  }

  // Null if there is no item of this kind and name.
  const detail::Handler* find(std::string_view kind, std::string_view name) const {
    const auto table = handlers_.find(kind);
    if (table == handlers_.end()) return nullptr;
    const auto found = table->second.find(name);
    return found == table->second.end() ? nullptr : &found->second;
  }

  // Whether the manifest lists the items: nothing is announced, and there is at least one handler.
  bool is_declared() const { return !announces() && (!declared_.empty() || !services_.empty()); }

  // The items for gantry_host_api.offer, "[]" if there are none; empty if the manifest lists them.
  // Throws std::logic_error if both ways are mixed.
  std::string items() const {
    if (is_declared()) return {};
    if (!declared_.empty()) {
      throw std::logic_error(declared_ +
                             " is added with handler(), other items are announced: list all items "
                             "in the manifest, or none");
    }
    std::string text;
    JsonWriter out(text);
    out.begin_array();
    write_all(out);
    out.end_array();
    return text;
  }

 private:
  using Table = std::map<std::string, detail::Handler, std::less<>>;

  bool announces() const {
    return !tools_.empty() || !prompts_.empty() || !resources_.empty() || !templates_.empty();
  }

  static detail::Handler completing(std::shared_ptr<detail::Completers> completers) {
    return [completers = std::move(completers)](Call& call) { return completers->run(call); };
  }

  void add(std::string_view kind, std::string_view name, detail::Handler handler) {
    Table& table = handlers_[std::string(kind)];
    if (table.emplace(name, std::move(handler)).second) return;
    throw std::logic_error(std::string(kind) + " '" + std::string(name) + "' is offered twice");
  }

  static void write_named(JsonWriter& out, std::string_view kind, std::string_view name) {
    out.begin_object().key("kind").string(kind).key("name").string(name).end_object();
  }

  void write_all(JsonWriter& out) const {
    for (const ToolInfo& info : tools_) info.write(out);
    for (const PromptInfo& info : prompts_) {
      info.write(out);
      if (!info.completers()->empty()) write_named(out, "completion", info.name());
    }
    for (const ResourceInfo& info : resources_) info.write(out);
    for (const ResourceTemplateInfo& info : templates_) {
      info.write(out);
      if (!info.completers()->empty()) write_named(out, "completion", info.uri());
    }
    for (const std::string& name : services_) write_named(out, "service", name);
  }

  std::deque<ToolInfo> tools_;
  std::deque<PromptInfo> prompts_;
  std::deque<ResourceInfo> resources_;
  std::deque<ResourceTemplateInfo> templates_;
  std::deque<std::string> services_;
  std::string declared_;  // an item that the manifest lists, for the message
  std::map<std::string, Table, std::less<>> handlers_;
};

}  // namespace gantry
