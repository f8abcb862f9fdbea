// host/config/read.hpp: parses configuration text into Settings and prints Settings as text.
//
// Pure but for read_settings_file(); any thread.
#pragma once

#include <string>
#include <string_view>

#include <gantry/result.hpp>

#include "host/config/settings.hpp"

namespace gantry::host {

// The text of a configuration (JSON with comments and trailing commas), checked against
// schemas/host/config.schema.json. Every error names `file` and line, the fault and the allowed
// values; one line for each error.
Result<Settings> read_settings(std::string_view text, const std::string& file);
Result<Settings> read_settings_file(const std::string& file);

// The whole configuration as JSON, defaults included; read_settings() takes it back.
std::string print_settings(const Settings& settings);

// The schema's text.
std::string_view config_schema();

// An address to listen on.
struct Address {
  std::string host;  // without brackets
  std::uint16_t port = 0;
};
// "HOST:PORT", an IPv6 host in brackets; "PORT" alone is of 127.0.0.1.
Result<Address> parse_address(std::string_view listen);

}  // namespace gantry::host
