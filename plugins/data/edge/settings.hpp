// edge/settings.hpp: the plugin's section of the configuration.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include <gantry/fields.hpp>

namespace gantry::data {

// One member for each key of the section, so it has more than twelve.
struct Settings {
  std::string database;  // empty: none
  std::string model;     // empty: none
  bool accept_drafts = false;
  std::vector<std::string> internal_fields, built_in;
  std::int64_t watch_interval_ms = 250;
  std::int64_t idle_close_ms = 3000;
  bool pushdown = true;
  bool refuse_collscan = false;
  bool expose_explain = false;
  std::string row_form = "plain";
  bool sql = true;
  std::int64_t answer_cache_bytes = 16 << 20;
  std::int64_t query_memory_bytes = 100 << 20;
  std::string exports;  // directory of exports; empty: none are kept
  std::int64_t export_lifetime_ms = 900'000;
  std::string download_path;     // empty: exports cannot be downloaded
  std::string writes_directory;  // of the journal of writes; empty: nothing is recorded
  std::int64_t writes_bytes = 64 << 20;
  std::int64_t writes_lifetime_ms = 604'800'000;

  static auto fields() {
    return std::tuple(
        field("database", &Settings::database, "Path of an SQLite file").optional(),
        field("model", &Settings::model, "Directory of the model").optional(),
        field("accept_drafts", &Settings::accept_drafts,
              "Whether a model may still have fields marked \"decide\"")
            .optional(),
        field("internal_fields", &Settings::internal_fields,
              "Further names of columns that are never shown")
            .optional(),
        field("built_in", &Settings::built_in, "Classes that are listed as built_in").optional(),
        field("watch_interval_ms", &Settings::watch_interval_ms,
              "Interval between checks for commits of other programs")
            .between(10, 60000)
            .optional(),
        field("idle_close_ms", &Settings::idle_close_ms,
              "Time without a call after which idle connections to a WAL database are closed")
            .between(100, 86'400'000)
            .optional(),
        field("pushdown", &Settings::pushdown,
              "Whether the database runs the stages and comparisons that it can")
            .optional(),
        field("refuse_collscan", &Settings::refuse_collscan,
              "Whether reads that scan a whole class are refused")
            .optional(),
        field("expose_explain", &Settings::expose_explain,
              "Whether callers see SQL and the database's plans")
            .optional(),
        field("row_form", &Settings::row_form,
              "Form of rows where a call names none: plain, or parse with Pointer and Date objects")
            .one_of("plain", "parse")
            .optional(),
        field("sql", &Settings::sql, "Whether callers may write SQL of their own").optional(),
        field("answer_cache_bytes", &Settings::answer_cache_bytes,
              "Memory of the answer cache; 0: no cache")
            .between(0, std::int64_t{1} << 30)
            .optional(),
        field("query_memory_bytes", &Settings::query_memory_bytes,
              "Memory for the values of one query at a time")
            .between(std::int64_t{1} << 20, std::int64_t{16} << 30)
            .optional(),
        field("exports", &Settings::exports, "Directory for exports").optional(),
        field("export_lifetime_ms", &Settings::export_lifetime_ms, "How long an export can be read")
            .between(1000, 86'400'000)
            .optional(),
        field("download_path", &Settings::download_path,
              "Prefix of an export's download URL, before its id")
            .optional(),
        field("writes_directory", &Settings::writes_directory,
              "Directory for the journal of writes")
            .optional(),
        field("writes_bytes", &Settings::writes_bytes,
              "Bytes of all writes that are kept for undo; 0: none")
            .between(0, std::int64_t{16} << 30)
            .optional(),
        field("writes_lifetime_ms", &Settings::writes_lifetime_ms,
              "How long a write is kept for undo")
            .between(1000, std::int64_t{366} * 86'400'000)
            .optional());
  }
};

}  // namespace gantry::data
