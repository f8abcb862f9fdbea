// /exports/ID: ranges, names, and parts that are read when the ones before have left.
#include "host/base/json.hpp"
#include "host/http/endpoint/byte_range.hpp"
#include "host/http/endpoint/disposition.hpp"
#include "tests/host/http/endpoint/fixture.hpp"

namespace gantry::host::http::exports_test {
namespace {

TEST(ByteRanges, AreReadAsTheStandardSays) {
  using Kind = ByteRange::Kind;
  struct Case {
    std::string_view header;
    Kind kind;
    std::uint64_t first, end;
  };
  for (const Case& one : std::initializer_list<Case>{
           {"", Kind::whole, 0, 10},
           {"bytes=0-3", Kind::part, 0, 4},
           {"BYTES=9-", Kind::part, 9, 10},
           {"bytes=3-99999999999999999999999", Kind::part, 3, 10},
           {"bytes=-4", Kind::part, 6, 10},
           {"bytes=-99", Kind::part, 0, 10},
           {"bytes=-0", Kind::beyond, 0, 0},
           {"bytes=10-", Kind::beyond, 0, 0},
           {"bytes=99999999999999999999999-", Kind::beyond, 0, 0},
           {"bytes=5-4", Kind::whole, 0, 10},
           {"bytes=0-1,3-4", Kind::whole, 0, 10},
           {"bytes=", Kind::whole, 0, 10},
           {"bytes=-", Kind::whole, 0, 10},
           {"bytes=+1-2", Kind::whole, 0, 10},
           {"bytes=x-2", Kind::whole, 0, 10},
           {"rows=0-1", Kind::whole, 0, 10},
       }) {
    const ByteRange range = byte_range(one.header, 10);
    EXPECT_EQ(range.kind, one.kind) << one.header;
    EXPECT_EQ(range.first, one.first) << one.header;
    EXPECT_EQ(range.end, one.end) << one.header;
  }
  EXPECT_EQ(byte_range("bytes=0-", 0).kind, Kind::beyond);
  EXPECT_EQ(byte_range("bytes=-1", 0).kind, Kind::beyond);
}

TEST(Dispositions, SayTheNameSafely) {
  const auto attachment = [](const std::string& rest) { return "attachment; filename=" + rest; };
  EXPECT_EQ(disposition("people.csv"), attachment("\"people.csv\""));
  EXPECT_EQ(disposition("a b.csv"), attachment("\"a b.csv\""));
  EXPECT_EQ(disposition("a\"b\\c\r\nX: 1.csv"), attachment("\"a_b_c__X_ 1.csv\""));
  EXPECT_EQ(disposition("../../etc/passwd"), attachment("\"_._.._etc_passwd\""));
  EXPECT_EQ(disposition("Größe €.csv"),
            attachment("\"Gr__e _.csv\"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%E2%82%AC.csv"));
  EXPECT_EQ(disposition(""), attachment("\"download\""));
  EXPECT_EQ(disposition("\xff\xfe"), attachment("\"download\""));
  EXPECT_EQ(disposition(std::string(500, 'a')), attachment("\"" + std::string(200, 'a') + "\""));
  EXPECT_EQ(disposition(std::string(199, 'a') + "é"),
            attachment("\"" + std::string(199, 'a') + "\""));
}

// A plugin with one export "e1", of the three parts below; "busy" and "broken" fail.
struct ExportsTest : EndpointTest {
  ExportsTest() {
    ItemSpec spec;
    spec.kind = "resource_template";
    spec.name = "part";
    spec.uri = "export://{id}/{part}";
    world.publish({spec});
    world.calls.handler = [this](const ItemCall& call, CallListener&) {
      return answer(std::string(call.name));
    };
  }

  // What waits for a client holds its exchange.
  ~ExportsTest() override {
    for (const auto& exchange : sent) exchange->drained = nullptr;
  }

  static ItemAnswer error(std::string code) {
    ItemAnswer out;
    out.kind = ItemAnswer::Kind::error;
    out.error_code = std::move(code);
    return out;
  }
  std::optional<ItemAnswer> answer(const std::string& uri) {
    ItemAnswer out;
    if (uri == "export://busy/about") {
      out.kind = ItemAnswer::Kind::busy;
      return out;
    }
    if (uri == "export://broken/about") return error("internal_error");
    if (uri == "export://other/about") return error("access_denied");
    const std::string part = uri.starts_with("export://e1/") ? uri.substr(12) : "";
    if (part == "2" && hangs) return std::nullopt;
    if (part == "3" && fails) return error("not_found");
    if (part == "about") return contents("text", about);
    if (part == "1") return contents("text", "0123");
    if (part == "2") return contents("blob", "NDU2");  // 456
    if (part == "3") return contents("text", "789");
    return error("not_found");
  }
  static ItemAnswer contents(const std::string& member, const std::string& body) {
    ItemAnswer out;
    out.structured = R"({"contents":[{")" + member + "\":" + json_string(body) + "}]}";
    return out;
  }

  // The client takes what waits for it.
  static void take(const ExchangePtr& answer) { std::exchange(answer->drained, nullptr)(); }

  ExchangePtr get(const std::string& id, Fields fields = {}, std::string_view method = "GET") {
    fields.emplace_back("host", "127.0.0.1:1");
    sent.push_back(send(method, "/exports/" + id, fields));
    return sent.back();
  }
  // Lets the client take everything, as often as it is waited for.
  static void drain(const ExchangePtr& exchange) {
    while (exchange->drained) std::exchange(exchange->drained, nullptr)();
  }
  std::size_t reads() const { return world.calls.seen.size(); }

  std::string about = R"({"bytes":10,"starts":[0,4,7],"mime_type":"text/csv","name":"people.csv"})";
  bool hangs = false, fails = false;
  std::vector<ExchangePtr> sent;
};

TEST_F(ExportsTest, AreSentWholeWithTheHeadersOfAFile) {
  start();
  const auto answer = get("e1");
  drain(answer);
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->content_type, "text/csv; charset=utf-8");
  EXPECT_EQ(answer->promised, 10u);
  EXPECT_EQ(answer->body, "0123456789");
  EXPECT_TRUE(answer->closed);
  EXPECT_EQ(answer->headers["Content-Disposition"], "attachment; filename=\"people.csv\"");
  EXPECT_EQ(answer->headers["Cache-Control"], "no-store");
  EXPECT_EQ(answer->headers["X-Content-Type-Options"], "nosniff");
  EXPECT_EQ(answer->headers["Accept-Ranges"], "bytes");
  EXPECT_EQ(answer->headers["ETag"], "\"e1\"");
  EXPECT_EQ(answer->headers.count("Content-Range"), 0u);
  EXPECT_EQ(endpoint->request_streams(), 0);
}

TEST_F(ExportsTest, AreReadPartByPartAsTheClientTakesThem) {
  start();
  connection = 5;
  const auto answer = get("e1");
  EXPECT_EQ(answer->body, "0123");
  EXPECT_EQ(reads(), 2u);
  for (const auto& read : world.calls.seen) {
    EXPECT_EQ(read.party, "127.0.0.1");
    EXPECT_EQ(read.client, 5u);
  }
  answer->stuck = 1;
  std::exchange(answer->drained, nullptr)();
  EXPECT_EQ(reads(), 2u);  // it waits for more room
  answer->stuck = 0;
  std::exchange(answer->drained, nullptr)();
  EXPECT_EQ(answer->body, "0123456");
  EXPECT_EQ(endpoint->request_streams(), 1);
  answer->drained = nullptr;  // the client has gone
  EXPECT_EQ(endpoint->request_streams(), 0);
}

TEST_F(ExportsTest, InRangesReadOnlyThePartsTheyNeed) {
  start();
  for (const auto& [range, first, text, parts] :
       std::vector<std::tuple<std::string, std::string, std::string, std::size_t>>{
           {"bytes=0-3", "0-3", "0123", 1},
           {"bytes=5-5", "5-5", "5", 1},
           {"bytes=3-7", "3-7", "34567", 3},
           {"bytes=-3", "7-9", "789", 1},
           {"bytes=4-", "4-9", "456789", 2}}) {
    const auto before = reads();
    const auto answer = get("e1", {{"range", range}});
    drain(answer);
    EXPECT_EQ(answer->status, 206) << range;
    EXPECT_EQ(answer->promised, text.size()) << range;
    EXPECT_EQ(answer->body, text) << range;
    EXPECT_EQ(answer->headers["Content-Range"], "bytes " + first + "/10");
    EXPECT_EQ(reads() - before, 1 + parts) << range;
  }
  const auto beyond = get("e1", {{"range", "bytes=10-"}});
  EXPECT_EQ(beyond->status, 416);
  EXPECT_EQ(beyond->headers["Content-Range"], "bytes */10");
  const auto other = get("e1", {{"range", "bytes=0-1"}, {"if-range", "\"e2\""}});
  EXPECT_EQ(other->status, 200);
  EXPECT_EQ(get("e1", {{"range", "bytes=0-1"}, {"if-range", "\"e1\""}})->status, 206);
}

TEST_F(ExportsTest, AreNotSentAgainToClientsThatHaveThem) {
  start();
  for (const std::string tags : {R"("e1")", R"(W/"e1")", "*", R"("e0" , "e1")"}) {
    const auto known = get("e1", {{"if-none-match", tags}, {"range", "bytes=0-1"}});
    EXPECT_EQ(known->status, 304) << tags;
    EXPECT_EQ(known->body, "");
    EXPECT_EQ(known->headers["ETag"], "\"e1\"");
    EXPECT_EQ(known->headers.count("Content-Range"), 0u);
  }
  for (const Header& other : {Header{"if-none-match", R"("e2")"}, {"if-match", R"("e2", "e1")"}}) {
    const auto whole = get("e1", {{std::string(other.name), std::string(other.value)}});
    drain(whole);
    EXPECT_EQ(whole->body, "0123456789") << other.name;
  }
  EXPECT_EQ(get("e1", {{"if-match", "*"}, {"if-none-match", "\"e1\""}})->status, 304);
  for (const std::string tags : {R"("e2")", R"(W/"e1")", ""}) {
    const auto other = get("e1", {{"if-match", tags}});
    EXPECT_EQ(other->status, 412) << tags;
    EXPECT_NE(other->body.find("\\\"e1\\\""), std::string::npos) << other->body;
  }
  EXPECT_EQ(endpoint->request_streams(), 0);
}

TEST_F(ExportsTest, ThatAreNotThereAreAllTheSame) {
  start();
  const auto missing = get("nowhere");
  EXPECT_EQ(missing->status, 404);
  for (const auto id : {"other", "", "a/b", "..", "%65%31", "e1/1", "e1/about"}) {
    const auto answer = get(id);
    EXPECT_EQ(answer->status, 404) << id;
    EXPECT_EQ(answer->body, missing->body) << id;
    EXPECT_EQ(answer->headers, missing->headers) << id;
  }
  EXPECT_EQ(get("busy")->status, 503);
  EXPECT_EQ(get("broken")->status, 500);
  world.publish({});
  EXPECT_EQ(get("e1")->body, missing->body);
}

TEST_F(ExportsTest, AreBehindTheGuardTheCredentialAndTheBoundOnStreams) {
  start({.guard = {.require_header = "X-Team: blue"}, .streams = {.requests = 1}});
  EXPECT_EQ(get("e1")->status, 403);
  const Fields good{{"x-team", "blue"}};
  EXPECT_EQ(get("e1", {{"x-team", "blue"}, {"origin", "https://evil.example"}})->status, 403);
  hangs = true;
  auto first = get("e1", good);
  std::exchange(first->drained, nullptr)();
  const auto second = get("e1", good);
  EXPECT_EQ(second->status, 503);
  EXPECT_EQ(second->headers["Retry-After"], "1");
  first->gone();
  EXPECT_EQ(world.calls.open.front()->reasons.size(), 1u);
  EXPECT_EQ(endpoint->request_streams(), 0);
  EXPECT_EQ(get("e1", good, "POST")->status, 405);
  EXPECT_EQ(get("e1", good, "DELETE")->headers["Allow"], "GET, HEAD");
  EXPECT_EQ(send("GET", "/exports/e1", {{"x-team", "blue"}}, "", Cause::stopping)->status, 503);
  protect();
  const auto before = reads();
  EXPECT_EQ(get("e1", good)->status, 401);
  EXPECT_EQ(reads(), before);
}

TEST_F(ExportsTest, AreCutWhereAPartCannotBeHad) {
  start();
  fails = true;
  const auto answer = get("e1");
  drain(answer);
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->body, "0123456");
  EXPECT_TRUE(answer->closed);
  fails = false;
  about = R"({"bytes":11,"starts":[0,4,7]})";
  const auto longer = get("e1");
  drain(longer);
  EXPECT_EQ(longer->promised, 11u);
  EXPECT_EQ(longer->content_type, "application/octet-stream");
  EXPECT_EQ(longer->body, "0123456");
  EXPECT_TRUE(longer->closed);
  for (const auto odd : {R"({"bytes":10})", R"({"bytes":10,"starts":[]})", "[]", "{",
                         R"({"bytes":10,"starts":[0,11]})", R"({"bytes":10,"starts":[0,7,4]})",
                         R"({"bytes":10,"starts":[1]})", R"({"bytes":-1,"starts":[0]})"}) {
    about = odd;
    EXPECT_EQ(get("e1")->status, 500) << odd;
  }
}

TEST_F(ExportsTest, MayBeReadByPagesThatMayUseTheServer) {
  start();
  const auto preflight = get("e1", {{"origin", "http://localhost:3000"}}, "OPTIONS");
  EXPECT_EQ(preflight->status, 204);
  EXPECT_NE(preflight->headers["Access-Control-Allow-Headers"].find("Range"), std::string::npos);
  const auto page = get("e1", {{"origin", "http://localhost:3000"}});
  EXPECT_EQ(page->headers["Access-Control-Allow-Origin"], "http://localhost:3000");
  EXPECT_NE(page->headers["Access-Control-Expose-Headers"].find("Content-Disposition"),
            std::string::npos);
}

TEST_F(ExportsTest, AreCutWhenTheRightToReadThemIsWithdrawn) {
  protect();
  start();
  const Fields bearer{{"authorization", "Bearer s3cret"}};
  const auto staying = get("e1", bearer), ending = get("e1", bearer);
  ASSERT_TRUE(ending->drained);
  endpoint->take_agents({.withdrawn = {"another"}});
  take(staying);
  EXPECT_FALSE(staying->closed);
  endpoint->take_agents({.withdrawn = {auth.table()->principals().front()->name}});
  const std::string before = ending->body;
  take(ending);
  EXPECT_TRUE(ending->closed);
  EXPECT_EQ(ending->body, before);
}

}  // namespace
}  // namespace gantry::host::http::exports_test
