// tests/worlds/pair.hpp: the two worlds of a seed as an agent sees them, and as they are without
// rules. One thread.
#pragma once

#include <cctype>
#include <string>

#include "subject.hpp"

namespace gantry::worlds {

inline constexpr int kAsksUntilKept = 2;  // the answer cache keeps what was asked for twice

// Whether the worlds are written too.
enum class Written { no, yes };

// The ids that the server makes are random: 24 hexadecimal digits.
inline std::string without_made_ids(std::string text) {
  std::size_t digits = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && std::isxdigit(static_cast<unsigned char>(text[i])) != 0) {
      ++digits;
      continue;
    }
    if (digits == 24) text.replace(i - digits, digits, digits, 'i');
    digits = 0;
  }
  return text;
}

// One pair of worlds with its four subjects.
class Pair {
 public:
  explicit Pair(std::uint32_t seed, Written written = Written::no)
      : twins_(twins_of(seed, written)),
        options_{twins_.agent, seed % 2 == 0, written == Written::yes,
                 seed % 7 == 0 ? 1500 : std::size_t{4} << 20U},
        one_(twins_.one, twins_.model, options_),
        other_(twins_.other, twins_.model, options_),
        bare_one_(twins_.one, twins_.bare, bare_options()),
        bare_other_(twins_.other, twins_.bare, bare_options()) {}

  const Twins& twins() const { return twins_; }

  struct Answers {
    std::string one, other, again;
    bool are_equal() const { return one == other && other == again; }
  };
  // The caches of the second world are warmed by another agent before, and by this one in between.
  Answers ask(const Request& request, bool after_another) {
    for (int i = 0; after_another && i < kAsksUntilKept; ++i) {
      (void)other_.ask(request, twins_.other_agent);
    }
    Answers answers{one_.ask(request), other_.ask(request), {}};
    answers.again = other_.ask(request);
    return answers;
  }

  // Once in each world.
  Answers write(const Request& request) {
    Answers answers{without_made_ids(one_.ask(request)), without_made_ids(other_.ask(request)), {}};
    answers.again = answers.other;
    return answers;
  }

  // Whether the request tells the worlds apart where no rule holds.
  bool tells(const Request& request) {
    return without_made_ids(bare_one_.ask(request)) != without_made_ids(bare_other_.ask(request));
  }

 private:
  static Twins twins_of(std::uint32_t seed, Written written) {
    Twins twins = make_twins(seed);
    if (written == Written::no) return twins;
    twins.one += kLastRows;
    twins.other += kLastRows;
    return twins;
  }
  SubjectOptions bare_options() const {
    SubjectOptions options;
    options.writes = options_.writes;
    return options;
  }

  Twins twins_;
  SubjectOptions options_;
  Subject one_, other_, bare_one_, bare_other_;
};

inline std::string shown(const Request& request, const Pair::Answers& answers, const Twins& twins) {
  std::string text = request.op + " " + with_quotes(request.text) + "\nagent " + twins.agent;
  text +=
      "\n--- one\n" + answers.one.substr(0, 3000) + "\n--- other\n" + answers.other.substr(0, 3000);
  if (answers.again != answers.other) text += "\n--- again\n" + answers.again.substr(0, 3000);
  return text;
}

}  // namespace gantry::worlds
