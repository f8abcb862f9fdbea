#include "subject.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <fstream>

namespace gantry::worlds {
namespace {

namespace fs = std::filesystem;

fs::path new_folder() {
  static std::atomic<int> count{0};
  const std::string name =
      "gantry-worlds-" + std::to_string(::getpid()) + "-" + std::to_string(++count);
  const fs::path folder = fs::temp_directory_path() / name;
  fs::remove_all(folder);
  fs::create_directories(folder / "model");
  fs::create_directories(folder / "exports");
  return folder;
}

void make_database(const fs::path& file, const std::string& sql) {
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &db), SQLITE_OK);
  char* error = nullptr;
  const std::string all = "PRAGMA foreign_keys=off; BEGIN;" + sql + "COMMIT;";
  EXPECT_EQ(sqlite3_exec(db, all.c_str(), nullptr, nullptr, &error), SQLITE_OK) << error;
  sqlite3_free(error);
  sqlite3_close(db);
}

// The built one; mutants.sh names others.
fs::path plugin_file() {
  const char* const named = std::getenv("GANTRY_DATA_PLUGIN");
  return named == nullptr || *named == '\0' ? GANTRY_DATA_PLUGIN : named;
}

testing::Options host_options(const fs::path& folder, const SubjectOptions& given) {
  testing::Options options;
  options.config = R"({"database":")" + (folder / "world.db").string() + R"(","model":")" +
                   (folder / "model").string() + R"(","exports":")" +
                   (folder / "exports").string() + R"(","watch_interval_ms":60000)" +
                   (given.shows_plans ? R"(,"expose_explain":true})" : "}");
  options.agent_scope = given.agent_scope;
  options.max_answer_bytes = given.max_answer_bytes;
  options.check_threads = false;
  if (given.writes) options.writes_up_to = "admin";
  return options;
}

std::string text_of(const testing::Reply& reply) {
  std::string text = std::to_string(reply.status) + " " + reply.error_code + " " + reply.message +
                     " " + reply.details + "\n";
  for (const auto& [type, body] : reply.content) text += type + ": " + body + "\n";
  for (const testing::Content& one : reply.contents) text += one.uri + ": " + one.body + "\n";
  for (const std::string& one : reply.listed) text += one + "\n";
  for (const std::string& one : reply.values) text += one + "\n";
  for (const auto& one : reply.progress) text += std::to_string(one.done) + " " + one.note + "\n";
  for (const auto& one : reply.log) text += one.text + "\n";
  return text + reply.structured;
}

// The identifier of an export, from its meta.
std::string export_id(const std::string& meta) {
  const std::string before = R"("uri":"export://)";
  const auto at = meta.find(before);
  if (at == std::string::npos) return {};
  const auto start = at + before.size();
  return meta.substr(start, meta.find('"', start) - start);
}

void mask(std::string& text, const std::string& secret) {
  for (auto at = text.find(secret); at != std::string::npos; at = text.find(secret, at)) {
    text.replace(at, secret.size(), "ID");
  }
}

// SQL has quotes of both kinds.
std::string statement_call(const Request& request) {
  std::string json = R"({"op":")" + request.op + R"(","args":{"sql":")";
  for (const char c : request.text) {
    if (c == '"' || c == '\\') json += '\\';
    json += c;
  }
  return json + "\"" + with_quotes(request.more) + "}}";
}

}  // namespace

Subject::Subject(const std::string& sql, const ModelFiles& model, const SubjectOptions& options)
    : folder_(new_folder()) {
  make_database(folder_ / "world.db", sql);
  for (const auto& [name, text] : model) {
    std::ofstream(folder_ / "model" / (name + ".json")) << text;
  }
  host_ = std::make_unique<testing::FakeHost>(testing::Loaded{plugin_file()},
                                              host_options(folder_, options));
  const Status started = host_->start();
  EXPECT_TRUE(started) << started.message();
}

Subject::~Subject() {
  host_.reset();
  fs::remove_all(folder_);
}

std::string Subject::export_text(const testing::Reply& written,
                                 const testing::CallOptions& options) {
  std::string text = text_of(written);
  const std::string id = export_id(written.part("meta"));
  if (id.empty()) return text;
  text += text_of(host_->read("export://" + id, options));
  text += text_of(host_->read("export://" + id + "/about", options));
  mask(text, id);
  return text;
}

std::string Subject::ask(const Request& request, const std::string& scope) {
  testing::CallOptions options;
  options.agent_scope = scope;
  const std::string text = with_quotes(request.text);
  const std::string call = R"({"op":")" + request.op + R"(","args":)" + text + "}";
  switch (request.kind) {
    case Request::Kind::service:
      return text_of(host_->call_service("gantry.data/1", call, options));
    case Request::Kind::link:
      return export_text(host_->call_service("gantry.data/1", call, options), options);
    case Request::Kind::resource:
      return text_of(host_->read(request.text, options));
    case Request::Kind::listing:
      return text_of(host_->list(request.text, options));
    case Request::Kind::completion:
      return text_of(host_->complete("data://{class}/count", "class", request.text));
    case Request::Kind::redaction:
      return text_of(host_->call_service("gantry.redaction/1", text, options));
    case Request::Kind::sql:
      return text_of(host_->call_service("gantry.data/1", statement_call(request), options));
    case Request::Kind::introduction:
      break;
  }
  return text_of(host_->call_service("gantry.instructions/1", "{}", options));
}

}  // namespace gantry::worlds
