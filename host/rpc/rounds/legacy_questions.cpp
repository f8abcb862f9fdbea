#include "host/rpc/rounds/legacy_questions.hpp"

#include <rapidjson/document.h>

#include "host/base/exact_json.hpp"
#include "host/base/ids.hpp"
#include "host/base/json.hpp"
#include "host/rpc/message/envelope.hpp"
#include "host/rpc/message/era.hpp"
#include "host/rpc/message/message.hpp"

namespace gantry::host::rpc {
namespace {

using Value = rapidjson::Value;
using Document = rapidjson::Document;

void adapt_elicitation(Value& params, const Features& peer, Document::AllocatorType& allocator) {
  if (!peer.ask_modes()) {
    params.RemoveMember("mode");
  } else if (text_of(member(&params, "mode")) == "url" && !params.HasMember("elicitationId")) {
    const std::string id = random_hex(16);
    params.AddMember("elicitationId", Value(id.data(), static_cast<unsigned>(id.size()), allocator),
                     allocator);
  }
}

void adapt(std::string_view method, Value& params, const Features& peer,
           Document::AllocatorType& allocator) {
  if (method == "elicitation/create") adapt_elicitation(params, peer, allocator);
  if (method == "sampling/createMessage" && !peer.ask_modes()) {
    params.RemoveMember("tools");
    params.RemoveMember("toolChoice");
  }
}

}  // namespace

std::vector<Question> questions_of(std::string_view requests, std::string_view revision) {
  std::vector<Question> out;
  Document document;
  if (!parse_exact(requests, document) || !document.IsObject()) return out;
  const Features peer(revision);
  for (auto& entry : document.GetObject()) {
    Question question;
    question.key.assign(entry.name.GetString(), entry.name.GetStringLength());
    question.method = text_of(member(&entry.value, "method")).value_or("");
    const bool has_params = entry.value.IsObject() && entry.value.HasMember("params") &&
                            entry.value["params"].IsObject();
    if (has_params) adapt(question.method, entry.value["params"], peer, document.GetAllocator());
    question.params = has_params ? json_of(entry.value["params"]) : "{}";
    out.push_back(std::move(question));
  }
  return out;
}

std::string request_message(std::string_view id, const Question& question) {
  std::string out = request_head(json_string(id), question.method);
  return out.append(",\"params\":").append(question.params) += '}';
}

std::string answers_of(const std::vector<Question>& questions) {
  std::string out = "{";
  for (const Question& question : questions) {
    if (question.answer.empty()) continue;
    if (out.size() > 1) out += ',';
    append_json_string(out, question.key);
    out += ':' + question.answer;
  }
  return out + "}";
}

}  // namespace gantry::host::rpc
