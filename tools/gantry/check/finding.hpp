// tools/gantry/check/finding.hpp: the results of a check. Values.
#pragma once

#include <string>
#include <vector>

namespace gantry::cli {

// `note`: information; `warning`: legal, but will cause trouble; `fault`: breaks a rule.
enum class Level { note, warning, fault };

struct Finding {
  Level level = Level::note;
  std::string text;  // one sentence
};

// An item that the plugin offers once it has started.
struct Offered {
  std::string kind, name;  // of resources and templates the URI
};

struct Outcome {
  std::string check, about;
  std::vector<Finding> findings;
  std::vector<Offered> offered;
  std::string called;  // the tool that was called last
  double seconds = 0;
  bool skipped = false;  // an earlier check has to pass first
  bool ok() const {
    for (const Finding& finding : findings) {
      if (finding.level == Level::fault) return false;
    }
    return true;
  }
};

}  // namespace gantry::cli
