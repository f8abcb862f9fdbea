#include "host/http/endpoint/admin.hpp"

#include <pthread.h>

#include <array>
#include <optional>

#include "host/http/endpoint/route.hpp"
#include "host/rpc/message/envelope.hpp"
#include "host/rpc/message/message.hpp"

namespace gantry::host::http {
namespace {

constexpr std::string_view kPlugins = "/admin/plugins", kAudit = "/admin/audit/",
                           kRpc = "/admin/rpc";

// The command that a path and a method name.
struct AdminRoute {
  std::string method;  // of AdminCommands; empty: there is no such path
  std::string name;    // of the plugin, or the id of records; may be empty
  std::string_view allowed = "GET, HEAD";
  const char* parameter = "name";
};

bool is_action(std::string_view word) {
  constexpr std::array<std::string_view, 5> kActions{"unload", "reload", "enable", "disable",
                                                     "quarantine"};
  for (const auto action : kActions) {
    if (action == word) return true;
  }
  return false;
}

AdminRoute admin_route(std::string_view path, bool posts) {
  if (path == "/admin/host") return {"host.info", {}};
  if (path == kPlugins) return {posts ? "plugin.load" : "plugin.list", {}, "GET, HEAD, POST"};
  if (path.starts_with(kAudit)) {
    return {"audit.find", std::string(path.substr(kAudit.size())), "GET, HEAD", "id"};
  }
  if (!path.starts_with("/admin/plugins/")) return {};
  path.remove_prefix(kPlugins.size() + 1);
  const auto slash = path.find('/');
  const std::string name(path.substr(0, slash));
  if (name.empty()) return {};
  if (slash == std::string_view::npos) return {"plugin.info", name};
  const std::string_view action = path.substr(slash + 1);
  if (!is_action(action)) return {};
  return {"plugin." + std::string(action), name, "POST"};
}

// The body's object with the route's parameter; nothing when the body is none.
std::optional<rapidjson::Document> parameters(const std::string& body, const AdminRoute& route) {
  rapidjson::Document out;
  constexpr unsigned kFlags =
      rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag;
  if (body.empty()) {
    out.SetObject();
  } else if (out.Parse<kFlags>(body.data(), body.size()).HasParseError() || !out.IsObject()) {
    return std::nullopt;
  }
  if (route.name.empty()) return out;
  auto& pool = out.GetAllocator();
  out.AddMember(rapidjson::StringRef(route.parameter), rapidjson::Value(route.name.c_str(), pool),
                pool);
  return out;
}

}  // namespace

Admin::Admin(const rpc::AdminCommands& commands) : commands_(commands) {}

Admin::~Admin() {
  {
    std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
  for (Task& task : waiting_) refuse(task.reply, rpc::Error::stopping());
}

void Admin::handle(const Request& request, const Reply& given, const std::string& by) {
  Reply reply = given;
  if (request.path() == kRpc) return handle_rpc(request, std::move(reply), by);
  const bool posts = request.method() == "POST";
  AdminRoute found = admin_route(request.path(), posts);
  if (found.method.empty()) {
    return refuse(reply, transport_error(404, "There is nothing here; see GET /admin/plugins"));
  }
  if (found.allowed.find(request.method()) == std::string_view::npos) {  // one of the route's
    reply.add_header("Allow", std::string(found.allowed));
    return refuse(reply, transport_error(405, "Method not allowed"));
  }
  auto params = parameters(posts ? request.body : std::string(), found);
  if (!params) {
    return refuse(reply, transport_error(400, "The body must be a JSON object such as {}"));
  }
  start({.method = std::move(found.method),
         .params = std::move(*params),
         .by = by,
         .reply = std::move(reply)});
}

void Admin::handle_rpc(const Request& request, Reply reply, const std::string& by) {
  if (request.method() != "POST") {
    reply.add_header("Allow", "POST");
    return refuse(reply, transport_error(405, "Method not allowed"));
  }
  rpc::Message message(request.body);
  if (const auto error = message.parse()) return refuse(reply, *error);
  if (message.kind() != rpc::Message::Kind::request) {
    return refuse(reply, rpc::Error::invalid_request("The body must be one JSON-RPC request"));
  }
  Task task{.method = std::string(message.method()),
            .by = by,
            .reply = std::move(reply),
            .id = std::string(message.id())};
  if (const auto* params = message.params()) {
    task.params.CopyFrom(*params, task.params.GetAllocator());
  } else {
    task.params.SetObject();
  }
  start(std::move(task));
}

void Admin::start(Task task) {
  if (commands_.pace(task.method) == rpc::AdminMethod::Pace::blocks) return queue(std::move(task));
  run(task);
}

// A command that answers later ends with its client.
void Admin::run(const Task& task) const {
  const auto cancel = commands_.start(
      task.method, &task.params, {task.by, rpc::Door::http},
      [reply = task.reply, id = task.id](rpc::AdminAnswer&& answer) {
        const bool is_rpc = !id.empty();
        if (!answer.error && is_rpc) answer.result = rpc::result_message(id, answer.result);
        if (!answer.error) return reply.json(200, std::move(answer.result));
        reply.json(answer.error->status, answer.error->to_message(is_rpc ? id : "null"));
      });
  if (cancel) task.reply.exchange().on_disconnect(cancel);
}

void Admin::queue(Task task) {
  std::unique_lock lock(mutex_);
  if (ending_ || waiting_.size() >= kMaxWaiting) {
    const rpc::Error error = ending_ ? rpc::Error::stopping() : rpc::Error::busy();
    lock.unlock();
    return refuse(task.reply, error);
  }
  waiting_.push_back(std::move(task));
  if (!thread_.joinable()) thread_ = std::thread([this] { loop(); });
  wake_.notify_one();
}

void Admin::loop() {
  ::pthread_setname_np(::pthread_self(), "gantry-admin");
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
    if (ending_) return;
    const Task task = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    run(task);
    lock.lock();
  }
}

}  // namespace gantry::host::http
