// host/http/parser.hpp (private): bytes to Requests, one after another, on one connection.
//
// I/O thread only. Keeps no unconsumed input: the caller passes it again, with more behind it.
#pragma once

#include <memory>
#include <string_view>

#include "host/http/chunk_scan.hpp"
#include "host/http/head_scan.hpp"
#include "host/http/message.hpp"
#include "host/http/rules.hpp"
#include "host/http/server.hpp"

namespace gantry::host::http {

class Parser {
 public:
  enum class Event {
    more,      // every usable byte was consumed
    head,      // the head is complete, a body follows
    complete,  // request() is whole
    refused,   // see refusal(); the connection's further input is useless
    oversize,  // request() has its head; the body is beyond the limit and not kept, and the
               // connection's further input is useless
  };
  struct Step {
    Event event;
    std::size_t used;  // bytes consumed from the front of the data
  };

  explicit Parser(const Limits& limits);
  ~Parser();

  Step feed(std::string_view data);

  const Refusal& refusal() const { return refusal_; }
  Request& request() { return request_; }
  bool keep_alive() const;
  bool expects_continue() const { return rules_.expects_continue(); }
  bool in_body() const { return in_body_; }
  // Bytes of memory of the request that is being read.
  std::size_t held() const { return in_body_ ? request_.held() : 0; }
  // Ready for the next request. Memory of the last one is reused.
  void next();

 private:
  class Beast;

  Step head(std::string_view data);
  std::size_t empty_lines(std::string_view data);
  Step head_incomplete(std::string_view data, std::size_t skipped);
  Step body(std::string_view data);
  std::string_view chunk_line(std::string_view data);
  Step refuse(int status, std::string_view why);
  Step refuse_syntax(std::string_view head);
  Step refuse_body();
  Step too_large();

  const Limits& limits_;
  Request request_;
  HeadScan scan_;
  ChunkScan chunk_scan_;
  HeadRules rules_;
  Refusal refusal_;
  std::unique_ptr<Beast> beast_;
  std::size_t empty_lines_ = 0;  // before this request
  bool in_body_ = false;
};

}  // namespace gantry::host::http
