// A connection that remembers what it was given.
#pragma once

#include <string>
#include <vector>

#include "host/sessions/event_sink.hpp"

namespace gantry::host {

struct FakeEventSink final : EventSink {
  bool open() override {
    opened = true;
    return !gone;
  }
  void prime(EventId id) override { primers.push_back(to_text(id)); }
  bool send(EventId id, const Text& message) override {
    if (gone) return false;
    ids.push_back(id);
    messages.push_back(*message);
    return true;
  }
  void gap() override { ++gaps; }
  void close() override { ++closed; }
  std::size_t backlog() const override { return 7; }

  std::string last() const { return ids.empty() ? "" : to_text(ids.back()); }

  bool opened = false, gone = false;
  int closed = 0, gaps = 0;
  std::vector<EventId> ids;
  std::vector<std::string> messages, primers;
};

}  // namespace gantry::host
