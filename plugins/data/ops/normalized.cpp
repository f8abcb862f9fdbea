#include "ops/normalized.hpp"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>

namespace gantry::data {

std::vector<JsonMember> in_order(const rapidjson::Value& arguments) {
  const auto name_of = [](JsonMember it) {
    return std::string_view(it->name.GetString(), it->name.GetStringLength());
  };
  std::vector<JsonMember> members;
  for (JsonMember it = arguments.MemberBegin(); it != arguments.MemberEnd(); ++it) {
    if (!it->value.IsNull()) members.push_back(it);
  }
  std::stable_sort(members.begin(), members.end(),
                   [&](JsonMember a, JsonMember b) { return name_of(a) < name_of(b); });
  return members;
}

std::string normalized(std::string_view op, const rapidjson::Value& arguments) {
  // Large enough for most requests; larger ones allocate.
  char room[2048];
  using Memory = rapidjson::MemoryPoolAllocator<>;
  Memory memory(room, sizeof room, sizeof room);
  using Buffer = rapidjson::GenericStringBuffer<rapidjson::UTF8<>, Memory>;
  Buffer text(&memory, sizeof room / 4);
  rapidjson::Writer<Buffer, rapidjson::UTF8<>, rapidjson::UTF8<>, Memory> out(text, &memory);
  out.StartObject();
  out.Key("op");
  out.String(op.data(), static_cast<rapidjson::SizeType>(op.size()));
  out.Key("args");
  out.StartObject();
  for (const JsonMember it : in_order(arguments)) {
    it->name.Accept(out);
    it->value.Accept(out);
  }
  out.EndObject();
  out.EndObject();
  return {text.GetString(), text.GetSize()};
}

}  // namespace gantry::data
