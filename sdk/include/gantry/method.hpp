// gantry/method.hpp: class methods, which agents call with the tool call_method.
//
//   struct Cancellation {
//     std::string reason;
//     static constexpr auto fields() {
//       return gantry::fields(gantry::field("reason", &Cancellation::reason, "Why"));
//     }
//   };
//   offer.method("Order", "cancel", "Cancels an order that was not sent.", cancel)
//       .permission("write").parameters_of<Cancellation>().supports_dry_run();
//
// A method belongs to a class of the operator's database: an instance method acts on one object, a
// class method on none. The host has checked everything that an agent must not decide: the
// operator's gates (of the tier "write" and "admin"), the agent's tier, its lists of methods and
// classes, the arguments, a person's approval. The object was read under the agent's scope; an
// object that the agent may not see was refused before. The method's own reads and writes through
// gantry.data/1 (data.hpp, writes.hpp) have the same scope, and write at most what its tier says.
//
// Values; any thread.
//
// Owns: copies of the call's texts. Limits: the arguments have 1 MiB, the answer 4 MiB unless the
// operator says otherwise. Errors: as those of a tool: a failed Status is the error of the call.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gantry/detail/item_info.hpp>
#include <gantry/fields.hpp>
#include <gantry/json.hpp>

namespace gantry {

// One call of a method. A handler takes it as its first parameter: R (const MethodCall&) or
// R (const MethodCall&, Call&). Its answer is the member "result" of the agent's answer: a
// described struct or JsonText as JSON, else text.
struct MethodCall {
  // The id of the object of an instance method; empty for a class method.
  std::string object_id;
  // The object as the agent may read it, a JSON object; "{}" of a class method.
  std::string object = "{}";
  // A JSON object that satisfies the method's parameters.
  std::string arguments = "{}";
  // Show what would be done and do nothing. Only methods with supports_dry_run() see it.
  bool dry_run = false;

  // The arguments as a described struct; see read() in fields.hpp for the errors.
  template <Described T>
  Result<T> arguments_as() const {
    Result<Json> json = Json::parse(arguments);
    if (!json) return json.status();
    return read<T>(*json);
  }

  // Parses the arguments of the kind "method" (ABI.md). Handlers need not call it.
  static Result<MethodCall> from_arguments(const Json& json) {
    MethodCall out;
    const auto text = [&json](std::string_view name, std::string otherwise) {
      const std::optional<Json> value = json.find(name);
      return value ? std::string(value->text()) : std::move(otherwise);
    };
    if (const auto id = json.find("object_id")) out.object_id = id->as_string().value_or("");
    out.object = text("object", "{}");
    out.arguments = text("arguments", "{}");
    if (const auto wish = json.find("dry_run")) out.dry_run = wish->as_bool().value_or(false);
    return out;
  }
};

// The list properties of a method, as in the answer of get_schema. Obtained from Offer::method();
// setters as in items.hpp. The shared properties order, icons and meta are for other kinds.
class MethodInfo : public detail::ItemInfo<MethodInfo> {
 public:
  MethodInfo(std::string_view class_name, std::string_view name, std::string_view description)
      : ItemInfo(name, description), class_name_(class_name) {}

  // A method of the class, without an object. The default is a method of one object.
  MethodInfo& on_class() { return on_class_ = true, *this; }
  // A JSON Schema 2020-12 text of the arguments; its root has "type": "object". Without it the
  // method takes none.
  MethodInfo& parameters(std::string_view json) { return parameters_ = json, *this; }
  // From a described struct (fields.hpp): other members are refused, at every depth.
  template <Described T>
  MethodInfo& parameters_of() {
    return parameters(schema_of<T>(true));
  }
  // The arguments that an agent may give, by name; others refuse the call. Without a list these are
  // the properties of the parameters.
  MethodInfo& permitted_keys(std::vector<std::string> names) {
    return permitted_keys_ = std::move(names), *this;
  }
  // The handler looks at MethodCall::dry_run. Without it a preview shows the call alone, and the
  // method is not entered.
  MethodInfo& supports_dry_run() { return supports_dry_run_ = true, *this; }

  // For Offer: the item's key, "Class.name".
  std::string key() const { return class_name_ + "." + name(); }
  void write(JsonWriter& out) const {
    open(out, "method").key("class").string(class_name_);
    if (on_class_) out.key("type").string("class");
    if (!parameters_.empty()) out.key("parameters").raw(parameters_);
    if (permitted_keys_) {
      out.key("permitted_keys").begin_array();
      for (const std::string& each : *permitted_keys_) out.string(each);
      out.end_array();
    }
    if (supports_dry_run_) out.key("supports_dry_run").boolean(true);
    close(out);
  }

 private:
  std::string class_name_, parameters_;
  std::optional<std::vector<std::string>> permitted_keys_;
  bool on_class_ = false, supports_dry_run_ = false;
};

}  // namespace gantry
