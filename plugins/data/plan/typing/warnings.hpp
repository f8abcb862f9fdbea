// plan/typing/warnings.hpp: what a request surely did not mean, said in its answer.
//
// Each warning is one sentence with its repair. It names what the caller may see, and literals of
// the caller only. One request, one thread.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "values/value.hpp"
#include "view/class_view.hpp"

namespace gantry::data {

// A comparison that only the stored values can show to be a mistake; looked into after the answer
// (ops/doubts.hpp).
struct Doubt {
  const ClassView* cls = nullptr;
  std::string path;  // of the class's documents
  Value literal;  // a text; missing: values that are not there compare as smaller than all others
  // All documents of the answer satisfy the comparison: there is no doubt unless it is empty.
  bool is_met = false;
  // $gt and the like: a text that no object holds is a good bound, but not of dates.
  bool is_bound = false;
};

class Warnings {
 public:
  static constexpr std::size_t kMost = 5;

  // Drops repetitions, and all beyond kMost.
  void add(std::string sentence) {
    const bool is_known = std::find(list_.begin(), list_.end(), sentence) != list_.end();
    if (!is_known && list_.size() < kMost) list_.push_back(std::move(sentence));
  }
  const std::vector<std::string>& list() const { return list_; }

  void doubt(Doubt doubt) {
    if (doubts_.size() < kMostDoubts) doubts_.push_back(std::move(doubt));
  }
  const std::vector<Doubt>& doubts() const { return doubts_; }

 private:
  static constexpr std::size_t kMostDoubts = 8;

  std::vector<std::string> list_;
  std::vector<Doubt> doubts_;
};

}  // namespace gantry::data
