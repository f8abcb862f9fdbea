// gantry/detail/completers.hpp: the completers of one prompt's or template's arguments.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <gantry/detail/handler.hpp>

namespace gantry::detail {

// The completers of one prompt or template, by argument; its list entry and its handler share it.
class Completers {
 public:
  void add(std::string_view argument, Handler handler) {
    by_argument_.insert_or_assign(std::string(argument), std::move(handler));
  }
  bool empty() const { return by_argument_.empty(); }

  // An argument without a completer has no suggestions.
  gantry_status run(Call& call) const {
    const Result<Completing> what = arguments_of<Completing>(call);
    if (!what) return answer_status(call, what.status());
    const auto found = by_argument_.find(what->argument);
    return found == by_argument_.end() ? answer(call, Completion()) : found->second(call);
  }

 private:
  std::map<std::string, Handler, std::less<>> by_argument_;
};

}  // namespace gantry::detail
