#include "tools/gantry/model/engine.hpp"

#include <rapidjson/document.h>

#include <gantry/json_writer.hpp>

#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

using rapidjson::Document;
using rapidjson::Value;

std::string request_of(const char* op, const std::string& args) {
  return std::string(R"({"op":")") + op + R"(","args":)" + args + "}";
}

std::string of_class(const std::string& cls, const std::string& more = "") {
  std::string args;
  JsonWriter(args).begin_object().key("class_name").string(cls).end_object();
  args.pop_back();
  return args + more + "}";
}

bool is_always_there(const std::string& name) {
  return name == "objectId" || name == "createdAt" || name == "updatedAt";
}

// Names that every object has are listed before the stored fields.
ClassDescription described(const Value& answer) {
  ClassDescription cls{text_at(answer, "class_name"), text_at(answer, "id_field"), {}};
  for (const Value& one : answer["fields"].GetArray()) {
    ClassField field{text_at(one, "name"), text_at(one, "type"), text_at(one, "target_class"), {}};
    if (is_always_there(field.name)) continue;
    const auto keys = one.FindMember("keys");
    if (keys != one.MemberEnd()) {
      for (const Value& key : keys->value.GetArray()) field.keys.push_back(text_at(key, "name"));
    }
    cls.fields.push_back(std::move(field));
  }
  return cls;
}

Result<Document> part_of(const testing::Reply& reply, std::string_view part) {
  if (!reply.ok()) return Status::failed(reply.message);
  for (const auto& [name, body] : reply.content) {
    if (name == part) return parsed(body);
  }
  return Status::failed("the data engine's answer has no " + std::string(part));
}

}  // namespace

Result<std::unique_ptr<Engine>> Engine::open(const DatabaseChoice& choice) {
  auto database = Database::open(choice);
  if (!database) return database.status();
  return std::unique_ptr<Engine>(new Engine(std::move(*database)));
}

Result<Document> Engine::ask(const std::string& request, const char* part) {
  return part_of(database_->ask(request), part);
}

Result<std::vector<ClassDescription>> Engine::classes() {
  const auto names = ask(request_of("schemas", "{}"), "meta");
  if (!names) return names.status();
  std::vector<ClassDescription> classes;
  for (const char* list : {"built_in", "custom"}) {
    for (const Value& one : (*names)[list].GetArray()) {
      const auto answer = ask(request_of("schema", of_class(text_at(one, "name"))), "meta");
      if (!answer) return answer.status();
      classes.push_back(described(*answer));
    }
  }
  return classes;
}

Document Engine::rows(const std::string& cls) {
  auto rows = ask(request_of("query", of_class(cls, R"(,"limit":100)")), "rows");
  if (rows && rows->IsArray()) return std::move(*rows);
  Document none;
  none.SetArray();
  return none;
}

Result<std::vector<std::string>> Engine::notes() {
  const auto told = part_of(database_->ask_as_operator(R"({"tell":"notes"})"), "text");
  if (!told) return told.status();
  return texts_of(member(*told, "notes"));
}

std::size_t Engine::found(const std::string& cls, const std::vector<std::string>& ids) {
  std::string list;
  JsonWriter json(list);
  json.begin_array();
  for (const std::string& id : ids) json.string(id);
  json.end_array();
  const auto answer = ask(request_of("get_many", of_class(cls, R"(,"ids":)" + list)), "meta");
  return answer ? number_at(*answer, "found") : 0;
}

}  // namespace gantry::cli
