#include "tools/gantry/host/show.hpp"

#include <rapidjson/document.h>

#include "tools/gantry/command.hpp"
#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/pager.hpp"

namespace gantry::cli {

int show_answer(const HostChoice& choice, const HostQuestion& question,
                const std::function<std::string(const rapidjson::Value&)>& text) {
  auto host = find_host(choice);
  if (!host) return complain(host.status(), exit_code(host.status()));
  const auto answer = (*host)->ask(question.method, question.params);
  if (!answer) return complain(answer.status(), exit_code(answer.status()));
  const auto document = parsed(*answer);
  show_paged(question.json ? pretty(document) + "\n" : text(document));
  return kDone;
}

}  // namespace gantry::cli
