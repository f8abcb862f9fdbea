// What an agent sees of a world is what an agent without rules sees of a database that holds only
// the visible part: rules hide nothing else. GANTRY_ORACLE is the number of requests,
// GANTRY_ORACLE_SEED the first seed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "subject.hpp"

namespace gantry::worlds {
namespace {

constexpr std::uint32_t kRequestsAWorld = 50;
constexpr std::uint32_t kRequests = 1000;
constexpr int kMostDifferences = 12;

std::uint32_t number(const char* name, std::uint32_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10));
}

bool has(const std::string& text, const char* part) { return text.find(part) != text.npos; }

// Descriptions, plans, and what is said of the hidden class itself, differ by design.
bool is_comparable(const Request& request) {
  if (request.kind != Request::Kind::service && request.kind != Request::Kind::link) return false;
  if (request.op == "schema" || request.op == "schemas" || request.op == "explain") return false;
  return !has(request.text, "'plan':true") && !has(request.text, "payroll");
}

// A refusal of names or tenants, which the other database cannot know.
bool is_refusal(const std::string& answer) {
  return has(answer, "field_denied") || has(answer, "tenant_scope") ||
         has(answer, "hidden_class") || has(answer, "class_filter");
}

// Among warnings there are hints at stored values. Under a tenant scope no value but the agent's
// own tenant can be looked for, so there is none about that field.
bool hints_at_tenants(const std::string& answer) { return has(answer, "No 'tenant' of class"); }

bool is_answer(const std::string& text) { return text.starts_with("0 "); }

TEST(VisibleOnly, EqualsTheViewOfTheAgent) {
  const std::uint32_t count = number("GANTRY_ORACLE", kRequests);
  std::uint32_t seed = number("GANTRY_ORACLE_SEED", 1);
  std::uint32_t compared = 0;
  int differences = 0;
  for (std::uint32_t done = 0; done < count && differences < kMostDifferences;
       done += kRequestsAWorld, ++seed) {
    const Twins twins = make_twins(seed);
    Subject ruled(twins.one, twins.model, {twins.agent});
    Subject visible(twins.visible_only, twins.visible_model, {});
    Chance chance(seed * 104729 + 3);
    for (std::uint32_t i = 0; i < kRequestsAWorld && differences < kMostDifferences; ++i) {
      const Request request = any_request(chance, twins.words);
      if (!is_comparable(request)) continue;
      const std::string seen = ruled.ask(request), expected = visible.ask(request);
      if (has(seen, "__redacted") || is_refusal(seen) || hints_at_tenants(expected)) continue;
      compared += is_answer(expected);
      if (seen == expected || (!is_answer(seen) && !is_answer(expected))) continue;
      ++differences;
      ADD_FAILURE() << "seed " << seed << ", request " << i << ": " << request.op << " "
                    << with_quotes(request.text) << "\nagent " << twins.agent << "\n--- seen\n"
                    << seen.substr(0, 3000) << "\n--- visible part\n"
                    << expected.substr(0, 3000);
    }
  }
  std::cout << count << " requests, " << compared << " answered and compared\n";
  EXPECT_GT(compared, count / 4);
}

}  // namespace
}  // namespace gantry::worlds
