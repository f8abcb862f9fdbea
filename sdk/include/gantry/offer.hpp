// gantry/offer.hpp: the list of a plugin's items.
//
// A handler is a function, lambda or function object of one of these forms:
//   R (const Args&)   R (const Args&, Call&)   R (Call&)   R ()
// Args is a struct with fields() (fields.hpp), for resources Reading, for completions Completing,
// for methods MethodCall. R is void, text, JsonText, a struct with fields(), Status, the answer
// type of the kind (Messages, Contents, Listing, Completion), or Result of one of these. Exceptions
// become tool errors. A deferred call is finished with the answer type of its kind; the short form
// text is for return values only. A generic lambda (auto parameters) is not a handler: its types
// must be known.
//
//   offer.tool("add", "Adds two numbers.", [](const Pair& p) { return Sum{p.a + p.b}; });
//   offer.tool("search", "Finds notes.", [this](const Query& query, gantry::Call& call) {
//     return store_.find(query.text, call.deadline());        // Result<Hits>
//   });
//   offer.service("acme.words/1", [](gantry::Call& call) { return call.part("words", words()); });
//
// The Offer owns a copy of each handler, with all that it captured, until no call can use it any
// more: while the plugin runs, and after Plugin::reoffer() until running calls return. A handler of
// a plugin with the flag "reentrant" runs on many threads at once: guard what it changes.
//
// A plugin uses one of two ways: either the manifest says "items": "probe", and tool(), prompt(),
// resource(), resource_template() and method() announce the items; or the manifest lists the items,
// and handler() registers a function for each. Services may be registered in both. References to
// items are valid as long as the Offer.
//
// Errors: std::logic_error if a kind and name are offered twice, or if the ways are mixed; it
// leaves Plugin::offer() and refuses the plugin. Threads: one at a time.
#pragma once

#include <deque>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <gantry/items.hpp>
#include <gantry/method.hpp>

namespace gantry {

// An offer is built in Plugin::offer(), or by the caller of Plugin::reoffer(); both hand it over to
// the plugin, which keeps it.
class Offer {
 public:
  // Announces a tool. `description` is for the model, which chooses tools by it. The schemas are
  // made from the handler's types: an input schema that refuses unknown members, from its struct,
  // else one that allows any object; an output schema if it returns a struct.
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

  // Announces a prompt: a template of messages that a user starts by name. Its arguments come from
  // the handler's struct, or from PromptInfo::argument(). See prompt.hpp.
  template <class F>
  PromptInfo& prompt(std::string_view name, std::string_view description, F function) {
    using Arguments = detail::ArgumentsOf<F>;
    add("prompt", name, detail::make_handler(std::move(function), "prompt"));
    PromptInfo& info = prompts_.emplace_back(name, description);
    if constexpr (!std::is_void_v<Arguments>) info.template arguments_of<Arguments>();
    add("completion", name, completing(info.completers()));
    return info;
  }

  // Announces one resource with a fixed, absolute URI (RFC 3986) of at most 2,048 bytes. `name` is
  // for lists; the URI identifies it. See resource.hpp.
  template <class F>
  ResourceInfo& resource(std::string_view uri, std::string_view name, std::string_view description,
                         F function) {
    add("resource", uri, detail::make_handler(std::move(function), "resource"));
    return resources_.emplace_back(uri, name, description);
  }

  // All resources whose URIs match a template, RFC 6570 level 1: "notes://{day}". Each variable
  // appears once, with a literal between any two, and matches one or more characters other than
  // '/'. Fixed resources of all plugins are matched first.
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

  // Registers a service for other plugins: "id/REV", as in the manifest's "offers". They call it
  // with Invoke (services.hpp); the handler answers with CallView::part(), and its documentation
  // says which parts there are. The caller in CallView::agent() is the client's, not the calling
  // plugin's.
  template <class F>
  void service(std::string_view name, F function) {
    services_.emplace_back(name);
    add("service", name, detail::make_handler(std::move(function), "service"));
  }

  // Announces a method of a class of the operator's database, which agents call with the tool
  // call_method. `name` has 1 to 64 of A-Z a-z 0-9 _. See method.hpp.
  template <class F>
  MethodInfo& method(std::string_view class_name, std::string_view name,
                     std::string_view description, F function) {
    static_assert(std::is_same_v<detail::ArgumentsOf<F>, MethodCall>,
                  "a method's handler takes const MethodCall& first");
    MethodInfo& info = methods_.emplace_back(class_name, name, description);
    add("method", info.key(), detail::make_handler(std::move(function), "method"));
    return info;
  }

  // Registers the handler of a tool that the manifest lists. A listed item without a handler
  // answers GANTRY_NOT_FOUND.
  template <class F>
  void handler(std::string_view name, F function) {
    handler("tool", name, std::move(function));
  }
  // The same for any kind. `name` is the item's name; for resources the URI; for templates and the
  // kind "resource_list" the URI template; for completions the prompt's name or the URI template;
  // for methods "Class.name".
  template <class F>
  void handler(std::string_view kind, std::string_view name, F function) {
    declared_ = std::string(kind) + " '" + std::string(name) + "'";
    add(kind, name, detail::make_handler(std::move(function), kind));
  }

  // Null if there is no item of this kind and name. The pointer lives as long as the Offer.
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
    return !tools_.empty() || !prompts_.empty() || !resources_.empty() || !templates_.empty() ||
           !methods_.empty();
  }

  // One handler for all completers of an item; the item may get further completers later.
  static detail::Handler completing(std::shared_ptr<detail::Completers> completers) {
    return [completers = std::move(completers)](Call& call) { return completers->run(call); };
  }

  // A name may be used once in each kind; of resources and templates it is the URI.
  void add(std::string_view kind, std::string_view name, detail::Handler handler) {
    Table& table = handlers_[std::string(kind)];
    if (table.emplace(name, std::move(handler)).second) return;
    throw std::logic_error(std::string(kind) + " '" + std::string(name) + "' is offered twice");
  }

  // An item that has nothing but a kind and a name.
  static void write_named(JsonWriter& out, std::string_view kind, std::string_view name) {
    out.begin_object().key("kind").string(kind).key("name").string(name).end_object();
  }

  // Items in the order of their announcement within each kind. A completion is an item of its own,
  // which names its prompt or template.
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
    for (const MethodInfo& info : methods_) info.write(out);
    for (const std::string& name : services_) write_named(out, "service", name);
  }

  std::deque<ToolInfo> tools_;
  std::deque<PromptInfo> prompts_;
  std::deque<ResourceInfo> resources_;
  std::deque<ResourceTemplateInfo> templates_;
  std::deque<MethodInfo> methods_;
  std::deque<std::string> services_;
  std::string declared_;  // an item that the manifest lists, for the message
  std::map<std::string, Table, std::less<>> handlers_;
};

}  // namespace gantry
