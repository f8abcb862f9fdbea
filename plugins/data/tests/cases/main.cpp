// data_cases: compares the engine's answers to recorded cases, as a table.
//
//   data_cases FILE|- [--only PREFIX] [--failures] [--strict-types] [--levels N]
//              [--without ID]… [--right PERCENT]
//
// FILE is JSONL; "-" is standard input: gzip -dc cases.jsonl.gz | data_cases - Exit status is 1 if
// a case is wrong, or if fewer than PERCENT of all are right. --without: skips a case whose
// recording cannot be reproduced.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>

#include "case.hpp"
#include "values/extended_json.hpp"

namespace gantry::data::cases {
namespace {

struct Options {
  std::string file = "-", only;
  bool failures = false, strict = false;
  int levels = 4;
  double right = 0;
  std::set<std::string, std::less<>> without;
};

Options read_options(int count, char** words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const bool has_next = i + 1 < count;
    if (word == "--only" && has_next) {
      options.only = words[++i];
    } else if (word == "--levels" && has_next) {
      options.levels = std::atoi(words[++i]);
    } else if (word == "--without" && has_next) {
      options.without.insert(words[++i]);
    } else if (word == "--right" && has_next) {
      options.right = std::atof(words[++i]);
    } else if (word == "--failures") {
      options.failures = true;
    } else if (word == "--strict-types") {
      options.strict = true;
    } else {
      options.file = word;
    }
  }
  return options;
}

// "operator/stages/group/test_x.py::…" up to `levels` folders.
std::string folder_of(std::string_view id, int levels) {
  std::size_t end = id.find("::");
  end = id.rfind('/', end);
  std::string_view folder = id.substr(0, end);
  std::size_t at = 0;
  for (int i = 0; i < levels && at != std::string_view::npos; ++i) at = folder.find('/', at + 1);
  return std::string(folder.substr(0, at));
}

using Counts = std::array<int, 5>;

void print_row(const std::string& name, const Counts& counts) {
  std::printf("%-58s %6d %6d %8d %9d\n", name.c_str(), counts[0], counts[1], counts[2], counts[3]);
}

void print_failure(const Case& one, const Judgement& judgement) {
  static constexpr const char* kNames[] = {"right", "WRONG", "REFUSED", "ACCEPTED", "skipped"};
  std::string command;
  std::string expected;
  std::string setup;
  append_value_json(one.command, JsonDialect::extended, command);
  append_value_json(one.setup, JsonDialect::extended, setup);
  append_value_json(one.expected, JsonDialect::extended, expected);
  std::printf("%s %s\n  command  %.600s\n  setup    %.400s\n  expected %.600s\n  got      %.600s\n",
              kNames[static_cast<int>(judgement.verdict)], one.id.c_str(), command.c_str(),
              setup.c_str(), one.wants_error ? "an error" : expected.c_str(),
              judgement.got.c_str());
}

class Lines {
 public:
  explicit Lines(const std::string& file) {
    file_.reset(file == "-" ? stdin : std::fopen(file.c_str(), "r"));
  }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;
  ~Lines() { std::free(buffer_); }
  explicit operator bool() const { return file_ != nullptr; }
  std::optional<std::string_view> next() {
    const auto length = getline(&buffer_, &size_, file_.get());
    if (length <= 0) return std::nullopt;
    return std::string_view(buffer_, static_cast<std::size_t>(length));
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
  char* buffer_ = nullptr;
  std::size_t size_ = 0;
};

Counts sum_of(const std::map<std::string, Counts>& table) {
  Counts sum{};
  for (const auto& [name, counts] : table) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += counts[i];
  }
  return sum;
}

int run(const Options& options) {
  Lines lines(options.file);
  if (!lines) return std::fprintf(stderr, "There is no %s\n", options.file.c_str()), 2;
  std::map<std::string, Counts> table;
  while (const auto line = lines.next()) {
    const auto one = read_case(*line);
    if (!one || one->id.compare(0, options.only.size(), options.only) != 0) continue;
    if (options.without.contains(one->id)) continue;
    const Judgement judgement = judge(*one, options.strict);
    ++table[folder_of(one->id, options.levels)][static_cast<std::size_t>(judgement.verdict)];
    const bool failed =
        judgement.verdict != Verdict::right && judgement.verdict != Verdict::skipped;
    if (failed && options.failures) print_failure(*one, judgement);
  }
  std::printf("%-58s %6s %6s %8s %9s\n", "", "right", "wrong", "refused", "accepted");
  for (const auto& [name, counts] : table) print_row(name, counts);
  const Counts sum = sum_of(table);
  print_row("all", sum);
  const int all = sum[0] + sum[1] + sum[2] + sum[3];
  const double right = all > 0 ? 100.0 * sum[0] / all : 0;
  std::printf("%.2f %% right\n", right);
  return sum[1] > 0 || right < options.right ? 1 : 0;
}

}  // namespace
}  // namespace gantry::data::cases

int main(int count, char** words) {
  using namespace gantry::data::cases;
  return run(read_options(count, words));
}
