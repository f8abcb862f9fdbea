// Files for imports, in a folder that is removed at the end.
#pragma once

#include <sqlite3.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tools/gantry/import/job.hpp"

namespace gantry::cli::importing {

class Folder {
 public:
  Folder() {
    std::string path = (std::filesystem::temp_directory_path() / "import-XXXXXX").string();
    path_ = ::mkdtemp(path.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string at(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(at(name), std::ios::binary) << text;
    return at(name);
  }
  // Rows as SQLite's quote() shows them, values separated by | and rows by line breaks.
  std::string query(const std::string& sql) const;
  void change(const std::string& sql) const { query(sql); }

 private:
  std::filesystem::path path_;
};

inline std::string Folder::query(const std::string& sql) const {
  sqlite3* db = nullptr;
  std::string out;
  sqlite3_open(at("a.db").c_str(), &db);
  char* error = nullptr;
  const auto add = [](void* text, int count, char** values, char**) {
    auto& all = *static_cast<std::string*>(text);
    if (!all.empty()) all += "\n";
    for (int i = 0; i < count; ++i) {
      all += (i == 0 ? "" : "|") + std::string(values[i] ? values[i] : "NULL");
    }
    return 0;
  };
  if (sqlite3_exec(db, sql.c_str(), add, &out, &error) != SQLITE_OK) out = error;
  sqlite3_free(error);
  sqlite3_close(db);
  return out;
}

// An import into class C of a.db in the folder: its outcome and its messages.
struct Imported {
  Result<Outcome> outcome = Status::failed("not run");
  std::string said;
};

inline Imported import_into(const Folder& folder, Job job) {
  Imported result;
  Progress progress(false);
  if (job.database.empty()) job.database = folder.at("a.db");
  if (job.name.empty()) job.name = "C";
  job.create = true;
  const Surroundings around{progress, [] { return false; }, [] { return true; },
                            [&](const std::string& line) { result.said += line + "\n"; }};
  result.outcome = run(job, around);
  return result;
}

inline Job job(const std::string& file, Format format) {
  Job made;
  made.file = file;
  made.format = format;
  return made;
}

inline Job csv(const Folder& folder, const std::string& text) {
  return job(folder.write("f.csv", text), Format::csv);
}

inline Job lines(const Folder& folder, const std::string& text) {
  return job(folder.write("f.jsonl", text), Format::jsonl);
}

}  // namespace gantry::cli::importing
