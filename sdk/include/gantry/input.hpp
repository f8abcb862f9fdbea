// gantry/input.hpp: asks the caller's user or model from inside a handler; abi/input.h has the
// rules.
//
//   const auto name = input.elicit<Person>(call, "person", "Which person is it for?");
//   if (!name) return name.status();            // asked now, or cannot be asked
//   if (!name->accepted()) return gantry::Status::failed("It was declined.");
//   greet(name->value);
//
// A handler requests an input and returns any failed Result. When the client has answered, the item
// is entered again from its start with the same arguments, and the same lines then find the
// answers. No thread waits meanwhile. To ask several questions at once, request all of them before
// the first return. Request the same inputs in every round, and do nothing before them that must
// not be repeated; to carry a result of earlier work into the next round, keep() it.
//
//   std::string token(input.state(call));        // "" in the first round
//   if (token.empty()) {
//     token = begin_sign_in();                   // must run once
//     if (gantry::Status kept = input.keep(call, token); !kept) return kept;
//   }
//   const auto opened = input.elicit_url(call, "sign-in", "Sign in.", url_for(token));
//   if (!opened) return opened.status();
//
// keep() holds for one round: a handler that needs the bytes in the round after it keeps them
// again.
//
// `key` names a question within the call: 1 to 64 bytes of A-Z a-z 0-9 _ . -, a different one for
// each. Limits: 16 questions and 8 rounds a call; questions and answers have 64 KiB together.
// Tools, prompts, resources and templates may ask, in calls of a client only: a nested call cannot.
//
// A failed Result here is GANTRY_INPUT_REQUIRED (asked; also written `gantry::need_input`),
// GANTRY_UNSUPPORTED (this client does not support the question: continue without, or return the
// Status, and the host tells the client which capability is missing), GANTRY_CANCELLED, or the
// reason why the question is invalid, which is a fault of the plugin. Answers are the words of the
// user or of the client: check them like arguments. If the plugin is replaced between two rounds by
// one with another "state_version" in its manifest, the item is entered as if for the first time.
//
// The manifest's "needs" must name gantry.input/1. Threads: any, one at a time for one call.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gantry/abi/input.h>
#include <gantry/available.hpp>
#include <gantry/call.hpp>
#include <gantry/content.hpp>

namespace gantry {

// The return value of a handler that has asked: the call ends, and the item is entered again later.
// It converts to Status and to every Result. Without an open question it is a fault of the plugin.
struct NeedInput {
  operator Status() const { return Status(GANTRY_INPUT_REQUIRED, {}); }  // NOLINT: by design
  template <class T>
  operator Result<T>() const {  // NOLINT: by design
    return Result<T>(Status(*this));
  }
};
inline constexpr NeedInput need_input{};

// The user's reaction to a question: filled in, refused, or closed without a decision.
enum class ElicitAction { accept, decline, cancel };

// The answer to a question; `value` has the user's entries only if it was accepted, else its
// defaults.
// It owns its texts. Declining and closing are decisions of the user and no errors: the handler
// says what follows from them.
template <class T>
struct Elicited {
  ElicitAction action = ElicitAction::cancel;
  T value{};
  bool accepted() const { return action == ElicitAction::accept; }
};

// The answer of a model, which may have been changed by the user: treat it as input, not as an
// order. `model` and `stop_reason` are the client's words and may be empty.
struct Sampled {
  // Copies of the client's words. They are not checked and may hold anything.
  std::string role, model, stop_reason;
  std::string content;  // one content block or an array of them, as JSON
  // The texts of its blocks, joined by newlines; "" if there are none.
  std::string text() const;
};

// A folder that the client works in: a file:// URI and a name, which may be empty. The host does
// not read it for the plugin.
struct Root {
  std::string uri, name;
};

// The service gantry.input/1. Make it once and keep it, or make it for each call: it is one
// pointer, valid as long as the Host.
class Input {
 public:
  static constexpr const char* kId = GANTRY_INPUT_SERVICE;
  // None if the host has no such service or the manifest's "needs" or "wants" does not name it:
  // using it then throws MissingService.
  static Available<Input> of(const Host& host) {
    const auto* table = host.service<gantry_input_api>(kId);
    return table == nullptr ? Available<Input>() : Input(*table);
  }

  // The answer to the request named `key`, as the result object of `method` in JSON; asks if there
  // is none. `method` is "elicitation/create", "sampling/createMessage" or "roots/list", `params` a
  // JSON object as MCP defines for it, or empty. The functions below are forms of this one.
  // The result is a copy that belongs to the caller; later rounds find it again under this key.
  Result<std::string> request(const CallView& call, std::string_view key, std::string_view method,
                              std::string_view params) const {
    gantry_bytes answer{nullptr, 0};
    const gantry_status status =
        table_->request(call.handle(), to_bytes(key), to_bytes(method), to_bytes(params), &answer);
    if (status == GANTRY_OK) return std::string(to_view(answer));
    return not_answered(status, key);
  }

  // Asks the user to fill in a form; `message` says what for. `schema` is a JSON Schema of an
  // object whose properties are strings, numbers, booleans or choices, without nesting (MCP:
  // elicitation). The value is the JSON object with the entries, which the host has checked against
  // the schema. Do not ask for passwords in a form: use elicit_url().
  // A form that is declined or closed gives "{}" as its value.
  Result<Elicited<JsonText>> elicit(const CallView& call, std::string_view key,
                                    std::string_view message, std::string_view schema) const {
    const Result<std::string> answer = request(call, key, kElicit, form(message, schema));
    if (!answer) return answer.status();
    return elicited(*answer);
  }
  // The same, with a form made from a struct with fields() (strings, numbers, bools, enums).
  // Further members of the answer are ignored; entries that do not fit the struct give
  // GANTRY_INVALID_ARGUMENT.
  template <Described T>
  Result<Elicited<T>> elicit(const CallView& call, std::string_view key,
                             std::string_view message) const;

  // Sends the user to a web page, for secrets, payments and sign-in, which must not pass through
  // the client. Accepting means only that the user opened it: find out from the page's own server
  // whether the work is done.
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

  // Asks the caller's model; the client may ask its user first and may refuse. `params` are those
  // of MCP's sampling/createMessage; "messages" and "maxTokens" are required.
  // The tokens are the client's: it pays for them, and may use another model than the one that
  // `params` prefers.
  Result<Sampled> sample(const CallView& call, std::string_view key,
                         std::string_view params) const {
    const Result<std::string> answer = request(call, key, "sampling/createMessage", params);
    if (!answer) return answer.status();
    return sampled(*answer);
  }
  // The same with one message of the user and at most `max_tokens` tokens in the answer.
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

  // The folders that the client works in. Empty if it has none open.
  Result<std::vector<Root>> roots(const CallView& call, std::string_view key) const;

  // The bytes given to keep() in the previous round, "" in the first; valid until the call ends.
  // The client cannot read or change them.
  // Errors: none. Threads: any. It is also empty when a newer plugin with another "state_version"
  // has taken over.
  std::string_view state(const CallView& call) const {
    return to_view(table_->state(call.handle()));
  }
  // Stores bytes for state() of the next round, at most 16 KiB; only the last keep() of a round is
  // used. A call may end with need_input after keep() alone, without a question.
  // The bytes are copied, and any are allowed. A failed Status for more than 16 KiB is the plugin's
  // fault; GANTRY_CANCELLED is no fault.
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

  // An invalid question is the plugin's fault, not the caller's.
  static Status not_answered(gantry_status status, std::string_view key) {
    if (status == GANTRY_INPUT_REQUIRED || status == GANTRY_UNSUPPORTED) return {status, {}};
    if (status == GANTRY_CANCELLED) return {status, "the call was cancelled"};
    return Status::failed("asking for '" + std::string(key) + "' failed with status " +
                          std::to_string(status) +
                          "; abi/input.h says what key, method and params may be");
  }

  // The params of an elicitation in the mode "form".
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

  // The text of a member, "" if there is none or it is not a string.
  static std::string text_of(const Json& object, std::string_view name) {
    const std::optional<Json> member = object.find(name);
    return member ? member->as_string().value_or("") : std::string();
  }

  // An answer without a known action counts as cancelled.
  // Fails only if the answer is not JSON. Without content the value is "{}".
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

  // Members that the client did not send are empty texts. Fails only if the answer is not JSON.
  static Result<Sampled> sampled(std::string_view answer) {
    const Result<Json> json = Json::parse(answer);
    if (!json) return json.status();
    const std::optional<Json> content = json->find("content");
    return Sampled{text_of(*json, "role"), text_of(*json, "model"), text_of(*json, "stopReason"),
                   content ? std::string(content->text()) : std::string()};
  }

  // Keeps the described members only: the client may send more.
  // `content` is valid JSON, since it comes from elicited(); it is not parsed for errors again.
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

  // The host's table: valid as long as the Host.
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
