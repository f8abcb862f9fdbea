#include "host/http/endpoint/admin.hpp"

#include <array>
#include <optional>

#include "host/http/endpoint/incoming.hpp"

namespace gantry::host::http {
namespace {

constexpr std::string_view kPlugins = "/admin/plugins";

// What a path and a method ask for.
struct Wanted {
  std::string method;  // of AdminCommands; empty: there is no such path
  std::string name;    // of the plugin, or empty
  std::string_view allowed = "GET, HEAD";
};

bool is_action(std::string_view word) {
  constexpr std::array<std::string_view, 5> kActions{"unload", "reload", "enable", "disable",
                                                     "quarantine"};
  for (const auto action : kActions) {
    if (action == word) return true;
  }
  return false;
}

Wanted wanted(std::string_view path, bool posts) {
  if (path == "/admin/host") return {"host.info", {}};
  if (path == kPlugins) return {posts ? "plugin.load" : "plugin.list", {}, "GET, HEAD, POST"};
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

// The body's object with the plugin's name; nothing when the body is none.
std::optional<rapidjson::Document> parameters(const std::string& body, const std::string& name) {
  rapidjson::Document out;
  constexpr unsigned kFlags =
      rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag;
  if (body.empty()) {
    out.SetObject();
  } else if (out.Parse<kFlags>(body.data(), body.size()).HasParseError() || !out.IsObject()) {
    return std::nullopt;
  }
  if (name.empty()) return out;
  auto& pool = out.GetAllocator();
  out.AddMember("name", rapidjson::Value(name.data(), static_cast<unsigned>(name.size()), pool),
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

void Admin::handle(const Request& request, const Reply& given, const std::string& who) {
  Reply reply = given;
  const bool posts = request.method() == "POST";
  Wanted found = wanted(request.path(), posts);
  if (found.method.empty()) {
    return refuse(reply, transport_error(404, "There is nothing here; see GET /admin/plugins"));
  }
  if (found.allowed.find(request.method()) == std::string_view::npos) {
    reply.set_extra("Allow", std::string(found.allowed));
    return refuse(reply, transport_error(405, "Method not allowed"));
  }
  auto params = parameters(posts ? request.body : std::string(), found.name);
  if (!params) {
    return refuse(reply, transport_error(400, "The body must be a JSON object such as {}"));
  }
  Task task{std::move(found.method), std::move(*params), who, std::move(reply)};
  rpc::AdminCommands::changes(task.method) ? queue(std::move(task)) : run(task);
}

void Admin::run(const Task& task) const {
  rpc::AdminAnswer answer = commands_.run(task.method, &task.params, task.who);
  if (!answer.error) return task.reply.json(200, std::move(answer.result));
  task.reply.json(answer.error->status, answer.error->to_message("null"));
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

// Nobody but an admin learns anything here, not even whether a plugin exists.
void Endpoint::admin(const Request& request, std::shared_ptr<Exchange> exchange, Cause refused) {
  Reply reply = reply_to(request, std::move(exchange));
  const std::string_view method = request.method();
  const bool preflights = method == "OPTIONS" && request.header("origin");
  if (!preflights && method != "GET" && method != "HEAD" && method != "POST") {
    reply.set_extra("Allow", "GET, HEAD, POST");
    return refuse(reply, transport_error(405, "Method not allowed"));
  }
  if (auto no = preflights ? guard_.check_page(request) : guard_.check(request)) {
    return refuse(reply, transport_error(no->status, std::move(no->message)));
  }
  if (preflights) return preflight(request, reply);
  if (const auto name = contradicted(request)) {
    return refuse(reply, rpc::Error::header_mismatch("The header " + std::string(*name) +
                                                     " stands twice with different values"));
  }
  if (refused == Cause::stopping) return refuse(reply, rpc::Error::stopping());
  if (is_refused(request, reply, refused)) return;
  if (is_slowed_down(request, reply, true)) return;
  const Principal* principal = authenticate(request, reply, true);
  if (principal == nullptr) return;
  if (principal->agent->tier != Tier::admin) {
    log_.write(Level::warn, "admin refused",
               {{"reason", "tier"}, {"by", principal->name}, {"peer", request.peer}});
    return refuse(reply, transport_error(403, "This needs an agent with the tier admin"));
  }
  admin_->handle(request, reply, principal->name);
}

}  // namespace gantry::host::http
