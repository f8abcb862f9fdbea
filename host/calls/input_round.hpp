// host/calls/input_round.hpp: the input that one entry of a handler requests from its client, and
// the answers given so far (gantry.input/1). One entry of a handler is one round.
//
// Not locked: the contract allows one thread at a time to request input in a call.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "host/calls/abilities.hpp"
#include "host/calls/calls.hpp"
#include "host/calls/question.hpp"

namespace gantry::host {

class InputRound {
 public:
  // `from` must outlive this.
  explicit InputRound(const Inputs& from);

  // As gantry_input_api.request; on GANTRY_OK `answer` points into this object.
  // GANTRY_INPUT_REQUIRED: no answer yet. GANTRY_UNSUPPORTED: the client lacks the capability,
  // which lacks() then holds. GANTRY_TOO_BIG: over a limit of sdk/contract/limits.hpp.
  // GANTRY_INVALID_ARGUMENT: the plugin's fault; the message names it.
  Status request(std::string_view key, std::string_view method, std::string_view params,
                 std::string_view& answer);
  // Replaces the state for the next round. GANTRY_TOO_BIG: over contract::kMaxKeptState.
  gantry_status keep(std::string_view state);

  Lacks& lacks() { return lacks_; }
  // True if the handler may be entered again: a request has no answer, or state was kept.
  bool goes_on() const;
  // Fills in `requests`, `state` and `answers`.
  void put_into(ItemAnswer& answer) const;

 private:
  struct Asked {
    std::string key;
    Question question;
    std::optional<std::string> answer;
  };

  Status repeat(const Asked& asked, std::string_view method, std::string_view params,
                std::string_view& answer) const;
  Status ask(std::string_view key, Question question, std::string_view& answer);
  const Asked* find(std::string_view key) const;
  std::string requests() const;
  std::string answers() const;

  const ClientCan can_;
  std::map<std::string, std::string, std::less<>> given_;  // verbatim JSON, by key
  std::deque<Asked> asked_;
  std::size_t bytes_ = 0;  // of params and answers
  std::string kept_;
  Lacks lacks_;
};

}  // namespace gantry::host
