// Conversions where types end, and the words of those that fail.
#include "evaluation.hpp"

namespace gantry::data::expr::convert_edges_test {
namespace {

std::string of(const std::string& op, const std::string& value) {
  return evaluated(R"({")" + op + R"(":)" + value + "}");
}

std::string long_of(const std::string& digits) { return R"({"$numberLong":")" + digits + "\"}"; }
std::string date_of_ms(const std::string& ms) { return R"({"$date":)" + long_of(ms) + "}"; }

TEST(Conversions, KeepEveryDigitOfALong) {
  const std::string odd = long_of("9007199254740993");
  EXPECT_EQ(of("$toLong", R"("9007199254740993")"), "9007199254740993");
  EXPECT_EQ(of("$toString", odd), R"("9007199254740993")");
  EXPECT_EQ(of("$toString", long_of("-9223372036854775808")), R"("-9223372036854775808")");
  EXPECT_EQ(of("$toLong", odd), "9007199254740993");
  EXPECT_EQ(evaluated(R"({"$eq":[{"$toLong":{"$toString":)" + odd + "}}," + odd + "]}"), "true");
}

TEST(Conversions, ADoubleHasNoPlaceForTheLastDigitOfALargeLong) {
  EXPECT_EQ(of("$toDouble", long_of("9007199254740993")), "9007199254740992.0");
  EXPECT_EQ(of("$toDouble", long_of("9007199254740992")), "9007199254740992.0");
  EXPECT_EQ(of("$toDouble", "-7"), "-7.0");
}

TEST(Conversions, ToAnIntEndWhereIntsEnd) {
  EXPECT_EQ(of("$toInt", long_of("2147483647")), "2147483647");
  EXPECT_EQ(of("$toInt", long_of("-2147483648")), "-2147483648");
  EXPECT_EQ(unsaid(of("$toInt", long_of("2147483648")), {"$toInt", "long", "out of range"}), "");
  EXPECT_EQ(unsaid(of("$toInt", long_of("-2147483649")), {"out of range"}), "");
  EXPECT_EQ(of("$toInt", "-2147483648.0"), "-2147483648");
}

TEST(Conversions, OfInfinityAndNanToWholeNumbersAreRefused) {
  for (const char* number : {"NaN", "Infinity", "-Infinity"}) {
    const std::string value = R"({"$numberDouble":")" + std::string(number) + "\"}";
    EXPECT_EQ(unsaid(of("$toInt", value), {"$toInt", "NaN or out of range"}), "");
    EXPECT_EQ(unsaid(of("$toLong", value), {"$toLong", "NaN or out of range"}), "");
    EXPECT_EQ(unsaid(of("$toDate", value), {"$toDate", "NaN or out of range"}), "");
    EXPECT_EQ(of("$toString", value), "\"" + std::string(number) + "\"");
    EXPECT_EQ(of("$toBool", value), "true");
  }
}

TEST(Conversions, OfDatesBefore1970) {
  const std::string date = date_of_ms("-1");
  EXPECT_EQ(of("$toLong", date), R"({"$numberLong":"-1"})");
  EXPECT_EQ(of("$toDouble", date), "-1.0");
  EXPECT_EQ(of("$toString", date), R"("1969-12-31T23:59:59.999Z")");
  EXPECT_EQ(of("$toDate", R"("0001-01-01T00:00:00Z")"), R"({"$date":"0001-01-01T00:00:00.000Z"})");
  EXPECT_EQ(of("$toDate", "-1.9"), R"({"$date":"1969-12-31T23:59:59.999Z"})");
}

TEST(Conversions, OfDatesWhoseYearHasMoreThanFourDigitsToTextAreRefused) {
  EXPECT_EQ(unsaid(of("$toString", date_of_ms("253402300800000")),
                   {"$toString", "date", "between 0 and 9999"}),
            "");
  EXPECT_EQ(of("$toString", date_of_ms("253402300799999")), R"("9999-12-31T23:59:59.999Z")");
  EXPECT_EQ(of("$toLong", date_of_ms("253402300800000")), R"(253402300800000)");
}

TEST(Conversions, ToABooleanLookAtNumbersAlone) {
  for (const char* value : {R"("false")", R"("0")", R"({"$literal":[]})", R"({"$literal":{}})",
                            R"({"$binary":{"base64":"","subType":"00"}})"}) {
    EXPECT_EQ(of("$toBool", value), "true") << value;
  }
  EXPECT_EQ(of("$toBool", long_of("0")), "false");
  EXPECT_EQ(of("$toBool", "null"), "null");
}

TEST(Conversions, ThatDoNotExistAreNamedByTheirTwoTypes) {
  EXPECT_EQ(unsaid(of("$toDate", "true"), {"$toDate", "type bool", "no conversion to a date"}), "");
  EXPECT_EQ(unsaid(of("$toDouble", R"({"$literal":[1]})"), {"type array", "to a double"}), "");
  EXPECT_EQ(unsaid(of("$toLong", R"({"$literal":{}})"), {"type object", "to a long"}), "");
  EXPECT_EQ(unsaid(of("$toInt", date_of_ms("0")), {"type date"}), "");
  EXPECT_EQ(unsaid(of("$toObjectId", "5"), {"type int", "to an ObjectId"}), "");
  EXPECT_EQ(unsaid(of("$toUUID", "5"), {"type int", "to a UUID"}), "");
}

TEST(Conversions, OfTextSayWhatATextNeedsAndNotWhatItHolds) {
  EXPECT_EQ(unsaid(of("$toInt", R"("12 cows")"), {"$toInt", "type string", "decimal digits"}), "");
  EXPECT_EQ(unsaid(of("$toDate", R"("soonish")"), {"$toDate", "2026-11-21T20:00:00Z"}), "");
  EXPECT_EQ(unsaid(of("$toObjectId", R"("xyz")"), {"24 hexadecimal digits"}), "");
  EXPECT_EQ(unsaid(of("$toUUID", R"("xyz")"), {"no UUID"}), "");
  for (const char* op : {"$toInt", "$toLong", "$toDouble", "$toDate", "$toDecimal", "$toUUID"}) {
    EXPECT_EQ(of(op, R"("12 cows")").find("cows"), std::string::npos) << op;
  }
}

std::string converted(const std::string& input, const std::string& rest) {
  return evaluated(R"({"$convert":{"input":)" + input + "," + rest + "}}");
}

TEST(Convert, SaysWhichTypesThereAre) {
  EXPECT_EQ(unsaid(converted("1", R"("to":"integer")"), {"$convert", "int, long, double"}), "");
  EXPECT_EQ(unsaid(converted("1", R"("to":true)"), {"$convert's to", "name or number of a type"}),
            "");
  EXPECT_EQ(unsaid(converted("1", R"("to":16.5)"), {"$convert's to"}), "");
  EXPECT_EQ(unsaid(converted("1", R"("to":"array")"), {"no conversion to that type"}), "");
  EXPECT_EQ(converted("1", R"("to":"array","onError":"e")"), R"("e")");
}

TEST(Convert, TakesNoMemberThatItDoesNotKnow) {
  EXPECT_EQ(unsaid(converted("1", R"("to":"int","onerror":1)"), {"$convert", "\"onerror\""}), "");
  EXPECT_EQ(unsaid(evaluated(R"({"$convert":{"input":1}})"), {"$convert needs", "\"to\""}), "");
  EXPECT_EQ(unsaid(evaluated(R"({"$convert":1})"), {"$convert needs an object"}), "");
}

TEST(Convert, ChecksItsOptionsWhateverTheValueIs) {
  EXPECT_EQ(unsaid(converted("1", R"("to":"int","format":"xml","onError":0)"),
                   {"format", "auto, base64, base64url, hex, utf8"}),
            "");
  EXPECT_EQ(unsaid(converted("1", R"("to":"int","format":5,"onError":0)"), {"format", "a string"}),
            "");
  EXPECT_EQ(unsaid(converted("1", R"("to":"int","byteOrder":"middle","onError":0)"),
                   {"byteOrder", "\"little\" or \"big\""}),
            "");
  EXPECT_EQ(unsaid(converted("1", R"("to":"int","byteOrder":1,"onError":0)"), {"byteOrder"}), "");
  EXPECT_EQ(converted("1", R"("to":"int","byteOrder":null,"format":null)"), "1");
}

TEST(Convert, KnowsSubtypesOfBinaryDataThatItCannotMake) {
  const auto with = [](const char* subtype) {
    return converted("1", R"("to":{"type":"binData","subtype":)" + std::string(subtype) + "}");
  };
  EXPECT_EQ(with("0"), R"({"$binary":{"base64":"AQAAAA==","subType":"00"}})");
  for (const char* known : {"4", "9", "128", "255"}) {
    EXPECT_EQ(unsaid(with(known), {"not supported here", "only 0"}), "") << known;
  }
  for (const char* unknown : {"10", "127", "256", "-1", "0.5", "\"0\""}) {
    EXPECT_EQ(unsaid(with(unknown), {"subtype is none"}), "") << unknown;
  }
}

TEST(Convert, OfBytesSaysHowManyItNeeds) {
  constexpr const char* kThree = R"({"$binary":{"base64":"AQID","subType":"00"}})";
  EXPECT_EQ(unsaid(converted(kThree, R"("to":"int")"), {"1, 2 or 4 bytes"}), "");
  EXPECT_EQ(unsaid(converted(kThree, R"("to":"long")"), {"1, 2, 4 or 8 bytes"}), "");
  EXPECT_EQ(unsaid(converted(kThree, R"("to":"double")"), {"4 or 8 bytes"}), "");
  EXPECT_EQ(unsaid(converted(kThree, R"("to":"string")"), {"format", "base64"}), "");
  EXPECT_EQ(unsaid(converted(kThree, R"("to":"string","format":"uuid")"), {"no UUID"}), "");
  EXPECT_EQ(unsaid(converted(kThree, R"("to":"date")"), {"binData", "to a date"}), "");
}

TEST(Convert, NumbersAndBytesAreTheSameThereAndBack) {
  const auto back = [](const std::string& number, const char* type, const char* order) {
    const std::string made =
        R"({"$convert":{"input":)" + number + R"(,"to":"binData","byteOrder":")" + order + "\"}}";
    return converted(made, R"("to":")" + std::string(type) + R"(","byteOrder":")" + order + "\"");
  };
  for (const char* order : {"little", "big"}) {
    EXPECT_EQ(back("-2", "int", order), "-2");
    EXPECT_EQ(back(long_of("-9223372036854775808"), "long", order), "-9223372036854775808");
    EXPECT_EQ(back("0.1", "double", order), "0.1");
    EXPECT_EQ(back("-0.0", "double", order), "-0.0");
  }
}

TEST(Convert, ReadsBase64OfItsOwnKindOnly) {
  EXPECT_EQ(converted(R"("+/8=")", R"("to":"binData","format":"base64")"),
            R"({"$binary":{"base64":"+/8=","subType":"00"}})");
  EXPECT_EQ(converted(R"("")", R"("to":"binData","format":"base64")"),
            R"({"$binary":{"base64":"","subType":"00"}})");
  for (const char* bad : {"-_8=", "+/8", "+/=8", "a===", "é==="}) {
    EXPECT_EQ(converted("\"" + std::string(bad) + "\"",
                        R"("to":"binData","format":"base64","onError":"bad")"),
              R"("bad")")
        << bad;
  }
  for (const char* bad : {"0", "0g", "é"}) {
    EXPECT_EQ(converted("\"" + std::string(bad) + "\"",
                        R"("to":"binData","format":"hex","onError":"bad")"),
              R"("bad")")
        << bad;
  }
}

}  // namespace
}  // namespace gantry::data::expr::convert_edges_test
