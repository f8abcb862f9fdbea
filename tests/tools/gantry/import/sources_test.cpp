// Files to rows: CSV, JSON, JSONL.
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <optional>
#include <random>

#include "files.hpp"
#include "write/convert.hpp"

namespace gantry::cli::importing::sources_test {
namespace {

// All rows as "number@line name=text …", refused ones as "number@line !reason", then the status.
std::string rows_of(const std::string& text, Format format, std::optional<char> delimiter = ',',
                    bool whole = false) {
  const Folder folder;
  auto input =
      Input::open(folder.write("f", text), [](std::uint64_t, std::uint64_t) { return true; });
  if (!input) return input.message();
  const auto source = open_source(*input, {format, delimiter, whole});
  std::string out;
  for (int turn = 0; turn < 2; ++turn) {  // the second must be the same
    std::string seen;
    const Status status = source->each([&](Row& row) {
      seen += std::to_string(row.number) + "@" + std::to_string(row.line);
      if (!row.reason.empty()) seen += " !" + row.reason;
      for (const Field& field : row.fields) {
        std::string value;
        append_cell_json(field.cell, value);
        if (row.reason.empty()) seen += " " + field.name + "=" + value;
      }
      if (whole) seen += " " + row.json;
      seen += "\n";
      return Status();
    });
    if (!status) {
      const std::string where = folder.at("f");
      seen += status.message().substr(status.message().find(where) == 0 ? where.size() : 0);
    }
    if (turn == 1) {
      EXPECT_EQ(seen, out);
    }
    out = seen;
  }
  return out;
}

std::string csv(const std::string& text, char delimiter = ',') {
  return rows_of(text, Format::csv, delimiter);
}
std::string json(const std::string& text) { return rows_of(text, Format::json); }
std::string jsonl(const std::string& text) { return rows_of(text, Format::jsonl); }

TEST(Csv, IsReadAsRfc4180HasIt) {
  EXPECT_EQ(csv("a,b\r\n1,\"x, \"\"y\"\"\r\nz\"\r\n , \r\n,\"\"\r\n"),
            "1@2 a=\"1\" b=\"x, \\\"y\\\"\\r\\nz\"\n"
            "2@4 a=\" \" b=\" \"\n"
            "3@5 a=null b=\"\"\n");
  EXPECT_EQ(csv("\xEF\xBB\xBF"
                "a\n1"),
            "1@2 a=\"1\"\n");
  EXPECT_EQ(csv("a;b\n1,5;2\n", ';'), "1@2 a=\"1,5\" b=\"2\"\n");
  EXPECT_EQ(csv("a\n\n\n1\n"), "1@4 a=\"1\"\n");
  EXPECT_EQ(csv("a,b\n"), "");
}

TEST(Csv, RowsOfAnotherLengthAndBytesAreRefusedAlone) {
  EXPECT_EQ(csv("a,b\n1\n1,2,3\n\xFF,1\n1,2\n"),
            "1@2 !has 1 values where the header has 2 columns\n"
            "2@3 !has 3 values where the header has 2 columns\n"
            "3@4 !a: is not UTF-8; see iconv(1)\n"
            "4@5 a=\"1\" b=\"2\"\n");
}

TEST(Csv, BrokenFilesNameTheLine) {
  EXPECT_EQ(csv("a,b\n1,2\n1,x\"y\n").substr(0, 39),
            "1@2 a=\"1\" b=\"2\"\n line 3: a quote stands");
  EXPECT_NE(csv("a\n1\n\"x\n\n\n").find(" line 3: the file ends within a quoted value"),
            std::string::npos);
  EXPECT_EQ(csv("a,a\n"), " line 1: the header names \"a\" twice");
  EXPECT_EQ(csv("a,\n"), " line 1: the header has a column without a name");
  EXPECT_EQ(csv("\n\n"), " has no header line");
}

TEST(Csv, AHeaderThatSeemsToHaveAnotherDelimiterIsRefusedUnlessItIsNamed) {
  EXPECT_NE(rows_of("a;b\n1;2\n", Format::csv, std::nullopt).find("--delimiter"),
            std::string::npos);
  EXPECT_NE(rows_of("a\tb\n1\t2\n", Format::csv, std::nullopt).find("--delimiter"),
            std::string::npos);
  EXPECT_EQ(rows_of("a;b\n1\n", Format::csv, ','), "1@2 a;b=\"1\"\n");
  EXPECT_EQ(rows_of("a,b;c\n1,2\n", Format::csv, std::nullopt), "1@2 a=\"1\" b;c=\"2\"\n");
}

TEST(Csv, RandomRowsAreReadBack) {
  std::mt19937 random(7);
  for (int turn = 0; turn < 200; ++turn) {
    std::string text = "h1,h2\r\n", expected;
    for (std::size_t row = 1; row <= 5; ++row) {
      expected += std::to_string(row) + " ";
      for (int column = 0; column < 2; ++column) {
        std::string value, quoted_value = "\"";
        for (auto left = random() % 6; left > 0; --left) value += "ab,\"\r\n ;\t'"[random() % 10];
        for (const char c : value) quoted_value.append(c == '"' ? 2 : 1, c);
        text += quoted_value + (column == 0 ? "\"," : "\"\r\n");
        Cell cell;
        cell.type = Cell::Type::text;
        cell.text = value;
        append_cell_json(cell, expected);
        expected += column == 0 ? " " : "\n";
      }
    }
    const Folder folder;
    auto input =
        Input::open(folder.write("f", text), [](std::uint64_t, std::uint64_t) { return true; });
    ASSERT_TRUE(input);
    std::string seen;
    const Status status = open_csv(*input, ',')->each([&](Row& row) {
      seen += std::to_string(row.number) + " ";
      append_cell_json(row.fields[0].cell, seen);
      seen += " ";
      append_cell_json(row.fields[1].cell, seen);
      seen += "\n";
      return Status();
    });
    ASSERT_TRUE(status) << status.message();
    ASSERT_EQ(seen, expected) << text;
  }
}

TEST(JsonFile, ArraysAndResultsHoldRows) {
  EXPECT_EQ(json(R"([{"a":1,"b":[1.0,{"c":12345678901234567890}]},
 {"a":null,"d":true,"e":"x"}])"),
            "1@1 a=1 b=[1.0,{\"c\":12345678901234567890}]\n2@2 a=null d=true e=\"x\"\n");
  EXPECT_EQ(json(R"({"count":1,"more":[{"x":1}],"results":[{"a":{}}]})"), "1@1 a={}\n");
  EXPECT_EQ(json("[]"), "");
  EXPECT_EQ(json(R"([1,{"a":1},[{"b":2}],"x"])"),
            "1@1 !is an integer, not an object\n2@1 a=1\n3@1 !is an array, not an object\n"
            "4@1 !is text, not an object\n");
  EXPECT_EQ(json(R"([{"d":{"__type":"Date","iso":"1970-01-01T00:00:00.000Z"}}])"),
            "1@1 d={\"__type\":\"Date\",\"iso\":\"1970-01-01T00:00:00.000Z\"}\n");
}

TEST(JsonFile, BrokenOnesNameTheLine) {
  EXPECT_EQ(json("[{\"a\":1},\n{\"a\":}]").substr(0, 30), "1@1 a=1\n line 2: this is not J");
  EXPECT_NE(json("[{\"a\":1}").find("not JSON"), std::string::npos);
  EXPECT_NE(json("{\"a\":1}\n{\"a\":2}").find("--format jsonl"), std::string::npos);
  EXPECT_NE(json("{\"a\":1}").find("without \"results\""), std::string::npos);
  EXPECT_NE(json("7").find("not an integer"), std::string::npos);
  EXPECT_NE(json("[{\"a\":\"\xFF\"}]").find("not UTF-8"), std::string::npos);
  EXPECT_NE(json("[{\"a\":1e400}]").find("too large for 64 bits"), std::string::npos);
  EXPECT_NE(json("  ").find("nothing but white space"), std::string::npos);
  EXPECT_TRUE(json(std::string(100'000, '[')).ends_with("values are nested more than 200 deep"));
  EXPECT_EQ(json("[{\"a\":" + std::string(100'000, '[')),
            " line 1: values are nested more than 200 deep");
}

TEST(JsonLines, ABrokenLineIsOneRefusedRow) {
  EXPECT_EQ(jsonl("{\"a\":1}\r\n\n{\"a\":\n[1]\n7\n{\"a\":2} x\n{\"a\":3}").substr(0, 20),
            "1@1 a=1\n2@3 !this is");
  const std::string all = jsonl("{\"a\":1}\r\n\n{\"a\":\n[1]\n7\n{\"a\":2} x\n{\"a\":3}");
  EXPECT_NE(all.find("3@4 !is an array, not an object\n4@5 !is an integer, not an object\n5@6 !"),
            std::string::npos)
      << all;
  EXPECT_TRUE(all.ends_with("6@7 a=3\n")) << all;
}

TEST(JsonLines, WholeObjectsKeepTheirText) {
  EXPECT_EQ(rows_of("{\"a\": 1.50, \"b\": [ {\"c\": \"é\\n\"} ]}", Format::jsonl, ',', true),
            "1@1 a=null b=null {\"a\":1.50,\"b\":[{\"c\":\"é\\n\"}]}\n");
  EXPECT_NE(
      rows_of("{\"a\":[99999999999999999999]}", Format::jsonl, ',', true).find("beyond 64 bits"),
      std::string::npos);
}

TEST(Sources, NothingIsHiddenBehindANulByte) {
  EXPECT_NE(json(std::string("[{\"a\":1}]\0 x", 12)).find("NUL byte"), std::string::npos);
  EXPECT_NE(jsonl(std::string("{\"a\":1}\0 x\n", 11)).find("1@1 !there is a NUL byte"),
            std::string::npos);
}

TEST(Sources, SurviveFilesThatEndAnywhere) {
  const std::string text =
      R"([{"a":1.5e3,"b":"é\u00e9\\","c":[{"__type":"Date","iso":"x"}],"d":{"$oid":"1"}},null,[[]],{}])";
  for (std::size_t size = 1; size < text.size(); ++size) {
    for (const Format format : {Format::json, Format::jsonl, Format::csv}) {
      rows_of(text.substr(0, size), format);
      rows_of(text.substr(size), format);
    }
  }
}

TEST(Inputs, ThatAreNotTextAreRefused) {
  EXPECT_NE(csv(std::string("\xFF\xFE"
                            "a\0",
                            4))
                .find("UTF-16"),
            std::string::npos);
  EXPECT_NE(csv("").find("is empty"), std::string::npos);
  const auto open = [](const std::string& path) {
    return Input::open(path, [](std::uint64_t, std::uint64_t) { return true; }).message();
  };
  EXPECT_NE(open("/nowhere/x").find("No such file"), std::string::npos);
  EXPECT_NE(open("/tmp").find("no plain file"), std::string::npos);
  const Folder folder;  // a named pipe without a writer would be waited for
  ASSERT_EQ(::mkfifo(folder.at("pipe").c_str(), 0600), 0);
  EXPECT_NE(open(folder.at("pipe")).find("no plain file"), std::string::npos);
}

}  // namespace
}  // namespace gantry::cli::importing::sources_test
