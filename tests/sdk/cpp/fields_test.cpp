#include <gtest/gtest.h>

#include <limits>

#include <gantry/fields.hpp>

using gantry::field;
using gantry::Json;

namespace fields_test {
namespace {

enum class Colour { red, green };
constexpr auto gantry_names(Colour) {
  return gantry::names<Colour>({{Colour::red, "red"}, {Colour::green, "green"}});
}

struct Point {
  double x = 0, y = 0;
  static constexpr auto fields() {
    return gantry::fields(field("x", &Point::x, ""), field("y", &Point::y, ""));
  }
};

struct All {
  std::string text;
  int times = 1;
  std::optional<bool> loud;
  Colour colour = Colour::green;
  std::vector<Point> points;
  std::map<std::string, std::uint8_t> bytes;
  gantry::JsonText rest;
  std::string order = "asc";

  static constexpr auto fields() {
    return gantry::fields(
        field("text", &All::text, "What to say").length(1, 3),
        field("times", &All::times, "How often").between(1, 10).optional(),
        field("loud", &All::loud, "In capitals"), field("colour", &All::colour, "").optional(),
        field("points", &All::points, "").length(0, 2).optional(),
        field("bytes", &All::bytes, "").optional(), field("rest", &All::rest, "").optional(),
        field("order", &All::order, "").one_of("asc", "desc").optional());
  }
};

gantry::Result<All> read_all(std::string_view text) {
  gantry::Result<Json> json = Json::parse(text);
  if (!json) return json.status();
  return gantry::read<All>(*json);
}

std::string problem(std::string_view text) {
  const auto result = read_all(text);
  return result ? "" : result.message();
}

TEST(Fields, ReadEveryType) {
  const auto all =
      read_all(R"({"text":"äöü","times":2,"loud":true,"colour":"red","points":[{"x":1,"y":-2.5}],)"
               R"("bytes":{"a":255},"rest":[1, 2],"order":"desc"})");
  ASSERT_TRUE(all.is_ok()) << all.message();
  EXPECT_EQ(all->text, "äöü");
  EXPECT_EQ(all->times, 2);
  EXPECT_EQ(all->loud, true);
  EXPECT_EQ(all->colour, Colour::red);
  ASSERT_EQ(all->points.size(), 1U);
  EXPECT_EQ(all->points[0].y, -2.5);
  EXPECT_EQ(all->bytes.at("a"), 255);
  EXPECT_EQ(all->rest.text, "[1, 2]");
  EXPECT_EQ(all->order, "desc");
}

TEST(Fields, KeepTheirOwnValueWhenLeftOut) {
  const auto all = read_all(R"({"text":"a"})");
  ASSERT_TRUE(all.is_ok());
  EXPECT_EQ(all->times, 1);
  EXPECT_FALSE(all->loud);
  EXPECT_EQ(all->colour, Colour::green);
}

TEST(Fields, NameThePlaceAndTheRule) {
  EXPECT_EQ(problem("{}"), "text: is missing; What to say");
  EXPECT_EQ(problem(R"({"text":"a","txet":1})"),
            "txet: unknown name; allowed: text, times, loud, colour, points, bytes, rest, order");
  EXPECT_EQ(problem(R"({"text":"a","times":12})"), "times: expected integer from 1 to 10, got 12");
  EXPECT_EQ(problem(R"({"text":"a","times":"x"})"),
            "times: expected integer from 1 to 10, got \"x\"");
  EXPECT_EQ(problem(R"({"text":"abcd"})"), "text: expected 1 to 3 characters, got 4");
  EXPECT_EQ(problem(R"({"text":"a","colour":"blue"})"),
            "colour: expected one of \"red\", \"green\", got \"blue\"");
  EXPECT_EQ(problem(R"({"text":"a","points":[{"x":1,"y":2},{"x":1,"y":"z"}]})"),
            "points[1].y: expected number, got \"z\"");
  EXPECT_EQ(problem(R"({"text":"a","points":[{"x":1,"y":2},{"x":1,"y":2},{"x":1,"y":2}]})"),
            "points: expected 0 to 2 elements, got 3");
  EXPECT_EQ(problem(R"({"text":"a","bytes":{"q":256}})"),
            "bytes.q: expected integer from 0 to 255, got 256");
  EXPECT_EQ(problem(R"({"text":"a","loud":null})"), "loud: expected true or false, got null");
  EXPECT_EQ(problem("[]"), "arguments: expected object, got array");
}

TEST(Fields, DescribeThemselvesAsASchema) {
  EXPECT_EQ(
      gantry::schema_of<All>(true),
      R"({"type":"object","properties":{)"
      R"("text":{"type":"string","minLength":1,"maxLength":3,"description":"What to say"},)"
      R"("times":{"type":"integer","minimum":1,"maximum":10,"description":"How often","default":1},)"
      R"("loud":{"type":"boolean","description":"In capitals"},)"
      R"("colour":{"type":"string","enum":["red","green"],"default":"green"},)"
      R"("points":{"type":"array","maxItems":2,"items":{"type":"object","properties":)"
      R"({"x":{"type":"number"},"y":{"type":"number"}},"required":["x","y"],)"
      R"("additionalProperties":false},"default":[]},)"
      R"("bytes":{"type":"object","additionalProperties":{"type":"integer","minimum":0,)"
      R"("maximum":255},"default":{}},)"
      R"("rest":{"default":null},)"
      R"("order":{"type":"string","enum":["asc","desc"],"default":"asc"}},)"
      R"("required":["text"],"additionalProperties":false})");
}

TEST(Fields, WriteTheValuesThatTheyRead) {
  const auto all = read_all(R"({"text":"a","bytes":{"k":1},"points":[{"x":1,"y":2}]})");
  ASSERT_TRUE(all.is_ok());
  EXPECT_EQ(gantry::to_json(*all),
            R"({"text":"a","times":1,"colour":"green","points":[{"x":1,"y":2}],)"
            R"("bytes":{"k":1},"rest":null,"order":"asc"})");
}

struct Wide {
  std::int64_t big = 0;
  std::uint64_t huge = 0;
  static constexpr auto fields() {
    return gantry::fields(field("big", &Wide::big, ""), field("huge", &Wide::huge, ""));
  }
};

TEST(Fields, KeepAllBitsOfIntegers) {
  const auto json = Json::parse(R"({"big":-9223372036854775808,"huge":18446744073709551615})");
  const auto wide = gantry::read<Wide>(*json);
  ASSERT_TRUE(wide.is_ok()) << wide.message();
  EXPECT_EQ(wide->big, std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(gantry::to_json(*wide), R"({"big":-9223372036854775808,"huge":18446744073709551615})");
  EXPECT_FALSE(gantry::read<Wide>(*Json::parse(R"({"big":0,"huge":-1})")).is_ok());
}

}  // namespace
}  // namespace fields_test
