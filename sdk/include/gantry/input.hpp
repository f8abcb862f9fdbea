// gantry/input.hpp: a handler asks the caller's person or model; abi/input.h has the rules.
//
//   const auto name = input.elicit<Person>(call, "who", "Who is it for?");
//   if (!name) return name.status();            // asked now, or cannot be asked
//   if (!name->accepted()) return gantry::Status::failed("It was declined.");
//   greet(name->value);
//
// A handler asks for what it needs and returns what is not fine; it is entered again from its
// start, with the same arguments, when the client has answered, and then the same lines find the
// answers. To ask several things at once, ask all of them before the first return. Ask in the same
// way in every round, and do nothing before that must not be done twice.
//
// A failed Result here is GANTRY_INPUT_REQUIRED (asked; also written `gantry::need_input`),
// GANTRY_UNSUPPORTED (this client cannot be asked that: do without, or return the Status and the
// client is told what it lacks), GANTRY_CANCELLED, or the reason why the question is not allowed.
// The manifest's "needs" must name gantry.input/1. Threads: any, one at a time for one call.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gantry/abi/input.h>
#include <gantry/call.hpp>
#include <gantry/content.hpp>

namespace gantry {

// What a handler returns when it has asked: the call ends here and the item is entered again.
struct NeedInput {
  operator Status() const { return Status(GANTRY_INPUT_REQUIRED, {}); }  // NOLINT: by design
  template <class T>
  operator Result<T>() const {  // NOLINT: by design
    return Result<T>(Status(*this));
  }
};
inline constexpr NeedInput need_input{};

// What a person did with a question.
enum class ElicitAction { accept, decline, cancel };

// An answered question; `value` counts only when it was accepted.
template <class T>
struct Elicited {
  ElicitAction action = ElicitAction::cancel;
  T value{};
  bool accepted() const { return action == ElicitAction::accept; }
};

// What a model said.
struct Sampled {
  std::string role, model, stop_reason;
  std::string content;  // one content block or an array of them, as JSON
  // The text in it, blocks joined by newlines; "" when there is none.
  std::string text() const;
};

struct Root {
  std::string uri, name;
};

class Input {
 public:
  // Empty when the host has no such service or the manifest's "needs" does not name it.
  static std::optional<Input> of(const Host& host) {
    const auto* table = host.service<gantry_input_api>(GANTRY_INPUT_SERVICE);
    return table == nullptr ? std::nullopt : std::optional(Input(*table));
  }

  // The answer to the request named `key`, as JSON, or asks. `params` is a JSON object.
  Result<std::string> request(const CallView& call, std::string_view key, std::string_view method,
                              std::string_view params) const {
    gantry_bytes answer{nullptr, 0};
    const gantry_status status =
        table_->request(call.handle(), to_bytes(key), to_bytes(method), to_bytes(params), &answer);
    if (status == GANTRY_OK) return std::string(to_view(answer));
    return not_answered(status, key);
  }

  // A form for the person. `schema` is a JSON Schema of an object whose properties are strings,
  // numbers, booleans or choices; the value is the JSON object they filled in.
  Result<Elicited<JsonText>> elicit(const CallView& call, std::string_view key,
                                    std::string_view message, std::string_view schema) const {
    const Result<std::string> answer = request(call, key, kElicit, form(message, schema));
    if (!answer) return answer.status();
    return elicited(*answer);
  }
  // The same with the form made from a struct with fields() (strings, numbers, bools, enums).
  template <Described T>
  Result<Elicited<T>> elicit(const CallView& call, std::string_view key,
                             std::string_view message) const;

  // Sends the person to a page; accepting says only that they went there.
  Result<Elicited<JsonText>> elicit_url(const CallView& call, std::string_view key,
                                        std::string_view message, std::string_view url) const {
    std::string params;
    JsonWriter(params)
        .begin_object()
        .key("mode")
        .string("url")
        .key("message")
        .string(message)
        .key("url")
        .string(url)
        .end_object();
    const Result<std::string> answer = request(call, key, kElicit, params);
    if (!answer) return answer.status();
    return elicited(*answer);
  }

  // Asks the caller's model. `params` are MCP's for sampling/createMessage, or a prompt of the
  // user with a limit for the answer.
  Result<Sampled> sample(const CallView& call, std::string_view key,
                         std::string_view params) const {
    const Result<std::string> answer = request(call, key, "sampling/createMessage", params);
    if (!answer) return answer.status();
    return sampled(*answer);
  }
  Result<Sampled> sample(const CallView& call, std::string_view key, std::string_view prompt,
                         int max_tokens) const {
    std::string params;
    JsonWriter(params)
        .begin_object()
        .key("messages")
        .begin_array()
        .begin_object()
        .key("role")
        .string("user")
        .key("content")
        .raw(text(prompt).json)
        .end_object()
        .end_array()
        .key("maxTokens")
        .number(max_tokens)
        .end_object();
    return sample(call, key, params);
  }

  // The folders the client works in.
  Result<std::vector<Root>> roots(const CallView& call, std::string_view key) const;

  // What keep() was given in the round before, "" in the first; valid until the call ends.
  std::string_view state(const CallView& call) const {
    return to_view(table_->state(call.handle()));
  }
  // Bytes for state() of the next round, at most 16 KiB; the last keep() counts.
  Status keep(const CallView& call, std::string_view state) const {
    const gantry_status status = table_->keep(call.handle(), to_bytes(state));
    if (status >= 0) return {};
    if (status == GANTRY_CANCELLED) return Status(status, "the call was cancelled");
    return Status::failed("keep() failed with status " + std::to_string(status) +
                          "; state may have 16 KiB");
  }

 private:
  static constexpr std::string_view kElicit = "elicitation/create";

  explicit Input(const gantry_input_api& table) : table_(&table) {}

  // A wrong question is the plugin's fault, not the caller's.
  static Status not_answered(gantry_status status, std::string_view key) {
    if (status == GANTRY_INPUT_REQUIRED || status == GANTRY_UNSUPPORTED) return {status, {}};
    if (status == GANTRY_CANCELLED) return {status, "the call was cancelled"};
    return Status::failed("asking for '" + std::string(key) + "' failed with status " +
                          std::to_string(status) +
                          "; abi/input.h says what key, method and params may be");
  }

  static std::string form(std::string_view message, std::string_view schema) {
    std::string params;
    JsonWriter(params)
        .begin_object()
        .key("mode")
        .string("form")
        .key("message")
        .string(message)
        .key("requestedSchema")
        .raw(schema)
        .end_object();
    return params;
  }

  static std::string text_of(const Json& object, std::string_view name) {
    const std::optional<Json> member = object.find(name);
    return member ? member->as_string().value_or("") : std::string();
  }

  static Result<Elicited<JsonText>> elicited(std::string_view answer) {
    const Result<Json> json = Json::parse(answer);
    if (!json) return json.status();
    const std::string action = text_of(*json, "action");
    const std::optional<Json> content = json->find("content");
    Elicited<JsonText> out{ElicitAction::cancel, {content ? std::string(content->text()) : "{}"}};
    if (action == "accept") out.action = ElicitAction::accept;
    if (action == "decline") out.action = ElicitAction::decline;
    return out;
  }

  static Result<Sampled> sampled(std::string_view answer) {
    const Result<Json> json = Json::parse(answer);
    if (!json) return json.status();
    const std::optional<Json> content = json->find("content");
    return Sampled{text_of(*json, "role"), text_of(*json, "model"), text_of(*json, "stopReason"),
                   content ? std::string(content->text()) : std::string()};
  }

  // The described members alone: a form may have been given more.
  template <Described T>
  static std::string described_part(std::string_view content) {
    std::string text;
    JsonWriter out(text);
    out.begin_object();
    const Result<Json> json = Json::parse(content);
    const auto copy = [&](std::string_view name) {
      const std::optional<Json> member = json->find(name);
      if (member) out.key(name).raw(member->text());
    };
    std::apply([&](const auto&... field) { (copy(field.name), ...); }, T::fields());
    out.end_object();
    return text;
  }

  const gantry_input_api* table_;
};

template <Described T>
Result<Elicited<T>> Input::elicit(const CallView& call, std::string_view key,
                                  std::string_view message) const {
  const Result<Elicited<JsonText>> answer = elicit(call, key, message, schema_of<T>(false));
  if (!answer) return answer.status();
  if (!answer->accepted()) return Elicited<T>{answer->action, T{}};
  const std::string content = described_part<T>(answer->value.text);
  Result<T> value = read<T>(*Json::parse(content), key);
  if (!value) return value.status();
  return Elicited<T>{answer->action, std::move(*value)};
}

inline Result<std::vector<Root>> Input::roots(const CallView& call, std::string_view key) const {
  const Result<std::string> answer = request(call, key, "roots/list", {});
  if (!answer) return answer.status();
  const Result<Json> json = Json::parse(*answer);
  if (!json) return json.status();
  std::vector<Root> out;
  const std::optional<Json> roots = json->find("roots");
  if (!roots) return out;
  for (const Json& root : roots->elements()) {
    out.push_back({text_of(root, "uri"), text_of(root, "name")});
  }
  return out;
}

inline std::string Sampled::text() const {
  std::string out;
  const Result<Json> json = Json::parse(content);
  const auto take = [&out](const Json& block) {
    const std::optional<Json> text = block.find("text");
    if (!text || !text->is_string()) return;
    out += (out.empty() ? "" : "\n") + *text->as_string();
  };
  if (json && json->is_object()) take(*json);
  if (json) {
    for (const Json& block : json->elements()) take(block);
  }
  return out;
}

}  // namespace gantry
