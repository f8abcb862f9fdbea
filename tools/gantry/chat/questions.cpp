#include "tools/gantry/chat/questions.hpp"

#include <vector>

#include <rapidjson/document.h>

#include <gantry/json_writer.hpp>

#include "tools/gantry/mcp/arguments.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli::chat {
namespace {

using rapidjson::Value;

constexpr const char* kCancel = R"({"action":"cancel"})";
constexpr const char* kDecline = R"({"action":"decline"})";

// "name (integer, one of 1, 2): " from a property of the form.
std::string prompt_of(const std::string& name, const Value& property) {
  std::string about = text_at(property, "type");
  if (const auto& options = member(property, "enum"); options.IsArray()) {
    about = "one of " + compact(options);
  }
  const std::string title = text_at(property, "title");
  return printable((title.empty() ? name : title) + (about.empty() ? "" : " (" + about + ")")) +
         ": ";
}

// Asks for one field until it is right. Nothing: the user stopped. An empty line leaves it out.
std::optional<std::string> field(const std::string& name, const Value& schema,
                                 const Value& property, Person& person) {
  std::string prompt = prompt_of(name, property);
  for (;;) {
    auto line = person.line(prompt);
    if (!line || line->empty()) return line;
    const auto read = arguments_of({name + "=" + *line}, schema);
    if (read) return name + "=" + *line;
    prompt = printable(read.message()) + "\n" + prompt_of(name, property);
  }
}

std::string form_answer(const Value& params, Person& person, bool& stopped) {
  const Said said = person.confirm(text_at(params, "message"));
  stopped = said == Said::stopped;
  if (said != Said::yes) return stopped ? kCancel : kDecline;
  const auto& schema = member(params, "requestedSchema");
  const auto& properties = member(schema, "properties");
  std::vector<std::string> words;
  if (properties.IsObject()) {
    for (const auto& property : properties.GetObject()) {
      const auto word = field(property.name.GetString(), schema, property.value, person);
      stopped = !word;
      if (stopped) return kCancel;
      if (!word->empty()) words.push_back(*word);
    }
  }
  const auto content = arguments_of(words, schema);
  return content ? R"({"action":"accept","content":)" + *content + "}" : kDecline;
}

bool is_form(const Value& request) {
  const std::string mode = text_at(member(request, "params"), "mode");
  return text_at(request, "method") == "elicitation/create" && (mode.empty() || mode == "form");
}

}  // namespace

bool is_waiting(const Value& result) { return text_at(result, "resultType") == "input_required"; }

Answers answers_to(const Value& result, Person& person) {
  Answers out;
  JsonWriter json(out.text);
  json.begin_object();
  if (const auto& requests = member(result, "inputRequests"); requests.IsObject()) {
    for (const auto& request : requests.GetObject()) {
      std::string answer = out.stopped ? kCancel : kDecline;
      if (!out.stopped && is_form(request.value)) {
        answer = form_answer(member(request.value, "params"), person, out.stopped);
      }
      json.key({request.name.GetString(), request.name.GetStringLength()}).raw(answer);
    }
  }
  json.end_object();
  return out;
}

std::string with_answers(const std::string& params, const Value& result,
                         const std::string& answers) {
  auto out = parsed(params);
  auto& pool = out.GetAllocator();
  const auto given = parsed(answers);
  out.RemoveMember("inputResponses");
  out.RemoveMember("requestState");
  if (given.IsObject() && !given.ObjectEmpty()) {
    out.AddMember("inputResponses", Value(given, pool), pool);
  }
  const auto& state = member(result, "requestState");
  if (!state.IsNull()) out.AddMember("requestState", Value(state, pool), pool);
  return compact(out);
}

}  // namespace gantry::cli::chat
