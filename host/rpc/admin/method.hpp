// host/rpc/admin/method.hpp: the form of an operator's method: name, parameters, doors, function.
//
// Values; any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gantry/result.hpp>

#include <rapidjson/fwd.h>

#include "host/rpc/message/error.hpp"

namespace gantry::host::rpc {

// How an operator's request came in.
enum class Door { socket, http };

struct AdminCaller {
  std::string_view name;  // for the log and for records of what was decided
  Door door = Door::socket;
};

struct AdminAnswer {
  std::string result;  // JSON on one line; empty when there is an error
  std::optional<Error> error;

  // The error of a failed status, with its HTTP status.
  static AdminAnswer of(Result<std::string> result);
};

// The parameters of one command, checked by read_admin_parameters(). Borrows them.
class AdminParams {
 public:
  // `object`: a JSON object, or null for none.
  explicit AdminParams(const rapidjson::Value* object = nullptr) : object_(object) {}

  bool has(std::string_view name) const { return find(name) != nullptr; }
  // Null: absent.
  const rapidjson::Value* find(std::string_view name) const;
  // Empty: absent.
  std::string text(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;
  bool flag(std::string_view name) const;
  std::int64_t number(std::string_view name, std::int64_t otherwise) const;

 private:
  const rapidjson::Value* object_;
};

struct AdminMethod {
  enum class Pace {
    quick,   // answers at once
    blocks,  // may wait: it changes something, or asks plugins
    later,   // answers through `start`
  };
  enum class Doors { all, socket_only, http_only };
  using Done = std::function<void(AdminAnswer&&)>;
  using Cancel = std::function<void()>;

  std::string_view name;
  // "name", "name?" (may be absent), each with the form of its value: "name:flag". Without one it
  // is a text that is not empty. Forms: parameters.hpp.
  std::vector<std::string_view> parameters{};
  Pace pace = Pace::quick;
  bool reads = true;  // changes nothing and shows no secret: logged at level debug
  Doors doors = Doors::all;
  std::function<Result<std::string>(const AdminParams&, const AdminCaller&)> run{};
  // Calls `done` once, on any thread, perhaps before it returns. The parameters are borrowed until
  // it returns. What it returns cancels the command, and may be empty; `done` is called then too.
  std::function<Cancel(const AdminParams&, const AdminCaller&, Done)> start{};
};
using AdminMethods = std::vector<AdminMethod>;

inline void append_methods(AdminMethods& to, AdminMethods more) {
  for (AdminMethod& method : more) to.push_back(std::move(method));
}

}  // namespace gantry::host::rpc
