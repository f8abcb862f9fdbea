// policy/recent_rules.hpp: the rules of the agents that called lately.
//
// An agent's profile comes with each call as text. It is parsed once: calls with the same bytes
// share one Rules. At most 256 texts, each of 64 KiB or less; the one used the longest ago goes
// first. Any thread.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include <gantry/lru.hpp>
#include <gantry/result.hpp>

#include "policy/rules.hpp"

namespace gantry::data {

class RecentRules {
 public:
  // As parse_agent_scope(), whose errors are not kept.
  Result<RulesPtr> of(std::string_view agent_scope);

 private:
  static constexpr std::size_t kMost = 256;
  static constexpr std::size_t kMostBytes = std::size_t{64} << 10U;  // of one text

  RulesPtr find(std::string_view text);
  void keep(std::string_view text, const RulesPtr& rules);

  std::mutex mutex_;
  Lru<std::string, RulesPtr> rules_{kMost};  // by text
};

}  // namespace gantry::data
