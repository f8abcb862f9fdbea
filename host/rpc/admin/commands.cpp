#include "host/rpc/admin/commands.hpp"

#include <algorithm>
#include <chrono>
#include <future>
#include <memory>
#include <utility>

#include <rapidjson/document.h>

#include "host/rpc/admin/parameters.hpp"
#include "host/rpc/admin/plugin_methods.hpp"

namespace gantry::host::rpc {
namespace {

using Value = rapidjson::Value;
using Instant = std::chrono::steady_clock::time_point;

Error error_of(const Status& status) {
  switch (status.code()) {
    case GANTRY_INVALID_ARGUMENT:
      return {kInvalidParams, status.message(), 400, {}};
    case GANTRY_NOT_FOUND:
      return {kInvalidParams, status.message(), 404, {}};
    case GANTRY_DENIED:
      return {kServerError, status.message(), 403, {}};
    case GANTRY_BUSY:
    case GANTRY_STOPPING:
      return {kServerError, status.message(), 503, {}};
    default:
      return {kServerError, status.message(), 409, {}};
  }
}

// What the log says of a command; owns its texts, because the answer may come later.
struct Entry {
  Entry(std::string_view m, const Value* params, std::string_view by) : method(m), client(by) {
    for (const auto& [label, name] : {std::pair{&plugin, "name"},
                                      {&file, "file"},
                                      {&id, "id"},
                                      {&agent, "agent"},
                                      {&tool, "tool"}}) {
      if (params == nullptr || !params->IsObject()) continue;
      const auto found = params->FindMember(name);
      if (found != params->MemberEnd() && found->value.IsString())
        label->assign(found->value.GetString(), found->value.GetStringLength());
    }
  }

  void write(Log& log, bool reads, const AdminAnswer& answer) const {
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now() - begin);
    std::vector<Field> fields{{"method", method}};
    for (const auto& [name, text] :
         {std::pair<std::string_view, std::string_view>{"plugin", plugin},
          {"file", file},
          {"id", id},
          {"agent", agent},
          {"tool", tool}}) {
      if (!text.empty()) fields.emplace_back(name, text);
    }
    fields.emplace_back("by", client);
    fields.emplace_back("outcome", answer.error ? "refused" : "done");
    if (answer.error) fields.emplace_back("reason", answer.error->message);
    fields.emplace_back("ms", static_cast<std::int64_t>(took.count()));
    log.write(reads && !answer.error ? Level::debug : Level::info, "admin command", fields);
  }

  const std::string method, client;
  std::string plugin, file, id, agent, tool;
  const Instant begin = std::chrono::steady_clock::now();
};

bool is_at(const AdminMethod& method, Door door) {
  return method.doors == AdminMethod::Doors::all ||
         (method.doors == AdminMethod::Doors::socket_only) == (door == Door::socket);
}

Error wrong_door(const AdminMethod& method) {
  const bool socket = method.doors == AdminMethod::Doors::socket_only;
  return {kServerError,
          std::string(method.name) + (socket ? " is for the control socket alone (gantry open)"
                                             : " is for POST /admin/rpc alone"),
          403,
          {}};
}

}  // namespace

AdminAnswer AdminAnswer::of(Result<std::string> result) {
  AdminAnswer out;
  if (result) {
    out.result = std::move(*result);
  } else {
    out.error = error_of(result.status());
  }
  return out;
}

AdminCommands::AdminCommands(PluginAdmin& plugins, Log& log, AdminFacts facts)
    : log_(log), methods_([&] {
        AdminMethods all = plugin_methods(plugins);
        append_methods(all, std::move(facts.more));
        append_methods(all, basic_methods(facts));
        return all;
      }()) {}

const AdminMethod* AdminCommands::find(std::string_view method) const {
  const auto at = std::find_if(methods_.begin(), methods_.end(),
                               [method](const AdminMethod& m) { return m.name == method; });
  return at == methods_.end() ? nullptr : &*at;
}

AdminMethod::Pace AdminCommands::pace(std::string_view method) const {
  const AdminMethod* const found = find(method);
  return found ? found->pace : AdminMethod::Pace::quick;
}

AdminCommands::Ready AdminCommands::prepare(std::string_view name, const Value* params,
                                            const AdminCaller& caller) const {
  Ready out;
  const AdminMethod* const method = find(name);
  if (method == nullptr) {
    out.refusal.error =
        Error{kMethodNotFound, "There is no method '" + std::string(name) + "'", 404, {}};
    return out;
  }
  if (!is_at(*method, caller.door)) {
    out.refusal.error = wrong_door(*method);
    return out;
  }
  auto read = read_admin_parameters(*method, params);
  if (!read) {
    out.refusal.error = error_of(read.status());
    return out;
  }
  out.params = *read;
  out.method = method;
  return out;
}

AdminAnswer AdminCommands::run(std::string_view method, const Value* params,
                               const AdminCaller& caller) const {
  const auto promise = std::make_shared<std::promise<AdminAnswer>>();
  start(method, params, caller,
        [promise](AdminAnswer&& answer) { promise->set_value(std::move(answer)); });
  return promise->get_future().get();
}

AdminMethod::Cancel AdminCommands::start(std::string_view method, const Value* params,
                                         const AdminCaller& caller, AdminMethod::Done done) const {
  const auto entry = std::make_shared<Entry>(method, params, caller.name);
  Ready ready = prepare(method, params, caller);
  if (ready.method == nullptr) {
    entry->write(log_, false, ready.refusal);
    done(std::move(ready.refusal));
    return {};
  }
  const bool reads = ready.method->reads;
  if (ready.method->pace == AdminMethod::Pace::later) {
    return ready.method->start(
        ready.params, caller,
        [entry, &log = log_, reads, done = std::move(done)](AdminAnswer&& answer) {
          entry->write(log, reads, answer);
          done(std::move(answer));
        });
  }
  AdminAnswer answer = AdminAnswer::of(ready.method->run(ready.params, caller));
  entry->write(log_, reads, answer);
  done(std::move(answer));
  return {};
}

}  // namespace gantry::host::rpc
