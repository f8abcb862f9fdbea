// edge/settings.hpp: the plugin's section of the configuration.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>

#include <gantry/fields.hpp>

namespace gantry::data {

struct Settings {
  std::string database;  // empty: none
  std::string model;     // empty: none
  std::int64_t watch_interval_ms = 250;

  static auto fields() {
    return std::tuple(field("database", &Settings::database, "Path of an SQLite file").optional(),
                      field("model", &Settings::model, "Directory of the model").optional(),
                      field("watch_interval_ms", &Settings::watch_interval_ms,
                            "How often commits of other programs are looked for")
                          .between(10, 60000)
                          .optional());
  }
};

}  // namespace gantry::data
