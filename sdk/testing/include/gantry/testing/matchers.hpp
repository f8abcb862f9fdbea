// gantry/testing/matchers.hpp: GoogleTest matchers for replies and JSON.
//
//   EXPECT_THAT(reply, HasText("Hello"));                    its text content is exactly this
//   EXPECT_THAT(reply, HasText(StartsWith("Hel")));          or satisfies a matcher
//   EXPECT_THAT(reply, HasStructured(R"({"words":3})"));     equal as JSON, order of members aside
//   EXPECT_THAT(reply, FailsWith("invalid_argument", HasSubstr("text")));
//   EXPECT_THAT(prompt, Says("user", HasSubstr("Ada")));     one of its messages does
//   EXPECT_THAT(resource, ReadsText("notes"));               its one content is this text
//   EXPECT_THAT(resource, ReadsBlob("image/png", bytes));    or these bytes of this type
//   EXPECT_THAT(reply, Completes(ElementsAre("a", "b")));    the values suggested
//   EXPECT_THAT(reply, AsksFor("person"));                   it waits for an answer to this
//   EXPECT_THAT(text, IsJson(R"({"a":1})"));
//
// The matchers of replies but FailsWith and AsksFor require that the call succeeded. A place for a
// matcher takes a plain value too. Codes of FailsWith are those of ABI.md, "invalid_argument" or
// "not_found". The matchers are in the namespace gantry::testing; HasSubstr and others are
// GoogleTest's, in ::testing. Any thread, as far as GoogleTest allows.
#pragma once

#include <string>
#include <string_view>

#include <gmock/gmock.h>

#include <gantry/testing/reply.hpp>

namespace gantry::testing {

// Whether both are JSON with the same meaning; members in any order, elements in the same order, 1
// equals 1.0. False if one of them is not JSON.
bool same_json(std::string_view left, std::string_view right);

// For a std::string, such as Reply::details or FakeHost::input_schema().
MATCHER_P(IsJson, expected, "is JSON equal to " + std::string(expected)) {
  return same_json(arg, expected);
}

// For calls whose content does not matter. To print the error of a failed call, prefer it to
// EXPECT_TRUE(reply.ok()).
MATCHER(Succeeds, "succeeds") { return arg.ok(); }

// Its blocks of type "text", joined by newlines; other content is not compared.
MATCHER_P(HasText, matcher,
          "has text content that " + ::testing::DescribeMatcher<std::string>(matcher, negation)) {
  return arg.ok() && ::testing::ExplainMatchResult(matcher, arg.text(), result_listener);
}

// Compared by same_json(); a reply without a structured result matches nothing.
MATCHER_P(HasStructured, expected, "has a structured result equal to " + std::string(expected)) {
  return arg.ok() && same_json(arg.structured, expected);
}

// `role` is "user" or "assistant". Messages that are not text have the text "".
MATCHER_P2(Says, role, matcher,
           "has a message of " + std::string(role) + " whose text " +
               ::testing::DescribeMatcher<std::string>(matcher, negation)) {
  if (!arg.ok()) return false;
  for (const Message& message : arg.messages) {
    if (message.role == role && ::testing::Matches(matcher)(message.text)) return true;
  }
  return false;
}

// Exactly one content, and it is text.
MATCHER_P(ReadsText, matcher,
          "reads one text that " + ::testing::DescribeMatcher<std::string>(matcher, negation)) {
  return arg.ok() && arg.contents.size() == 1 && !arg.contents[0].is_blob &&
         ::testing::ExplainMatchResult(matcher, arg.contents[0].body, result_listener);
}

// Exactly one content, and it is bytes; Base64 is decoded before.
MATCHER_P2(ReadsBlob, mime_type, matcher,
           "reads one blob of " + std::string(mime_type) + " that " +
               ::testing::DescribeMatcher<std::string>(matcher, negation)) {
  return arg.ok() && arg.contents.size() == 1 && arg.contents[0].is_blob &&
         arg.contents[0].mime_type == mime_type &&
         ::testing::ExplainMatchResult(matcher, arg.contents[0].body, result_listener);
}

// The suggestions in order, all of them: the limit of 100 is the host's.
MATCHER_P(Completes, matcher,
          "has values that " +
              ::testing::DescribeMatcher<std::vector<std::string>>(matcher, negation)) {
  return arg.ok() && ::testing::ExplainMatchResult(matcher, arg.values, result_listener);
}

// One of the open questions has this key; Reply::asked has its method and params.
MATCHER_P(AsksFor, key, "waits for an answer to " + std::string(key)) {
  if (!arg.needs_input()) return false;
  for (const Asked& asked : arg.asked) {
    if (asked.key == key) return true;
  }
  return false;
}

// The error code alone, or with a matcher for the sentence.
MATCHER_P(FailsWith, code, "fails with " + std::string(code)) {
  return !arg.ok() && arg.error_code == code;
}

MATCHER_P2(FailsWith, code, matcher,
           "fails with " + std::string(code) + " and a message that " +
               ::testing::DescribeMatcher<std::string>(matcher, negation)) {
  return !arg.ok() && arg.error_code == code &&
         ::testing::ExplainMatchResult(matcher, arg.message, result_listener);
}

}  // namespace gantry::testing
