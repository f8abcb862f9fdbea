// usage: worlds_twins SEED COUNT
//
// Prints the two worlds of a seed as one JSON object, with COUNT random calls of tools that read
// and COUNT of tools that write: for the test of a whole server in tests/e2e.
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cstdlib>
#include <iostream>
#include <map>
#include <string>

#include "draw.hpp"
#include "world.hpp"

namespace gantry::worlds {
namespace {

using Writer = rapidjson::Writer<rapidjson::StringBuffer>;

void put(Writer& out, const std::string& text) {
  out.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}

void put(Writer& out, const char* key, const std::string& text) {
  out.Key(key);
  put(out, text);
}

// The tool of an operation of the data service; empty: several, or none.
std::string tool_of(const std::string& op) {
  static const std::map<std::string, std::string> tools = {
      {"query", "query_class"},          {"get", "get_object"},
      {"get_many", "get_objects"},       {"count", "count_objects"},
      {"samples", "get_sample_objects"}, {"aggregate", "aggregate"},
      {"group_by", "group_by"},          {"group_by_date", "group_by_date"},
      {"distinct", "distinct"},          {"explain", "explain_query"},
      {"export", "export_data"},         {"schemas", "get_all_schemas"},
      {"schema", "get_schema"},          {"create", "create_object"},
      {"update", "update_object"},       {"delete", "delete_object"},
      {"create_class", "create_class"}};
  const auto found = tools.find(op);
  return found == tools.end() ? std::string() : found->second;
}

void put_calls(Writer& out, const char* key, Request (*draw)(Chance&, const Words&),
               const Words& words, Chance chance, int count) {
  out.Key(key);
  out.StartArray();
  while (count > 0) {
    const Request request = draw(chance, words);
    const std::string tool = tool_of(request.op);
    if (request.kind != Request::Kind::service || tool.empty()) continue;
    --count;
    out.StartObject();
    put(out, "tool", tool);
    put(out, "arguments", with_quotes(request.text));
    out.EndObject();
  }
  out.EndArray();
}

void put_names(Writer& out, const char* key, const std::vector<std::string>& names) {
  out.Key(key);
  out.StartArray();
  for (const std::string& name : names) put(out, name);
  out.EndArray();
}

void print(std::uint32_t seed, int count) {
  const Twins twins = make_twins(seed);
  rapidjson::StringBuffer text;
  Writer out(text);
  out.StartObject();
  put(out, "one", twins.one);
  put(out, "other", twins.other);
  put(out, "agent", twins.agent);
  out.Key("model");
  out.StartObject();
  for (const auto& [name, file] : twins.model) put(out, name.c_str(), file);
  out.EndObject();
  std::vector<std::string> visible;
  for (const ClassWords& cls : twins.words.classes) visible.push_back(cls.name);
  put_names(out, "visible", visible);
  put_names(out, "hidden", twins.words.hidden_classes);
  put(out, "last_rows", kLastRows);
  put_calls(out, "calls", any_request, twins.words, Chance(seed * 31337 + 5), count);
  put_calls(out, "writes", any_write, twins.words, Chance(seed * 31337 + 7), count);
  out.EndObject();
  std::cout << text.GetString() << "\n";
}

}  // namespace
}  // namespace gantry::worlds

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: worlds_twins SEED COUNT\n";
    return 2;
  }
  gantry::worlds::print(static_cast<std::uint32_t>(std::strtoul(argv[1], nullptr, 10)),
                        std::atoi(argv[2]));
  return 0;
}
