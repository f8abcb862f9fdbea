#include "host/rpc/results/content.hpp"

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "host/base/exact_json.hpp"
#include "host/rpc/message/era.hpp"
#include "host/rpc/message/message.hpp"

namespace gantry::host::rpc {
namespace {

using Value = rapidjson::Value;
using Pool = rapidjson::Document::AllocatorType;

std::string words_for(const Value& block, std::string_view type) {
  if (type == "audio") {
    return "[audio: " + std::string(text_of(member(&block, "mimeType")).value_or("unknown type")) +
           "]";
  }
  std::string out(text_of(member(&block, "name")).value_or("resource"));
  out += ": ";
  out += text_of(member(&block, "uri")).value_or("");
  return out;
}

void become_text(Value& block, const std::string& words, Pool& pool) {
  block.SetObject();
  block.AddMember("type", "text", pool);
  block.AddMember("text",
                  Value(words.c_str(), static_cast<rapidjson::SizeType>(words.size()), pool), pool);
}

}  // namespace

std::string content_for(std::string_view revision, std::string&& blocks) {
  const Features peer(revision);
  if (peer.titles() || blocks.empty()) return std::move(blocks);
  const bool suspicious = blocks.find("\"resource_link\"") != std::string::npos ||
                          blocks.find("\"audio\"") != std::string::npos ||
                          blocks.find("\"_meta\"") != std::string::npos;
  if (!suspicious) return std::move(blocks);
  const std::string text = "[" + blocks + "]";
  rapidjson::Document all;
  if (!parse_exact(text, all)) return std::move(blocks);
  for (auto& block : all.GetArray()) {
    const auto type = text_of(member(&block, "type")).value_or("");
    if (type == "resource_link" || (type == "audio" && !peer.annotations())) {
      become_text(block, words_for(block, type), all.GetAllocator());
    } else if (block.IsObject()) {
      block.RemoveMember("_meta");
    }
  }
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  all.Accept(writer);
  return {buffer.GetString() + 1, buffer.GetSize() - 2};
}

}  // namespace gantry::host::rpc
