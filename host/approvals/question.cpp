#include "host/approvals/question.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "host/base/exact_json.hpp"
#include "host/base/json.hpp"

namespace gantry::host {
namespace {

using Document = rapidjson::Document;

constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 8> kUnseen = {{
    {0x7F, 0x9F},        // DEL, C1
    {0xAD, 0xAD},        // soft hyphen
    {0x61C, 0x61C},      // Arabic letter mark
    {0x200B, 0x200F},    // zero width, marks of direction
    {0x2028, 0x202E},    // separators, embeddings, overrides
    {0x2060, 0x206F},    // word joiner, isolates
    {0xFEFF, 0xFEFF},    // byte order mark
    {0xE0000, 0xE007F},  // tags
}};

bool is_unseen(std::uint32_t point) {
  for (const auto& [first, last] : kUnseen) {
    if (point >= first && point <= last) return true;
  }
  return false;
}

// The code point of the UTF-8 sequence at the beginning of `text`, and its bytes. JSON texts here
// are valid UTF-8.
std::pair<std::uint32_t, std::size_t> code_point(std::string_view text) {
  const auto byte = [&](std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u;
  };
  const std::uint32_t first = byte(0);
  if (first < 0xC0) return {first, 1};
  if (first < 0xE0) return {(first & 0x1F) << 6 | (byte(1) & 0x3F), 2};
  if (first < 0xF0) return {(first & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F), 3};
  return {(first & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F),
          4};
}

void append_part(std::string& out, std::string_view name, std::string_view json) {
  if (json.empty()) return;
  out.append("\n").append(name).append(": ").append(visible_json(json));
}

std::string message_of(const ApprovalAsk& ask) {
  std::string out = "The agent '" + ask.agent->name + "'";
  if (ask.agent->user) out += ", acting for '" + *ask.agent->user + "',";
  out += " wants to run the tool '" + ask.tool + "'.";
  if (!ask.title.empty()) out += "\nTool: " + ask.title;
  append_part(out, "Arguments", ask.arguments);
  append_part(out, "What it would do", ask.preview);
  return out + "\nAccept to run exactly this call, once. Decline, and nothing is run.";
}

}  // namespace

std::string visible_json(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  while (!json.empty()) {
    const auto [point, bytes] = code_point(json);
    if (is_unseen(point)) {
      append_escape(out, point);
    } else {
      out += json.substr(0, bytes);
    }
    json.remove_prefix(std::min(bytes, json.size()));
  }
  return out;
}

std::string approval_requests(const ApprovalAsk& ask) {
  std::string out = "{\"";
  out.append(kApprovalKey);
  out += "\":{\"method\":\"elicitation/create\",\"params\":{\"mode\":\"form\"";
  append_text_member(out, "message", message_of(ask));
  return out + ",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}}}";
}

std::optional<bool> approval_answer(std::string_view answers) {
  Document document;
  if (answers.empty() || !parse_exact(answers, document) || !document.IsObject()) return {};
  const auto at = document.FindMember(rapidjson::StringRef(kApprovalKey.data()));
  if (at == document.MemberEnd() || !at->value.IsObject()) return {};
  const auto action = at->value.FindMember("action");
  if (action == at->value.MemberEnd() || !action->value.IsString()) return {};
  const std::string_view word(action->value.GetString(), action->value.GetStringLength());
  if (word == "accept") return true;
  if (word == "decline" || word == "cancel") return false;
  return {};
}

std::string without_approval_answer(std::string_view answers) {
  Document document;
  if (answers.empty() || !parse_exact(answers, document) || !document.IsObject()) return {};
  document.RemoveMember(rapidjson::StringRef(kApprovalKey.data()));
  if (document.ObjectEmpty()) return {};
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  document.Accept(writer);
  return {buffer.GetString(), buffer.GetSize()};
}

}  // namespace gantry::host
