#include "host/auth/agents/roles.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace gantry::host {
namespace {

// Walks the roles depth first, without recursion: a file may hold a chain of any length.
class Walk {
 public:
  explicit Walk(const Roles::Included& included) : included_(included) {}

  // The circle that begins at `role`, "a > b > a"; empty without one.
  std::string circle_from(const std::string& role) {
    push(role);
    while (!path_.empty()) {
      Step& step = path_.back();
      if (step.next == step.includes.size()) {
        done_.insert(step.role);
        on_path_.erase(step.role);
        path_.pop_back();
        continue;
      }
      const std::string& next = step.includes[step.next++];
      if (on_path_.contains(next)) return shown(next);
      if (!done_.contains(next)) push(next);
    }
    return {};
  }

 private:
  struct Step {
    std::string_view role;
    const std::vector<std::string>& includes;
    std::size_t next = 0;
  };

  void push(const std::string& role) {
    static const std::vector<std::string> kNone;
    const auto found = included_.find(role);
    path_.push_back({role, found == included_.end() ? kNone : found->second});
    on_path_.insert(role);
  }

  std::string shown(std::string_view again) const {
    const auto begin = std::find_if(path_.begin(), path_.end(),
                                    [&](const Step& step) { return step.role == again; });
    std::string out;
    for (auto at = begin; at != path_.end(); ++at) out += std::string(at->role) + " > ";
    return out + std::string(again);
  }

  const Roles::Included& included_;
  std::vector<Step> path_;
  std::set<std::string_view> on_path_, done_;
};

}  // namespace

Result<Roles> Roles::make(Included included) {
  Walk walk(included);
  for (const auto& [role, includes] : included) {
    const std::string circle = walk.circle_from(role);
    if (!circle.empty()) {
      return Status::invalid("roles: a role includes itself: " + circle +
                             "; take one of these steps out");
    }
  }
  Roles out;
  out.included_ = std::move(included);
  return out;
}

Result<std::vector<std::string>> Roles::expanded(const std::vector<std::string>& roles) const {
  std::set<std::string> all;
  std::vector<std::string_view> left(roles.begin(), roles.end());
  while (!left.empty()) {
    const std::string_view role = left.back();
    left.pop_back();
    if (!all.emplace(role).second) continue;
    if (all.size() > kMost) {
      return Status::invalid("the roles with all that they include are more than " +
                             std::to_string(kMost));
    }
    const auto found = included_.find(role);
    if (found != included_.end())
      left.insert(left.end(), found->second.begin(), found->second.end());
  }
  return std::vector<std::string>(all.begin(), all.end());
}

}  // namespace gantry::host
