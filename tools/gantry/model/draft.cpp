// gantry model draft --db DB --model DIR
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>

#include <rapidjson/document.h>
#include <CLI/CLI.hpp>

#include <gantry/json_writer.hpp>

#include "sdk/contract/text.hpp"
#include "tools/gantry/model/engine.hpp"
#include "tools/gantry/model/guess.hpp"
#include "tools/gantry/model/model.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDraftHelp =
    R"(Writes one file a class: descriptions guessed from names, pointers (of foreign keys, and those that
names and values tell), and "decide" with its reason at each field that looks like a secret or like
personal data. Decide which agents may see these fields (agent_fields, protected_fields, hidden), then
remove "decide": gantryd refuses a model that still has one, except with --accept-drafts.

No file is replaced. Nothing is written beside the database.)";

using Classes = std::vector<ClassDescription>;

struct Draft {
  std::string file, text;
  std::size_t decisions = 0;
};

// The texts of a field in the rows; numbers as they are written.
std::vector<std::string> texts_of(const rapidjson::Document& rows, const std::string& field) {
  std::vector<std::string> texts;
  for (const auto& row : rows.GetArray()) {
    const auto value = row.FindMember(field.c_str());
    if (value == row.MemberEnd()) continue;
    if (value->value.IsString()) texts.emplace_back(value->value.GetString());
    if (value->value.IsNumber()) texts.push_back(compact(value->value));
  }
  return texts;
}

int this_year() {
  const auto today = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  return static_cast<int>(std::chrono::year_month_day(today).year());
}

// A "key" that finds rows, or points to one, keeps no secret.
bool is_plain_key(const ClassDescription& cls, const ClassField& field) {
  const bool is_of_text = field.type == "String" || field.type == "Any" || field.type == "Bytes";
  return words_of(field.name).back() == "key" && (field.name == cls.id_field || !is_of_text);
}

std::optional<Suspicion> suspicion_of_samples(const ClassDescription& cls, const ClassField& field,
                                              const rapidjson::Document& rows) {
  const bool is_text = field.type == "String" || field.type == "Any";
  if (!is_text && field.type != "Integer" && field.type != "Date") return std::nullopt;
  const auto texts = texts_of(rows, field.name);
  if (field.type != "Date") {
    if (auto by_values = suspicion_of_values(texts)) return by_values;
  }
  return field.type == "Integer" ? std::nullopt
                                 : suspicion_of_days(cls.name, field.name, texts, this_year());
}

std::optional<Suspicion> suspicion_of(const ClassDescription& cls, const ClassField& field,
                                      const rapidjson::Document& rows) {
  auto by_name = suspicion_of_name(cls.name, field.name);
  if (by_name && !is_plain_key(cls, field)) return by_name;
  for (const std::string& key : field.keys) {
    if (auto by_key = suspicion_of_name(cls.name, key)) {
      by_key->reason = "the key '" + key + "' in it: " + by_key->reason;
      return by_key;
    }
  }
  return suspicion_of_samples(cls, field, rows);
}

const ClassField* key_of(const ClassDescription& cls) {
  for (const ClassField& field : cls.fields) {
    if (field.name == cls.id_field) return &field;
  }
  return nullptr;
}

// customer_id and customerId name the class customer, customers or Customer.
const ClassDescription* class_of_name(const Classes& classes, const std::string& field) {
  auto words = words_of(field);
  if (words.size() < 2 || words.back() != "id") return nullptr;
  words.pop_back();
  for (const ClassDescription& cls : classes) {
    const auto name = words_of(cls.name);
    auto several = words;
    several.back() += 's';
    if (name == words || name == several) return &cls;
  }
  return nullptr;
}

// The class that a field without a foreign key points to: its name says so, and the sampled values
// are ids of it.
std::string guessed_target(Engine& engine, const Classes& classes, const ClassField& field,
                           const rapidjson::Document& rows) {
  const ClassDescription* const cls = class_of_name(classes, field.name);
  const ClassField* const key = cls == nullptr ? nullptr : key_of(*cls);
  if (key == nullptr || key->type != field.type) return {};
  std::vector<std::string> ids;
  for (const std::string& text : texts_of(rows, field.name)) {
    if (ids.size() < 20 && std::find(ids.begin(), ids.end(), text) == ids.end())
      ids.push_back(text);
  }
  return !ids.empty() && engine.found(cls->name, ids) == ids.size() ? cls->name : std::string();
}

void write_field(JsonWriter& json, const ClassField& field,
                 const std::optional<Suspicion>& suspicion) {
  json.key(field.name).begin_object().key("description").string(sentence_of(field.name));
  if (suspicion) json.key("decide").string(suspicion->what).key("reason").string(suspicion->reason);
  json.end_object();
}

// "orders.json"; other characters than letters, digits, '.', '-' and '_' as %XX, and no file that
// begins with '.'.
std::string file_name(const std::string& cls) {
  std::string name = contract::percent_encoded(cls, "-_.");
  if (name.starts_with('.')) name.replace(0, 1, "%2E");
  return name + ".json";
}

Draft draft_of(Engine& engine, const Classes& classes, const ClassDescription& cls) {
  const rapidjson::Document rows = engine.rows(cls.name);
  Draft draft{file_name(cls.name), {}, 0};
  std::map<std::string, std::string> pointers;
  std::string fields;
  JsonWriter json(fields);
  json.begin_object();
  for (const ClassField& field : cls.fields) {
    const auto suspicion = suspicion_of(cls, field, rows);
    draft.decisions += suspicion ? 1 : 0;
    write_field(json, field, suspicion);
    const bool is_pointer = field.type == "Pointer";
    const std::string target =
        is_pointer ? field.target_class : guessed_target(engine, classes, field, rows);
    if (!target.empty()) pointers.emplace(field.name, target);
  }
  json.end_object();
  std::string text;
  JsonWriter out(text);
  out.begin_object().key("class").string(cls.name);
  out.key("description").string(sentence_of(cls.name)).key("fields").raw(fields);
  if (!pointers.empty()) {
    out.key("pointers").begin_object();
    for (const auto& [field, target] : pointers) out.key(field).string(target);
    out.end_object();
  }
  out.end_object();
  draft.text = pretty(parsed(text)) + "\n";
  return draft;
}

Status write_all(const fs::path& directory, const std::vector<Draft>& drafts) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) return Status::invalid(directory.string() + " cannot be made: " + error.message());
  for (const Draft& draft : drafts) {
    if (!fs::exists(directory / draft.file, error)) continue;
    return Status::invalid((directory / draft.file).string() +
                           " is there already; no file is replaced. Name another --model DIR");
  }
  for (const Draft& draft : drafts) {
    std::ofstream out(directory / draft.file, std::ios::binary);
    out << draft.text;
    out.close();
    if (!out) return Status::failed((directory / draft.file).string() + " cannot be written");
  }
  return {};
}

int draft(const DatabaseChoice& choice) {
  DatabaseChoice without_model = choice;
  without_model.model.clear();
  const auto engine = Engine::open(without_model);
  if (!engine) return complain(engine.status(), kUnusable);
  const auto classes = (*engine)->classes();
  if (!classes) return complain(classes.status(), kFailed);
  std::vector<Draft> drafts;
  std::size_t decisions = 0;
  for (const ClassDescription& cls : *classes) {
    drafts.push_back(draft_of(**engine, *classes, cls));
    decisions += drafts.back().decisions;
  }
  if (Status written = write_all(choice.model, drafts); !written) {
    return complain(written, kUnusable);
  }
  std::printf("Wrote %zu classes to %s; %zu fields are to be decided%s\n", drafts.size(),
              printable(choice.model).c_str(), decisions, decisions == 0 ? "." : ":");
  if (decisions > 0)
    std::printf("  grep -n '\"decide\"' %s/*.json\n", printable(choice.model).c_str());
  return kDone;
}

}  // namespace

void declare_model_draft(CLI::App& model, Run& run) {
  auto choice = std::make_shared<DatabaseChoice>();
  CLI::App* command = model.add_subcommand("draft", "Write a first model for a database");
  command->footer(kDraftHelp);
  command->add_option("--db", choice->file, "SQLite database")->type_name("FILE")->required();
  command->add_option("--model", choice->model, "Directory for the files, made if missing")
      ->type_name("DIR")
      ->required();
  command
      ->add_option("--builtin-plugins", choice->plugins,
                   "Directory of the plugin that offers gantry.data/1 [this installation's]")
      ->type_name("DIR");
  command->callback([choice, &run] { run = [choice] { return draft(*choice); }; });
}

}  // namespace gantry::cli
