#include "tools/gantry/doctor/finding.hpp"

#include <algorithm>

#include "host/base/json.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli::doctor {
namespace {

Tint tint_of(Verdict verdict) {
  if (verdict == Verdict::ok) return Tint::green;
  return verdict == Verdict::warn ? Tint::yellow : Tint::red;
}

}  // namespace

const char* word_of(Verdict verdict) {
  if (verdict == Verdict::ok) return "ok";
  return verdict == Verdict::warn ? "warn" : "fail";
}

bool is_healthy(const Findings& findings) {
  return std::none_of(findings.begin(), findings.end(),
                      [](const Finding& one) { return one.verdict == Verdict::fail; });
}

std::string lines_of(const Findings& findings, const Color& color) {
  std::string out;
  for (const Finding& one : findings) {
    const std::string word = word_of(one.verdict);
    out += color.paint(tint_of(one.verdict), word) + std::string(6 - word.size(), ' ') +
           printable(one.name) + ": " + printable(one.sentence);
    if (!one.advice.empty()) out += " — " + printable(one.advice);
    out += "\n";
  }
  return out;
}

std::string json_of(const Findings& findings) {
  std::string out =
      std::string(R"({"healthy":)") + (is_healthy(findings) ? "true" : "false") + R"(,"checks":[)";
  for (const Finding& one : findings) {
    if (out.back() != '[') out += ',';
    out += '{';
    host::append_text_member(out, "verdict", word_of(one.verdict));
    host::append_text_member(out, "name", one.name);
    host::append_text_member(out, "sentence", one.sentence);
    if (!one.advice.empty()) host::append_text_member(out, "advice", one.advice);
    out += '}';
  }
  return out + "]}";
}

}  // namespace gantry::cli::doctor
