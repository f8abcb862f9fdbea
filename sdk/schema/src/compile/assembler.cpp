#include "compile/assembler.hpp"

namespace gantry::schema::detail {
namespace {

// RapidJSON's own copy would share the bytes of strings that were parsed in situ.
Json owned_copy(const Json& value, rapidjson::Document::AllocatorType& allocator) {
  if (value.IsString()) return Json(value.GetString(), value.GetStringLength(), allocator);
  if (value.IsArray()) {
    Json out(rapidjson::kArrayType);
    for (const Json& item : value.GetArray()) {
      out.PushBack(owned_copy(item, allocator), allocator);
    }
    return out;
  }
  if (!value.IsObject()) return Json(value, allocator);
  Json out(rapidjson::kObjectType);
  for (const auto& member : value.GetObject()) {
    out.AddMember(owned_copy(member.name, allocator), owned_copy(member.value, allocator),
                  allocator);
  }
  return out;
}

}  // namespace

Op Assembler::list_op(Code code, const Json& schemas) {
  const Op op{code, static_cast<std::uint32_t>(program_.children.size()), schemas.Size(), 0};
  for (const Json& schema : schemas.GetArray()) program_.children.push_back(node_of(schema));
  return op;
}

Text Assembler::store(std::string_view text) {
  const Text out{static_cast<std::uint32_t>(program_.text.size()),
                 static_cast<std::uint32_t>(text.size())};
  program_.text += text;
  return out;
}

std::uint32_t Assembler::literal(const Json& value) {
  auto& allocator = program_.literals.GetAllocator();
  program_.literals.PushBack(owned_copy(value, allocator), allocator);
  return program_.literals.Size() - 1;
}

Result<std::uint32_t> Assembler::regex(std::string_view pattern, const std::string& location) {
  const auto [at, fresh] = regex_numbers_.emplace(
      std::string(pattern), static_cast<std::uint32_t>(program_.regexes.size()));
  if (!fresh) return at->second;
  Result<Regex> compiled = Regex::compile(pattern);
  if (!compiled) {
    return bad_schema(location, "'" + std::string(pattern.substr(0, 80)) +
                                    "' is not a regular expression: " + compiled.message());
  }
  program_.regexes.push_back(std::move(*compiled));
  return at->second;
}

std::uint32_t Assembler::dynamic_anchor(const std::string& name) {
  const auto number = static_cast<std::uint32_t>(anchor_numbers_.size());
  return anchor_numbers_.emplace(name, number).first->second;
}

void Assembler::fill_dynamic_anchors() {
  const auto& resources = index_.resources();
  program_.dynamic_anchors.resize(anchor_numbers_.size());
  for (const auto& [name, number] : anchor_numbers_) {
    auto& table = program_.dynamic_anchors[number];
    table.assign(resources.size(), kNone);
    for (std::size_t r = 0; r < resources.size(); ++r) {
      const auto at = resources[r].dynamic_anchors.find(name);
      if (at != resources[r].dynamic_anchors.end()) table[r] = at->second;
    }
  }
}

}  // namespace gantry::schema::detail
