// edge/tests/plugin_under_test.hpp: the built plugin over a test database.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <gantry/testing/fake_host.hpp>

#include <cstdlib>

#include "tests/test_database.hpp"

namespace gantry::data {

struct PluginUnderTest {
  explicit PluginUnderTest(const std::string& sql, const std::string& more_config = "")
      : database(sql),
        host(gantry::testing::Loaded{file()}, options(database.path(), more_config)) {}

  // The one of this build, or the one that the environment names.
  static const char* file() {
    const char* const named = std::getenv("GANTRY_DATA_PLUGIN");
    return named == nullptr || *named == '\0' ? GANTRY_PLUGIN_FILE : named;
  }

  static gantry::testing::Options options(const std::string& path, const std::string& more) {
    gantry::testing::Options options;
    options.config = R"({"database":")" + path + "\"" + more + "}";
    return options;
  }

  testing::TestDatabase database;
  gantry::testing::FakeHost host;
};

}  // namespace gantry::data
