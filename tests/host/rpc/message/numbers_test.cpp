#include "host/base/numbers.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>

#include "host/rpc/message/message.hpp"

namespace gantry::host::rpc::numbers_test {
namespace {

std::string message_with(const std::string& number) {
  return R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"s":"\"0e99","x":)" + number + "}}";
}

TEST(Numbers, ZerosThatWouldBecomeAnotherNumberAreReadAsZeros) {
  for (const std::string number :
       {"0e-64", "0E300", "-0e-99", "0.00000000000000000000000", "-0.0e-22", "0.0e+24", "0e23",
        "0.000000000000000000000000000000000e0", "0e400", "0.0e-99999", "0e-2147483649",
        "-0E+99999999999999999999"}) {
    const std::string text = message_with(number);
    Message message(text);
    const auto error = message.parse();
    ASSERT_FALSE(error) << number << ": " << error->message;
    EXPECT_EQ(message.param("x")->GetDouble(), 0.0) << number;
    EXPECT_EQ(std::signbit(message.param("x")->GetDouble()), number[0] == '-') << number;
  }
}

TEST(Numbers, ForwardedTextHasThoseZerosInPlainForm) {
  const std::string text =
      R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"arguments":{"a":0e400,"b":"0e400","c":-0.0e99,"d":10}}})";
  Message message(text);
  ASSERT_FALSE(message.parse());
  EXPECT_EQ(message.arguments_text(), R"({"a":0.0  ,"b":"0e400","c":-0.0   ,"d":10})");
  EXPECT_FALSE(with_plain_zeros(R"({"a":0e22,"b":1e-300,"c":0})"));
}

TEST(Numbers, TextThatOnlyResemblesSuchAZeroIsNoJson) {
  for (const std::string number : {"00e400", "0.e400", "0e", "0e+", "0e400.5", "0e400e1",
                                   "0.0.0e99", "+0e400", "0e400-", "x0e400", "0e4 00"}) {
    const std::string text = message_with(number);
    Message message(text);
    const auto error = message.parse();
    ASSERT_TRUE(error) << number;
    EXPECT_EQ(error->code, kParseError) << number;
  }
}

TEST(Numbers, ExponentsThatOverflowAreRefused) {
  for (const std::string number : {"0.00000000001e-2147483639", "1e-999999999", "5E+123456789"}) {
    EXPECT_TRUE(unreadable_number(message_with(number))) << number;
  }
}

TEST(Numbers, NumbersBeyondTheDoublesAreRefusedAndNumbersBelowThemAreZero) {
  for (const std::string number :
       {"1.8e308", "9e308", "-0.02e310", "9.9e309", "1.7976931348623159e308",
        "200000000000000000000000000000000e276"}) {
    EXPECT_TRUE(unreadable_number(message_with(number))) << number;
    const std::string text = message_with(number);
    Message message(text);
    EXPECT_EQ(message.parse()->code, kParseError) << number;
  }
  for (const std::string number : {"4.4e-325", "-2.4e-324", "777481.792874921277e-330"}) {
    const std::string text = message_with(number);
    Message message(text);
    ASSERT_FALSE(message.parse()) << number;
    EXPECT_EQ(message.param("x")->GetDouble(), 0.0) << number;
  }
  for (const std::string number :
       {"1.7976931348623157e308", "-17976931348623157e292", "2.5e-324", "4.9e-324", "2.2e-308"}) {
    const std::string text = message_with(number);
    Message message(text);
    ASSERT_FALSE(message.parse()) << number;
    EXPECT_EQ(message.param("x")->GetDouble(), std::strtod(number.c_str(), nullptr)) << number;
  }
}

TEST(Numbers, AllOthersAreReadAsWritten) {
  for (const std::string number : {"0", "-0", "0.0", "0e0", "0E+5", "0e22", "0e-00022",
                                   "0.0000000000000000000000", "0.0000000000000000000000001",
                                   "1e-300", "1.5e-99999999", "10", "0.0e5", "0e000000000000"}) {
    const std::string text = message_with(number);
    Message message(text);
    const auto error = message.parse();
    ASSERT_FALSE(error) << number << ": " << error->message;
    EXPECT_EQ(message.param("x")->GetDouble(), std::stod(number == "1.5e-99999999" ? "0" : number));
  }
}

TEST(Numbers, NumbersInStringsAreNotMended) {
  EXPECT_FALSE(unreadable_number(R"({"a":"0e99","b":"\\","c\"0e99":1,"d":[]})"));
  EXPECT_EQ(unreadable_number(R"({"a":"\\",0e99)"), 10u);
}

TEST(Numbers, TextThatEndsAnywhereIsLookedAtToItsEnd) {
  const std::string text = R"({"a\"b":-0.0e5,"c":0e99})";
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const auto at = unreadable_number(std::string_view(text).substr(0, size));
    EXPECT_EQ(at.has_value(), size >= text.size() - 1) << size;  // with the last digit
  }
}

}  // namespace
}  // namespace gantry::host::rpc::numbers_test
