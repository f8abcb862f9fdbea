#include "pipeline/provenance.hpp"

#include <gtest/gtest.h>

#include "pipeline/tests/pipelines.hpp"

namespace gantry::data::pipeline::tests::provenance_test {
namespace {

Shape after(std::string_view pipeline) { return shapes_after(parse(pipeline)).back(); }

TEST(Provenance, TellsMadeFieldsFromStoredOnes) {
  const Shape shape = after("[{'$match':{}},{'$set':{'m':'$a','a.x':1}}]");
  EXPECT_EQ(shape.origin_of("m"), Origin::made);
  EXPECT_EQ(shape.origin_of("m.y"), Origin::made);
  EXPECT_EQ(shape.origin_of("a"), Origin::of_class);
  EXPECT_EQ(shape.origin_of("a.x"), Origin::made);
  EXPECT_EQ(shape.origin_of("a.y"), Origin::of_class);
  EXPECT_EQ(shape.origin_of("other"), Origin::of_class);
}

TEST(Provenance, TakesAnOverwrittenFieldForMade) {
  EXPECT_EQ(after("[{'$set':{'a':1}}]").origin_of("a"), Origin::made);
  EXPECT_EQ(after("[{'$lookup':{'from':'f','localField':'k','foreignField':'k','as':'a'}}]")
                .origin_of("a.b"),
            Origin::made);
}

TEST(Provenance, KnowsTheFieldsThatAProjectionKeeps) {
  const Shape kept = after("[{'$project':{'a.b':1,'c':'$d'}}]");
  EXPECT_EQ(kept.origin_of("_id"), Origin::of_class);
  EXPECT_EQ(kept.origin_of("a"), Origin::of_class);
  EXPECT_EQ(kept.origin_of("a.b.z"), Origin::of_class);
  EXPECT_EQ(kept.origin_of("a.c"), Origin::none);
  EXPECT_EQ(kept.origin_of("c"), Origin::made);
  EXPECT_EQ(kept.origin_of("d"), Origin::none);
  EXPECT_FALSE(kept.has_class_fields());
  const Shape left = after("[{'$project':{'a':0,'_id':0}},{'$unset':'b.c'}]");
  EXPECT_EQ(left.origin_of("a.x"), Origin::none);
  EXPECT_EQ(left.origin_of("_id"), Origin::none);
  EXPECT_EQ(left.origin_of("b.c"), Origin::none);
  EXPECT_EQ(left.origin_of("b"), Origin::of_class);
}

TEST(Provenance, KeepsTheOriginOfFieldsKeptTwice) {
  const Shape shape = after("[{'$set':{'a.m':1}},{'$project':{'a':1,'_id':0}}]");
  EXPECT_EQ(shape.origin_of("a.m"), Origin::made);
  EXPECT_EQ(shape.origin_of("a.s"), Origin::of_class);
  EXPECT_EQ(shape.origin_of("_id"), Origin::none);
}

TEST(Provenance, HasOnlyMadeFieldsAfterAGroup) {
  const Shape shape = after("[{'$group':{'_id':'$a','n':{'$sum':1}}}]");
  EXPECT_EQ(shape.origin_of("_id.x"), Origin::made);
  EXPECT_EQ(shape.origin_of("n"), Origin::made);
  EXPECT_EQ(shape.origin_of("a"), Origin::none);
  EXPECT_FALSE(shape.has_unknown_fields());
}

TEST(Provenance, TellsOfFieldsThatNoStageNames) {
  EXPECT_TRUE(after("[{'$replaceWith':'$a'}]").has_unknown_fields());
  EXPECT_EQ(after("[{'$replaceWith':'$a'}]").origin_of("x"), Origin::made);
  const Shape merged = after("[{'$replaceWith':{'$mergeObjects':['$a','$$ROOT']}}]");
  EXPECT_TRUE(merged.has_unknown_fields());
  EXPECT_EQ(merged.origin_of("x"), Origin::of_class);
  EXPECT_EQ(after("[{'$replaceWith':'$$ROOT'}]").origin_of("x"), Origin::of_class);
  EXPECT_EQ(after("[{'$replaceWith':{'k':'$a'}}]").origin_of("x"), Origin::none);
  EXPECT_EQ(after("[{'$unionWith':'f'}]").origin_of("x"), Origin::of_class);
}

TEST(Provenance, GivesAShapeForEachStage) {
  const auto shapes = shapes_after(parse("[{'$count':'n'},{'$set':{'m':1}}]"));
  ASSERT_EQ(shapes.size(), 2U);
  EXPECT_EQ(shapes[0].origin_of("m"), Origin::none);
  EXPECT_EQ(shapes[1].origin_of("m"), Origin::made);
}

TEST(Provenance, LeavesAFilledFieldToItsClass) {
  EXPECT_EQ(after("[{'$fill':{'output':{'a':{'method':'locf'}}}}]").origin_of("a"),
            Origin::of_class);
  EXPECT_EQ(after("[{'$count':'n'},{'$fill':{'output':{'a':{'value':1}}}}]").origin_of("a"),
            Origin::made);
}

}  // namespace
}  // namespace gantry::data::pipeline::tests::provenance_test
