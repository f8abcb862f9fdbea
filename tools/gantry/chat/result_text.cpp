#include "tools/gantry/chat/result_text.hpp"

#include <rapidjson/document.h>

#include "tools/gantry/chat/history.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli::chat {
namespace {

using rapidjson::Value;

std::string block_text(const Value& block) {
  const std::string type = text_at(block, "type");
  if (type == "text") return text_at(block, "text");
  if (type == "image" || type == "audio") {
    return "[" + type + ", " + text_at(block, "mimeType") + ": not shown]";
  }
  return compact(block);
}

std::string texts_of(const Value& result) {
  std::string out;
  for (const auto& block : items(member(result, "content"))) {
    if (!out.empty()) out += '\n';
    out += block_text(block);
  }
  const auto& structured = member(result, "structuredContent");
  return out.empty() && !structured.IsNull() ? compact(structured) : out;
}

std::string note_of(std::size_t size) {
  return "\n[cut: the first " + std::to_string(kMaxResult) + " of " + std::to_string(size) +
         " bytes. Ask for less: fewer rows or fields.]";
}

}  // namespace

ResultText result_text(const Value& answer) {
  if (const auto& error = member(answer, "error"); error.IsObject()) {
    return {"error " + compact(member(error, "code")) + ": " + text_at(error, "message"), true};
  }
  const auto& result = member(answer, "result");
  if (!result.IsObject()) return {"the server answered something that is no answer", true};
  const std::string text = texts_of(result);
  return {bounded(text, kMaxResult, note_of(text.size())), member(result, "isError").IsTrue()};
}

}  // namespace gantry::cli::chat
