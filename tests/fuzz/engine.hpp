// tests/fuzz/engine.hpp: a data engine over a small database, and the checks of all its answers.
//
// Class `c` holds documents, `t` has typed columns with some values of other types, and both join
// `d`. The files are removed when the process ends.
#pragma once

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <sqlite3.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "model/source.hpp"
#include "ops/service.hpp"
#include "require.hpp"

namespace gantry::fuzz {

inline constexpr const char* kDocuments[] = {
    R"({"_id":1,"a":2,"b":"x","v":1,"t":{"$date":"2024-03-31T00:30:00Z"},"p":[1,2],"g":"x"})",
    R"({"_id":2,"a":[1,2,{"b":1},[3]],"b":null,"v":2.5,"parent":1,"g":"y"})",
    R"({"_id":3,"a":{"b":[{"c":1},{"c":2}],"x":1},"b":"ab","v":9007199254740993,"parent":2})",
    R"({"_id":"4","a":null,"b":true,"v":-1,"loc":{"type":"Point","coordinates":[1,2]},"g":"x"})",
    R"({"_id":{"k":1},"b":[],"v":{"$numberDouble":"NaN"},"tags":["x","y","é"]})"};

inline constexpr const char* kTables = R"sql(
  CREATE TABLE d(id INTEGER PRIMARY KEY, name TEXT, v INTEGER);
  INSERT INTO d VALUES(1,'x',1),(2,'y',NULL),(3,'x',3);
  CREATE TABLE t(id INTEGER PRIMARY KEY, a, b TEXT, n INTEGER, v REAL, ok BOOLEAN, t DATETIME,
                 j JSON, p BLOB, d INTEGER REFERENCES d(id));
  INSERT INTO t VALUES
    (1,5,'x',1,1.5,1,'2026-01-31T23:30:00.000Z','{"b":1,"k":[1,2]}',x'00',1),
    (2,'5','xy',2,-0.0,0,'2026-02-01','[1,{"b":2}]',x'',2),
    (3,2.5,'',9007199254740993,1e300,NULL,'no date','{"b":null}',NULL,NULL),
    (4,NULL,NULL,NULL,NULL,1,NULL,'no json',x'61',9),
    (5,x'61',x'78',-1,3,2,17,'[]',NULL,3);
  CREATE INDEX t_b ON t(b); CREATE INDEX t_n ON t(n,v);
  CREATE TABLE c(document TEXT NOT NULL);)sql";

class Engine {
 public:
  Engine() {
    char folder[] = "/tmp/gantry-fuzz-XXXXXX";
    require(::mkdtemp(folder) != nullptr, "there is room in /tmp");
    folder_ = folder;
    make_database();
    std::filesystem::create_directory(folder_ / "model");
    std::ofstream(folder_ / "model" / "c.json")
        << R"({"class":"c","table":"c","document":"document"})";
    data::StoreOptions options;
    options.model = *data::model::Source::open(folder_ / "model", [](const std::string&) {});
    service_ = *data::Service::open((folder_ / "data.db").string(), options);
  }
  ~Engine() {
    service_.reset();
    std::filesystem::remove_all(folder_);
  }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // The answer of `op`. Empty when it is refused; the refusal must then be the caller's fault.
  // `argument` is a member of the arguments beside class_name, as JSON.
  std::optional<std::string> answer(const char* op, const char* cls, const std::string& argument,
                                    bool pushdown = true) {
    service_->configure({pushdown, false, false});
    const auto reply =
        service_->run(R"({"op":")" + std::string(op) + R"(","args":{"class_name":")" + cls +
                          R"(",)" + argument + "}}",
                      {data::Budget::for_ms(1'000), 1u << 20, nullptr});
    if (reply) return reply->rows + reply->meta;
    const std::string& code = reply.error().code;
    if (code == data::error_code::kStoreError || code == data::error_code::kInternalError) {
      std::fprintf(stderr, "%s of %s: %s: %s\n", op, cls, code.c_str(),
                   reply.error().message.c_str());
      require(false, "no refusal is the engine's own fault");
    }
    return std::nullopt;
  }

 private:
  void make_database() const {
    std::string sql = kTables;
    for (const char* document : kDocuments)
      sql += "INSERT INTO c VALUES('" + std::string(document) + "');";
    sqlite3* db = nullptr;
    require(sqlite3_open((folder_ / "data.db").c_str(), &db) == SQLITE_OK &&
                sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK,
            "the database can be made");
    sqlite3_close(db);
  }

  std::filesystem::path folder_;
  std::unique_ptr<data::Service> service_;
};

// The input written anew, with one spelling of every text; nothing when it is not JSON of the kind
// that is asked for, in UTF-8.
inline std::optional<std::string> read_json(std::string_view input, rapidjson::Type type) {
  constexpr unsigned kFlags = rapidjson::kParseValidateEncodingFlag |
                              rapidjson::kParseFullPrecisionFlag | rapidjson::kParseIterativeFlag;
  rapidjson::Document document;
  document.Parse<kFlags>(input.data(), input.size());
  if (document.HasParseError() || document.GetType() != type) return std::nullopt;
  rapidjson::StringBuffer out;
  rapidjson::Writer<rapidjson::StringBuffer> writer(out);
  document.Accept(writer);
  return std::string(out.GetString(), out.GetSize());
}

// Whether two answers may differ: chance and time are asked for.
inline bool has_chance(const std::string& text) {
  for (const char* word : {"$rand", "$sample", "$$NOW", "$$CLUSTER_TIME"}) {
    if (text.find(word) != text.npos) return true;
  }
  return false;
}

}  // namespace gantry::fuzz
