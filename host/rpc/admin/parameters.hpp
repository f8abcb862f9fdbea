// host/rpc/admin/parameters.hpp (private): the table of admin methods and the parsing of their
// parameters.
//
// Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

#include <rapidjson/document.h>

namespace gantry::host::rpc {

// The parameters of one command; those that it does not have are empty.
struct AdminGiven {
  std::string name, file, id, agent, tool, note;
  std::vector<std::string> classes;
  bool lift = false, every = false, accept = false;
};

struct AdminCommand {
  std::string_view method;
  // Names of the parameters; one with '?' may be absent.
  std::vector<std::string_view> parameters;
  bool changes;  // or blocks
};

// The method's row, or null.
const AdminCommand* find_admin_command(std::string_view method);

// The command's parameters from `params`, which may be null. An error is a sentence for the client.
Result<AdminGiven> read_admin_parameters(const AdminCommand& command,
                                         const rapidjson::Value* params);

}  // namespace gantry::host::rpc
