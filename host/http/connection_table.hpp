// host/http/connection_table.hpp (private): the connections of one I/O thread, by descriptor. That
// thread only.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "host/http/connection.hpp"

namespace gantry::host::http {

class ConnectionTable {
 public:
  // Null: no connection has this descriptor; or it has another number.
  Connection* at(int fd) const {
    const auto i = static_cast<std::size_t>(fd);
    return i < connections_.size() ? connections_[i].get() : nullptr;
  }
  Connection* find(Target target) const {
    Connection* c = at(target.fd);
    return c && c->target().id == target.id ? c : nullptr;
  }

  void add(std::unique_ptr<Connection> connection) {
    const auto i = static_cast<std::size_t>(connection->target().fd);
    if (i >= connections_.size()) connections_.resize(std::max(i + 1, connections_.size() * 2));
    connections_[i] = std::move(connection);
  }
  std::unique_ptr<Connection> remove(int fd) {
    return std::move(connections_[static_cast<std::size_t>(fd)]);
  }
  // Calls visit(connection) for each; connections may be removed meanwhile.
  template <class Visit>
  void each(Visit visit) {
    for (std::size_t i = 0; i < connections_.size(); ++i) {
      if (connections_[i]) visit(*connections_[i]);
    }
  }

 private:
  std::vector<std::unique_ptr<Connection>> connections_;  // by descriptor
};

}  // namespace gantry::host::http
