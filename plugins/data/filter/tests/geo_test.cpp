#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "filter/geo/near.hpp"
#include "filter/tests/filter.hpp"

namespace gantry::data::filter::geo_test {
namespace {

std::string within(std::string_view rings) {
  return R"({"p":{"$geoWithin":{"$geometry":{"type":"Polygon","coordinates":)" +
         std::string(rings) + "}}}}";
}
std::string meets(std::string_view type, std::string_view coordinates) {
  return R"({"p":{"$geoIntersects":{"$geometry":{"type":")" + std::string(type) +
         R"(","coordinates":)" + std::string(coordinates) + "}}}}";
}
std::string stored(std::string_view type, std::string_view coordinates) {
  return R"({"p":{"type":")" + std::string(type) + R"(","coordinates":)" +
         std::string(coordinates) + "}}";
}
const char* const kSquare = "[[[0,0],[10,0],[10,10],[0,10],[0,0]]]";

TEST(GeoWithin, AShapeWithoutRegardToItsDirection) {
  EXPECT_TRUE(passes(within(kSquare), R"({"p":[5,5]})"));
  EXPECT_TRUE(passes(within("[[[0,0],[0,10],[10,10],[10,0],[0,0]]]"), R"({"p":{"x":5,"y":5}})"));
  EXPECT_FALSE(passes(within(kSquare), R"({"p":[15,5]})"));
  EXPECT_TRUE(passes(within(kSquare), R"({"p":[10,10]})"));
  EXPECT_FALSE(passes(within(kSquare), R"({"p":"here"})"));
}

TEST(GeoWithin, EdgesAreShortestWays) {
  // The great circle from 60 W to 60 E along 60 N passes near the pole.
  const std::string wide = within("[[[-60,0],[60,0],[60,60],[-60,60],[-60,0]]]");
  EXPECT_TRUE(passes(wide, R"({"p":[0,70]})"));
  EXPECT_FALSE(passes(wide, R"({"p":[0,75]})"));
  EXPECT_TRUE(
      passes(within("[[[178,-2],[-178,-2],[-178,2],[178,2],[178,-2]]]"), R"({"p":[180,0]})"));
}

TEST(GeoWithin, LeavesHolesOut) {
  const std::string holed =
      within("[[[0,0],[10,0],[10,10],[0,10],[0,0]],[[4,4],[6,4],[6,6],[4,6],[4,4]]]");
  EXPECT_FALSE(passes(holed, R"({"p":[5,5]})"));
  EXPECT_TRUE(passes(holed, R"({"p":[2,2]})"));
  EXPECT_FALSE(passes(holed, stored("Polygon", "[[[1,1],[9,1],[9,9],[1,9],[1,1]]]")));
}

TEST(GeoWithin, WantsAllOfAShape) {
  EXPECT_TRUE(passes(within(kSquare), stored("LineString", "[[1,1],[9,9]]")));
  EXPECT_FALSE(passes(within(kSquare), stored("LineString", "[[1,1],[11,11]]")));
  EXPECT_TRUE(passes(within(kSquare), stored("Polygon", kSquare)));
  EXPECT_FALSE(passes(within(kSquare), stored("MultiPoint", "[[1,1],[20,20]]")));
  EXPECT_TRUE(passes(within(kSquare), R"({"p":[[1,1],[20,20]]})"));  // one of two places
}

TEST(GeoWithin, FlatShapesTakePointsOnly) {
  EXPECT_TRUE(passes(R"({"p":{"$geoWithin":{"$box":[[10,10],[0,0]]}}})", R"({"p":[0,10]})"));
  EXPECT_TRUE(passes(R"({"p":{"$within":{"$center":[[500,500],5]}}})", R"({"p":[503,504]})"));
  EXPECT_FALSE(passes(R"({"p":{"$geoWithin":{"$center":[[0,0],5]}}})", R"({"p":[4,4]})"));
  EXPECT_TRUE(passes(R"({"p":{"$geoWithin":{"$polygon":[[0,0],[4,8],[8,0]]}}})", R"({"p":[4,4]})"));
  EXPECT_FALSE(
      passes(R"({"p":{"$geoWithin":{"$polygon":[[0,0],[4,8],[8,0]]}}})", R"({"p":[1,4]})"));
  EXPECT_FALSE(passes(R"({"p":{"$geoWithin":{"$box":[[0,0],[9,9]]}}})",
                      stored("LineString", "[[1,1],[2,2]]")));
}

TEST(GeoWithin, FlatPolygonsHaveTheEdgesThatMongoDbGivesThem) {
  const char* triangle = R"({"p":{"$geoWithin":{"$polygon":[[0,0],[4,8],[8,0]]}}})";
  for (const char* inside : {"[0,0]", "[4,8]", "[8,0]", "[3,0]", "[6,4]"}) {
    EXPECT_TRUE(passes(triangle, R"({"p":)" + std::string(inside) + "}")) << inside;
  }
  EXPECT_FALSE(passes(triangle, R"({"p":[2,4]})"));
  EXPECT_FALSE(passes(triangle, R"({"p":[9,0]})"));
  const char* square = R"({"p":{"$geoWithin":{"$polygon":[[0,0],[0,4],[4,4],[4,0]]}}})";
  for (const char* inside : {"[0,2]", "[4,2]", "[2,0]", "[2,4]"}) {
    EXPECT_TRUE(passes(square, R"({"p":)" + std::string(inside) + "}")) << inside;
  }
}

TEST(GeoWithin, ACircleReachesItsRadiusAlongTheAxes) {
  const char* circle = R"({"p":{"$geoWithin":{"$center":[[51.9999,51.9999],0.0001]}}})";
  EXPECT_TRUE(passes(circle, R"({"p":[52,51.9999]})"));
  EXPECT_TRUE(passes(circle, R"({"p":[51.9999,52]})"));
  EXPECT_FALSE(passes(circle, R"({"p":[52.000001,51.9999]})"));
  EXPECT_FALSE(passes(circle, R"({"p":[52,52]})"));
}

TEST(GeoWithin, FlatPolygonsMayCrossThemselves) {
  const char* bow = R"({"p":{"$geoWithin":{"$polygon":[[0,0],[4,4],[4,0],[0,4]]}}})";
  EXPECT_TRUE(passes(bow, R"({"p":[1,2]})"));
  EXPECT_TRUE(passes(bow, R"({"p":[3,2]})"));
  EXPECT_FALSE(passes(bow, R"({"p":[2,1]})"));
  EXPECT_FALSE(passes(bow, R"({"p":[2,3]})"));
}

TEST(GeoWithin, RingsNeitherCrossNorMeetThemselves) {
  EXPECT_NE(refusal(within("[[[0,0],[4,4],[4,0],[0,4],[0,0]]]")), "");
  EXPECT_NE(refusal(within("[[[0,0],[2,2],[4,0],[4,4],[2,2],[0,4],[0,0]]]")), "");
  EXPECT_EQ(refusal(within("[[[0,0],[0,0],[4,0],[4,0],[0,4],[0,0]]]")), "");
  // A stored one is no place.
  const char* near_it =
      R"({"p":{"$geoIntersects":{"$geometry":{"type":"Point","coordinates":[1,2]}}}})";
  EXPECT_FALSE(passes(near_it, stored("Polygon", "[[[0,0],[4,4],[4,0],[0,4],[0,0]]]")));
}

TEST(GeoWithin, HolesLieApart) {
  const auto holed = [](const std::string& holes) {
    return refusal(within("[[[0,0],[10,0],[10,10],[0,10],[0,0]]," + holes + "]"));
  };
  const std::string hole = "[[2,2],[4,2],[4,4],[2,4],[2,2]]";
  EXPECT_EQ(holed(hole + ",[[6,6],[8,6],[8,8],[6,8],[6,6]]"), "");
  EXPECT_EQ(holed(hole + ",[[4,4],[6,4],[6,6],[4,6],[4,4]]"), "") << "they touch in a corner";
  EXPECT_EQ(holed("[[0,0],[4,2],[2,4],[0,0]]"), "") << "it touches a corner of the polygon";
  EXPECT_NE(holed(hole + ",[[3,3],[6,3],[6,6],[3,6],[3,3]]"), "") << "they cross";
  EXPECT_NE(holed(hole + ",[[2.5,2.5],[3,2.5],[3,3],[2.5,3],[2.5,2.5]]"), "") << "one in another";
  EXPECT_NE(holed(hole + ",[[4,2],[6,2],[6,4],[4,4],[4,2]]"), "") << "they share an edge";
  EXPECT_NE(holed("[[0,0],[10,0],[5,5],[0,0]]"), "") << "it shares an edge of the polygon";
}

TEST(GeoWithin, ABorderBelongsToItsPolygon) {
  for (const char* place : {"[0,5]", "[5,0]", "[10,5]", "[0,0]", "[10,10]"}) {
    EXPECT_TRUE(passes(within(kSquare), R"({"p":)" + std::string(place) + "}")) << place;
  }
}

TEST(GeoWithin, ACapGoesAroundTheSphere) {
  const char* cap = R"({"p":{"$geoWithin":{"$centerSphere":[[180,0],0.02]}}})";
  EXPECT_TRUE(passes(cap, R"({"p":[-179,0]})"));
  EXPECT_FALSE(passes(cap, R"({"p":[-178,0]})"));
  const char* most = R"({"p":{"$geoWithin":{"$centerSphere":[[0,0],3]}}})";
  EXPECT_TRUE(passes(most, R"({"p":[90,0]})"));
  EXPECT_FALSE(passes(most, R"({"p":[179,0]})"));
}

TEST(GeoIntersects, PolygonsThatOnlyTouchDoNot) {
  EXPECT_FALSE(passes(meets("Polygon", kSquare),
                      stored("Polygon", "[[[10,0],[20,0],[20,10],[10,10],[10,0]]]")));
  EXPECT_TRUE(passes(meets("Polygon", kSquare), stored("Polygon", kSquare)));
  EXPECT_TRUE(passes(meets("Polygon", kSquare),
                     stored("Polygon", "[[[9,9],[20,9],[20,20],[9,20],[9,9]]]")));
  EXPECT_TRUE(
      passes(meets("Polygon", "[[[4,4],[6,4],[6,6],[4,6],[4,4]]]"), stored("Polygon", kSquare)));
}

TEST(GeoIntersects, LinesAndPoints) {
  EXPECT_TRUE(
      passes(meets("LineString", "[[-1,1],[1,-1]]"), stored("LineString", "[[-1,-1],[1,1]]")));
  EXPECT_FALSE(passes(meets("LineString", "[[0,2],[1,2]]"), stored("LineString", "[[0,0],[1,0]]")));
  EXPECT_TRUE(passes(meets("LineString", "[[-1,0],[1,0]]"), stored("Point", "[0,0]")));
  EXPECT_TRUE(passes(meets("LineString", "[[5,-5],[5,15]]"), stored("Polygon", kSquare)));
}

TEST(Geo, RefusesInvalidShapes) {
  EXPECT_NE(refusal(within("[[[0,0],[2,2],[2,0],[0,2],[0,0]]]")).find("cross"), std::string::npos);
  EXPECT_NE(refusal(within("[[[0,0],[1,0],[1,1],[0,1]]]")).find("ends"), std::string::npos);
  EXPECT_NE(refusal(within("[[[0,0],[200,0],[1,1],[0,0]]]")).find("longitude"), std::string::npos);
  EXPECT_NE(refusal(within("[[[0,0],[180,0],[90,80],[0,0]]]")).find("opposite"), std::string::npos);
  EXPECT_NE(refusal(meets("Circle", "[0,0]")).find("type"), std::string::npos);
  EXPECT_NE(refusal(R"({"p":{"$geoWithin":{"$box":[[0,0]]}}})"), "");
  EXPECT_NE(refusal(R"({"p":{"$geoWithin":{"$box":[[0,0],[1,1]]},"$exists":true}})"), "");
  EXPECT_NE(refusal(R"({"p":{"$geoWithin":{"$center":[[0,0],-1]}}})"), "");
}

TEST(Near, MeasuresInMetresRadiansOrThePairsUnit) {
  const auto far = [](std::string_view filter, std::string_view document) {
    return near_of(json(filter))->distance(json(document)).value_or(-1);
  };
  const char* one_degree = R"({"p":[1,0]})";
  EXPECT_NEAR(
      far(R"({"p":{"$near":{"$geometry":{"type":"Point","coordinates":[0,0]}}}})", one_degree),
      111318.845, 0.01);
  EXPECT_NEAR(far(R"({"p":{"$nearSphere":[0,0]}})", one_degree), 0.0174532925, 1e-9);
  EXPECT_EQ(far(R"({"$and":[{"p":{"$near":[1,4]}}]})", R"({"p":[[9,9],[1,0]]})"), 4);
  EXPECT_EQ(far(R"({"p":{"$near":[0,0]}})", R"({"p":null})"), -1);
  EXPECT_EQ(near_of(json(R"({"p":1})")), nullptr);
}

TEST(Near, KeepsWithinItsDistances) {
  const char* ring = R"({"p":{"$near":[0,0],"$minDistance":2,"$maxDistance":5}})";
  EXPECT_TRUE(passes(ring, R"({"p":[3,4]})"));
  EXPECT_FALSE(passes(ring, R"({"p":[1,1]})"));
  EXPECT_FALSE(passes(ring, R"({"p":[4,4]})"));
  EXPECT_FALSE(passes(ring, R"({})"));
}

TEST(Near, KeepsTheLeastDistanceHoweverSmall) {
  for (const char* least : {"0.0005", "5e-7", "1e-12"}) {
    const std::string far =
        R"({"p":{"$near":{"$geometry":{"type":"Point","coordinates":[0,0]},"$minDistance":)" +
        std::string(least) + "}}}";
    EXPECT_FALSE(passes(far, R"({"p":[0,0]})")) << least;
    EXPECT_TRUE(passes(far, R"({"p":[1e-8,0]})")) << least;  // about a millimetre
  }
  const char* radians = R"({"p":{"$nearSphere":[0,0],"$minDistance":1e-14}})";
  EXPECT_FALSE(passes(radians, R"({"p":[0,0]})"));
  EXPECT_TRUE(passes(radians, R"({"p":[1e-8,0]})"));
}

TEST(Near, KnowsParsesPointsAndDistances) {
  const char* near = R"({"p":{"$nearSphere":{"__type":"GeoPoint","latitude":0,"longitude":0},
                         "$maxDistanceInKilometers":120}})";
  EXPECT_TRUE(passes(near, R"({"p":{"__type":"GeoPoint","latitude":1,"longitude":0}})"));
  EXPECT_FALSE(passes(near, R"({"p":{"__type":"GeoPoint","latitude":2,"longitude":0}})"));
  const char* box = R"({"p":{"$within":{"$box":[{"__type":"GeoPoint","latitude":0,"longitude":10},
                        {"__type":"GeoPoint","latitude":1,"longitude":20}]}}})";
  EXPECT_TRUE(passes(box, R"({"p":{"__type":"GeoPoint","latitude":0.5,"longitude":15}})"));
  EXPECT_FALSE(passes(box, R"({"p":{"__type":"GeoPoint","latitude":15,"longitude":0.5}})"));
}

TEST(Near, StandsOnceAtTheTop) {
  EXPECT_NE(refusal(R"({"$or":[{"p":{"$near":[0,0]}}]})"), "");
  EXPECT_NE(refusal(R"({"p":{"$near":[0,0]},"q":{"$near":[0,0]}})"), "");
  EXPECT_NE(refusal(R"({"p":{"$not":{"$near":[0,0]}}})"), "");
  EXPECT_NE(refusal(R"({"p":{"$maxDistance":5}})"), "");
  EXPECT_NE(refusal(R"({"p":{"$near":[0,0],"$maxDistance":-5}})"), "");
  EXPECT_NE(refusal(R"({"p":{"$nearSphere":[0,100]}})"), "");
}

}  // namespace
}  // namespace gantry::data::filter::geo_test
