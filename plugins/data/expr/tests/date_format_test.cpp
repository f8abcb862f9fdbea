#include "expr/dates/date_format.hpp"

#include <gtest/gtest.h>

#include "errors/query_error.hpp"

namespace gantry::data::expr::date_format_test {
namespace {

constexpr std::int64_t kDate = 1'718'447'445'123;  // 2024-06-15T10:30:45.123Z

std::string written(std::string_view format, const TimeZone& zone = {}, std::int64_t at = kDate) {
  return format_date("$dateToString", at, zone, format);
}
std::optional<std::int64_t> read(std::string_view text, std::string_view format,
                                 const TimeZone& zone = {}) {
  const auto fields = read_by_format(text, format);
  return fields ? date_from(*fields, zone) : std::nullopt;
}

TEST(DateFormat, WritesEverySpecifier) {
  EXPECT_EQ(written("%Y-%m-%dT%H:%M:%S.%LZ"), "2024-06-15T10:30:45.123Z");
  EXPECT_EQ(written("%j %u %w %U %G-W%V %b %B 100%%"), "167 6 7 23 2024-W24 Jun June 100%");
  EXPECT_EQ(written("%H:%M %z %Z", TimeZone::fixed(-12'600)), "07:00 -0330 -210");
}

TEST(DateFormat, RefusesYearsOfMoreThanFourDigitsOnlyWhereTheyAreWritten) {
  EXPECT_THROW(written("%Y", {}, 253'402'300'800'000), QueryError);
  EXPECT_THROW(written("%G", {}, -62'198'755'200'000), QueryError);
  EXPECT_EQ(written("%m", {}, 253'402'300'800'000), "01");
  EXPECT_EQ(written("%Y", {}, -62'167'219'200'000), "0000");
}

TEST(DateFormat, ChecksSpecifiersByUse) {
  EXPECT_NO_THROW(check_format("$dateToString", "%U %w", FormatUse::write));
  EXPECT_THROW(check_format("$dateFromString", "%U", FormatUse::read), QueryError);
  EXPECT_THROW(check_format("$dateToString", "%x", FormatUse::write), QueryError);
  EXPECT_THROW(check_format("$dateToString", "100%", FormatUse::write), QueryError);
}

TEST(DateFormat, ReadsDatesByTheirFormat) {
  EXPECT_EQ(read("15/06/2024 10:30:45.123", "%d/%m/%Y %H:%M:%S.%L"), kDate);
  EXPECT_EQ(read("June 15 2024", "%B %d %Y"), 1'718'409'600'000);
  EXPECT_EQ(read("2024-W24-6", "%G-W%V-%u"), 1'718'409'600'000);
  EXPECT_EQ(read("2024-06-15 +0530", "%Y-%m-%d %z"), 1'718'389'800'000);
  EXPECT_EQ(read("2024-06-15 +330", "%Y-%m-%d %Z"), 1'718'389'800'000);
}

TEST(DateFormat, RefusesTextsThatDoNotFitOrAreNoDate) {
  EXPECT_FALSE(read("2024-06-15", "%d-%m-%Y"));
  EXPECT_FALSE(read("2024-06-15 ", "%Y-%m-%d"));
  EXPECT_FALSE(read("2023-02-29", "%Y-%m-%d"));
  EXPECT_FALSE(read("2024-06", "%Y-%m"));
  EXPECT_FALSE(read("24", "%V"));
  EXPECT_FALSE(read("2024-06-15 24:00", "%Y-%m-%d %H:%M"));
  EXPECT_FALSE(read("2024-06-15 Z", "%Y-%m-%d %z", TimeZone::fixed(3600)));
}

}  // namespace
}  // namespace gantry::data::expr::date_format_test
