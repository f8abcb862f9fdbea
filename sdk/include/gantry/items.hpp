// gantry/items.hpp: the list properties of tools, prompts, resources and templates.
//
//   offer.tool("search", "Finds notes.", search).title("Search").permission("write").blocking();
//
// Obtained from Offer (offer.hpp), which owns them; setters return the item, for chaining, and the
// last call of a setter counts. The properties that all kinds share (title, permission, timeout,
// order, icons, _meta) are in detail/item_info.hpp.
//
// Nothing is checked here: texts that should be JSON are copied as they are. The host checks the
// whole offer, refuses it if any item breaks a rule, and logs a sentence that names the item and
// the member. Rules of names: tools, prompts and arguments 1 to 64 of A-Z a-z 0-9 _ . -; resources
// and templates 1 to 256 bytes. An offer has at most 1,024 items and 4 MiB. Threads: one at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <gantry/detail/completers.hpp>
#include <gantry/detail/item_info.hpp>

namespace gantry {

// A tool, as in the answer of MCP's tools/list.
class ToolInfo : public detail::ItemInfo<ToolInfo> {
 public:
  using ItemInfo::ItemInfo;

  // A word that groups the tool with others; clients get it in "_meta" and may list one category.
  // The default is "custom".
  ToolInfo& category(std::string_view text) { return category_ = text, *this; }
  // Gates that the operator must open before the tool is listed or run: a JSON array of
  // "write_tools", "schema_ops", "raw_crud" and "raw_schema" (ABI.md). The default is none.
  ToolInfo& gates(std::string_view json) { return gates_ = json, *this; }
  // MCP tool annotations, a JSON object of hints: readOnlyHint, destructiveHint, idempotentHint,
  // openWorldHint. Clients may show them; the host does not act on them.
  ToolInfo& annotations(std::string_view json) { return annotations_ = json, *this; }
  // A JSON Schema 2020-12 text that replaces the schema made from the handler's struct; it needs
  // "type": "object" at its root. Clients see it as it is written, and the host checks arguments
  // against it before the handler runs. A handler with a struct still reads the struct, so the
  // schema must not allow more than the struct does.
  ToolInfo& input_schema(std::string_view json) { return input_schema_ = json, *this; }
  // The same for the structured result. A tool with an output schema must give a structured result
  // that satisfies it; otherwise the caller gets an internal error and the host logs a fault of
  // this plugin.
  ToolInfo& output_schema(std::string_view json) { return output_schema_ = json, *this; }

  // Writes the item as in the manifest's "items"; the host does not see an item in any other form.
  // Here and in the classes below.
  void write(JsonWriter& out) const {
    open(out, "tool").key("inputSchema").raw(input_schema_);
    if (!category_.empty()) out.key("category").string(category_);
    if (!gates_.empty()) out.key("gates").raw(gates_);
    if (!annotations_.empty()) out.key("annotations").raw(annotations_);
    if (!output_schema_.empty()) out.key("outputSchema").raw(output_schema_);
    close(out);
  }

 private:
  // Texts of the author, unchecked; an empty one is left out.
  std::string category_, gates_, annotations_;
  std::string input_schema_ = R"({"type":"object"})", output_schema_;
};

// A prompt, as in the answer of MCP's prompts/list.
class PromptInfo : public detail::ItemInfo<PromptInfo> {
 public:
  PromptInfo(std::string_view name, std::string_view description)
      : ItemInfo(name, description), completers_(std::make_shared<detail::Completers>()) {}

  // Announces one argument; its value is always text. At most 64, with different names. The host
  // refuses a call that lacks a required one or names an unknown one.
  PromptInfo& argument(std::string_view name, std::string_view description, bool required = false) {
    arguments_.push_back({std::string(name), std::string(description), required});
    return *this;
  }
  // Sets the completer of an argument, in place of an earlier one; see completion.hpp. `function`
  // runs on threads of the host, like a handler, for each keystroke that a client forwards: answer
  // fast.
  template <class F>
  PromptInfo& complete(std::string_view argument, F function) {
    completers_->add(argument, detail::make_handler(std::move(function), "completion"));
    return *this;
  }

  void write(JsonWriter& out) const {
    open(out, "prompt").key("arguments").begin_array();
    for (const Argument& argument : arguments_) {
      out.begin_object().key("name").string(argument.name);
      if (!argument.description.empty()) out.key("description").string(argument.description);
      out.key("required").boolean(argument.required).end_object();
    }
    out.end_array();
    close(out);
  }
  // For Offer, which registers the completers as one handler.
  const std::shared_ptr<detail::Completers>& completers() const { return completers_; }

  // Announces the members of a described struct as arguments: a member is required unless it is a
  // std::optional or says optional().
  template <Described T>
  void arguments_of() {
    const auto announce = [this](const auto& field) {
      using Member = std::remove_cvref_t<decltype(std::declval<T&>().*field.member)>;
      argument(field.name, field.description, !detail::kIsOptional<Member> && !field.may_be_absent);
    };
    std::apply([&](const auto&... field) { (announce(field), ...); }, T::fields());
  }

 private:
  // The order of the arguments is that of the calls, and clients see it.
  struct Argument {
    std::string name, description;
    bool required;
  };
  std::vector<Argument> arguments_;
  std::shared_ptr<detail::Completers> completers_;
};

namespace detail {

// The list properties that resources and templates share. They describe every content that the item
// gives; one answer can differ through Contents (resource.hpp).
template <class Item>
class ReadableInfo : public ItemInfo<Item> {
 public:
  ReadableInfo(std::string_view uri, std::string_view name, std::string_view description)
      : ItemInfo<Item>(name, description), uri_(uri) {}

  // The type of contents that do not name their own, such as "text/plain" or "image/png". Printable
  // ASCII with a slash.
  Item& mime_type(std::string_view type) { return mime_type_ = type, this->self(); }
  // Clients may subscribe; the plugin reports changes with Events (events.hpp). Without it a
  // subscription is refused.
  Item& subscribe() { return subscribe_ = true, this->self(); }
  // What it holds depends on the reader's rights. An update without metadata then reaches only
  // subscribers whose content differs from what they read last; the host reads it for that.
  Item& scoped() { return scoped_ = true, this->self(); }
  // How long a client may cache the content: up to a year; 0, the default: not at all.
  // Contents::ttl() overrides it for one answer.
  Item& ttl(std::chrono::milliseconds time) { return ttl_ = time, this->self(); }
  // The content is the same for every caller, whatever their permissions: shared caches may keep
  // it. Without it a cache belongs to one caller.
  Item& is_public() { return public_ = true, this->self(); }

  // MCP annotations: a JSON object with audience, priority or lastModified.
  Item& annotations(std::string_view json) { return annotations_ = json, this->self(); }

  // The URI of a resource, or the URI template: what the host enters the handler with.
  const std::string& uri() const { return uri_; }

 protected:
  // Writes the shared members and leaves the object open. Defaults are left out: the host knows
  // them.
  JsonWriter& open_readable(JsonWriter& out, std::string_view kind, const char* uri_name) const {
    this->open(out, kind).key(uri_name).string(uri_);
    if (!mime_type_.empty()) out.key("mimeType").string(mime_type_);
    if (!annotations_.empty()) out.key("annotations").raw(annotations_);
    if (subscribe_) out.key("subscribe").boolean(true);
    if (scoped_) out.key("scoped").boolean(true);
    if (ttl_.count() > 0) out.key("ttlMs").number(ttl_.count());
    if (public_) out.key("cacheScope").string("public");
    return out;
  }

 private:
  std::string uri_, mime_type_, annotations_;
  bool subscribe_ = false, scoped_ = false, public_ = false;
  std::chrono::milliseconds ttl_{0};
};

}  // namespace detail

// A resource with a fixed URI, as in the answer of MCP's resources/list.
class ResourceInfo : public detail::ReadableInfo<ResourceInfo> {
 public:
  using ReadableInfo::ReadableInfo;

  // The size of the content in bytes, if it is known before the read; at most 2^53 - 1.
  ResourceInfo& size(std::uint64_t bytes) { return size_ = bytes, *this; }

  void write(JsonWriter& out) const {
    open_readable(out, "resource", "uri");
    if (size_) out.key("size").number(*size_);
    close(out);
  }

 private:
  std::optional<std::uint64_t> size_;
};

// A URI template, as in the answer of MCP's resources/templates/list.
class ResourceTemplateInfo : public detail::ReadableInfo<ResourceTemplateInfo> {
 public:
  ResourceTemplateInfo(std::string_view uri_template, std::string_view name,
                       std::string_view description)
      : ReadableInfo(uri_template, name, description),
        completers_(std::make_shared<detail::Completers>()),
        lister_(std::make_shared<detail::Handler>()) {}

  // Sets the handler for the resources that this template contributes to the client's list. Its
  // form is R () or R (Call&); R is Listing, std::vector<Listed>, or a Result of one. Each URI that
  // it returns must match the template. The call carries the caller: list only what this caller may
  // read. Without a lister the template contributes nothing to the list, but can be read.
  template <class F>
  ResourceTemplateInfo& lists(F function) {
    *lister_ = detail::make_handler(std::move(function), "resource_list");
    return *this;
  }
  // Sets the completer of a variable, in place of an earlier one; see completion.hpp.
  template <class F>
  ResourceTemplateInfo& complete(std::string_view variable, F function) {
    completers_->add(variable, detail::make_handler(std::move(function), "completion"));
    return *this;
  }

  void write(JsonWriter& out) const {
    open_readable(out, "resource_template", "uriTemplate");
    if (*lister_) out.key("lists").boolean(true);
    close(out);
  }
  // For Offer, which registers both as handlers of the kinds "completion" and "resource_list".
  const std::shared_ptr<detail::Completers>& completers() const { return completers_; }
  const std::shared_ptr<detail::Handler>& lister() const { return lister_; }

 private:
  std::shared_ptr<detail::Completers> completers_;
  std::shared_ptr<detail::Handler> lister_;
};

}  // namespace gantry
