#include "report/sink.hpp"

#include <algorithm>

namespace gantry::schema::detail {
namespace {

// The degree to which an alternative fits: 0 if the value itself has another kind, 1 if a constant
// (the usual discriminator) differs, 2 if it fails further inside.
int fit(const Branch& branch, std::string_view here) {
  int best = 2;
  for (const Error& error : branch.errors) {
    const bool at_root = error.pointer == here;
    if (at_root && (error.keyword == "type" || error.keyword == "false schema")) return 0;
    if (error.keyword == "const" || error.keyword == "enum") best = std::min(best, at_root ? 0 : 1);
  }
  return best;
}

std::string joined_expectations(const std::vector<Branch>& branches) {
  std::vector<std::string> parts;
  for (const Branch& branch : branches) {
    if (branch.errors.empty()) continue;
    const std::string& expected = branch.errors.front().expected;
    if (std::find(parts.begin(), parts.end(), expected) == parts.end()) parts.push_back(expected);
  }
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : " or ") + part;
  return out;
}

// The alternative to report, or null if several fit equally well.
const Branch* closest(const std::vector<Branch>& branches, int best_fit, std::string_view here) {
  const Branch* found = nullptr;
  std::size_t fitting = 0;
  for (const Branch& branch : branches) {
    if (fit(branch, here) != best_fit) continue;
    ++fitting;
    if (found == nullptr || branch.errors.size() < found->errors.size()) found = &branch;
  }
  return fitting == 1 ? found : nullptr;
}

}  // namespace

void Sink::add(Error error) {
  if (errors_.size() < max_) errors_.push_back(std::move(error));
}

bool Sink::told_as_misspelt(const Error& missing, std::string_view name) const {
  return std::any_of(errors_.begin(), errors_.end(), [&](const Error& known) {
    return known.pointer == missing.pointer && known.suggestion == name &&
           known.keyword.ends_with("Properties");
  });
}

void Sink::report(const Op& op, const Frame& f, std::string_view name) {
  if (errors_.size() >= max_) return;
  Error error;
  error.pointer = pointer_of(f.path);
  error.path = readable_path(f.path);
  error.keyword = keyword_of(op.code);
  error.schema = program_.locations[f.node];
  if (op.code == Code::kRequired && told_as_misspelt(error, name)) return;
  describe(program_, op, f, name, error);
  if (f.path != nullptr && f.path->is_key) error.message = "as property name: " + error.message;
  add(std::move(error));
}

void Sink::report_branches(const Op& op, const Frame& f, std::vector<Branch> branches) {
  if (errors_.size() >= max_) return;
  const std::string here = pointer_of(f.path);
  int best = 0;
  for (const Branch& branch : branches) best = std::max(best, fit(branch, here));
  const Branch* only = closest(branches, best, here);
  if (only != nullptr && (best > 0 || branches.size() == 1)) {
    for (const Error& error : only->errors) add(error);
    return;
  }
  const std::size_t before = errors_.size();
  report(op, f, {});
  if (errors_.size() == before) return;
  Error& error = errors_.back();
  if (best == 0) {
    error.expected = clipped(joined_expectations(branches), 300);
    error.message = "expected " + error.expected + ", got " + error.found;
    return;
  }
  for (const Branch& branch : branches) {
    if (fit(branch, here) != best || branch.errors.empty()) continue;
    const Error& first = branch.errors.front();
    const std::string where = first.path == error.path ? "" : first.path + ": ";
    error.message += "; one of them fails because " + where + first.message;
    break;
  }
}

void Sink::report_limit(const char* why) {
  Error error;
  error.keyword = "limit";
  error.schema = program_.locations.front();
  error.expected = "a value that can be checked within the limits";
  error.message = std::string("cannot be checked: ") + why + "; send a smaller or flatter value";
  if (errors_.size() >= max_ && !errors_.empty()) errors_.pop_back();
  errors_.push_back(std::move(error));
}

}  // namespace gantry::schema::detail
