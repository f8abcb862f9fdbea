// host/http/endpoint/admin.hpp: /admin: the commands of the control socket, for admins over HTTP.
//
//   GET  /admin/host                                      version, pid
//   GET  /admin/audit/ID                                  records of failed calls with this id
//   GET  /admin/plugins                                   all plugins
//   GET  /admin/plugins/NAME                              one in detail
//   POST /admin/plugins {"file": PATH}                    loads one
//   POST /admin/rpc                                       any command, as a JSON-RPC request
//   POST /admin/plugins/NAME/unload|reload|enable|disable|quarantine   {"lift": true} or {}
//
// The answer is the command's result (host/rpc/admin/commands.hpp), or an error message with a
// status; of /admin/rpc a JSON-RPC response with the request's id. The gate chain has checked that
// the request comes from an admin.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include <rapidjson/document.h>

#include "host/http/endpoint/reply.hpp"
#include "host/http/message.hpp"
#include "host/rpc/admin/commands.hpp"

namespace gantry::host::http {

class Admin {
 public:
  // Commands that may wait while another one runs; a further one is refused.
  static constexpr std::size_t kMaxWaiting = 16;

  // `commands` must outlive this.
  explicit Admin(const rpc::AdminCommands& commands);
  // Finishes the command that runs; waiting ones are refused because the server stops.
  ~Admin();
  Admin(const Admin&) = delete;
  Admin& operator=(const Admin&) = delete;

  // Answers at once, or from a thread of its own if the command takes time. `by`: the principal,
  // for the log. Any thread.
  void handle(const Request& request, const Reply& reply, const std::string& by);

 private:
  struct Task {
    std::string method;
    rapidjson::Document params{};
    std::string by;
    Reply reply;
    std::string id{};  // of a request of /admin/rpc, as JSON; else empty
  };

  void handle_rpc(const Request& request, Reply reply, const std::string& by);
  void start(Task task);
  void run(const Task& task) const;
  void queue(Task task);
  void loop();

  const rpc::AdminCommands& commands_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Task> waiting_;
  bool ending_ = false;
  std::thread thread_;  // started with the first command that needs it
};

}  // namespace gantry::host::http
