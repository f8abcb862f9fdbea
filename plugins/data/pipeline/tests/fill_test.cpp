#include <gtest/gtest.h>

#include "pipeline/tests/pipelines.hpp"

namespace gantry::data::pipeline {
namespace {

using tests::Database;

bool is_refused(const std::string& answer) { return answer.substr(0, 6) == "error:"; }

TEST(Fill, TakesAValueTheLastOneOrALine) {
  Database database("[{'_id':1,'p':1,'v':1},{'_id':2,'p':2},{'_id':3,'p':1,'v':null,'w':7}]");
  EXPECT_EQ(database.run("[{'$fill':{'output':{'v':{'value':{'$add':['$_id',10]}}}}}]"),
            "[{'_id':1,'p':1,'v':1},{'_id':2,'p':2,'v':12},{'_id':3,'p':1,'v':13,'w':7}]");
  EXPECT_EQ(database.run("[{'$fill':{'sortBy':{'_id':1},'partitionByFields':['p'],"
                         "'output':{'v':{'method':'locf'},'w':{'value':0}}}}]"),
            "[{'_id':1,'p':1,'v':1,'w':0},{'_id':3,'p':1,'v':1,'w':7},"
            "{'_id':2,'p':2,'v':null,'w':0}]");
  EXPECT_EQ(Database("[{'_id':1,'v':1},{'_id':2},{'_id':3,'v':5}]")
                .run("[{'$fill':{'sortBy':{'_id':1},'output':{'v':{'method':'linear'}}}}]"),
            "[{'_id':1,'v':1},{'_id':2,'v':3.0},{'_id':3,'v':5}]");
}

TEST(Fill, NullOptionsAreNone) {
  EXPECT_EQ(Database("[{'v':1},{}]")
                .run("[{'$fill':{'sortBy':null,'partitionByFields':null,"
                     "'output':{'v':{'value':5}}}}]"),
            "[{'v':1},{'v':5}]");
  EXPECT_EQ(Database("[{'v':1},{'v':3}]")
                .run("[{'$densify':{'field':'v','partitionByFields':null,"
                     "'range':{'step':1,'bounds':'full'}}}]"),
            "[{'v':1},{'v':2},{'v':3}]");
}

TEST(Fill, RefusesInvalidSpecifications) {
  for (const char* spec :
       {"{}", "{'output':{}}", "{'output':{'v':{}}}", "{'output':{'v':{'method':'mean'}}}",
        "{'output':{'v':{'value':1,'method':'locf'}}}", "{'output':{'v':{'method':'linear'}}}",
        "{'output':{'v':{'value':1}},'partitionBy':'$p','partitionByFields':['p']}",
        "{'output':{'v':{'value':1}},'partitionByFields':'p'}",
        "{'sortBy':{'$$NOW':1},'output':{'v':{'method':'linear'}}}"}) {
    EXPECT_TRUE(is_refused(Database("[{}]").run(std::string("[{'$fill':") + spec + "}]"))) << spec;
  }
}

TEST(Densify, FillsTheWholeOrEachPartition) {
  Database database("[{'k':'a','v':0},{'k':'a','v':5},{'k':'b','v':2}]");
  EXPECT_EQ(database.run("[{'$densify':{'field':'v','partitionByFields':['k'],"
                         "'range':{'step':2,'bounds':'full'}}}]"),
            "[{'k':'a','v':0},{'k':'b','v':0},{'k':'a','v':2},{'k':'b','v':2},{'k':'a','v':4},"
            "{'k':'b','v':4},{'k':'a','v':5}]");
  EXPECT_EQ(database.run("[{'$densify':{'field':'v','partitionByFields':['k'],"
                         "'range':{'step':2,'bounds':'partition'}}}]"),
            "[{'k':'a','v':0},{'k':'a','v':2},{'k':'a','v':4},{'k':'a','v':5},{'k':'b','v':2}]");
}

TEST(Densify, ARangeHasItsEndOutside) {
  EXPECT_EQ(Database("[{'v':9},{'x':1},{'v':1,'w':1}]")
                .run("[{'$densify':{'field':'v','range':{'step':1,'bounds':[0,3]}}}]"),
            "[{'x':1},{'v':0},{'v':1,'w':1},{'v':2},{'v':9}]");
  EXPECT_EQ(Database("[{'k':'b','v':0},{'k':'a','v':1}]")
                .run("[{'$densify':{'field':'v','partitionByFields':['k'],"
                     "'range':{'step':1,'bounds':[0,2]}}}]"),
            "[{'k':'a','v':0},{'k':'a','v':1},{'k':'b','v':0},{'k':'b','v':1}]");
  EXPECT_EQ(Database("[{'d':{'$date':'2024-01-31T00:00:00Z'}}]")
                .run("[{'$densify':{'field':'d','range':{'step':1,'unit':'month','bounds':["
                     "{'$date':'2024-01-31T00:00:00Z'},{'$date':'2024-04-01T00:00:00Z'}]}}}]"),
            "[{'d':{'$date':'2024-01-31T00:00:00.000Z'}},"
            "{'d':{'$date':'2024-02-29T00:00:00.000Z'}},"
            "{'d':{'$date':'2024-03-31T00:00:00.000Z'}}]");
}

TEST(Densify, RefusesInvalidSpecifications) {
  for (const char* spec :
       {"{}", "{'field':'$v','range':{'step':1,'bounds':'full'}}", "{'field':'v'}",
        "{'field':'v','range':{'step':0,'bounds':'full'}}",
        "{'field':'v','range':{'step':1,'bounds':'partition'}}",
        "{'field':'v','range':{'step':1,'bounds':[2,1]}}",
        "{'field':'v','range':{'step':1,'bounds':['a',1]}}",
        "{'field':'v','range':{'step':1,'unit':'day','bounds':'full'}}",
        "{'field':'v','range':{'step':1.5,'unit':'day','bounds':'full'}}",
        "{'field':'v','range':{'step':1e-300,'bounds':[1,2]}}",
        "{'field':'v','range':{'step':1,'bounds':[0,9000000]}}",
        "{'field':'v','partitionByFields':['v'],'range':{'step':1,'bounds':'full'}}",
        "{'field':'v','partitionByFields':['v.w'],'range':{'step':1,'bounds':'full'}}"}) {
    EXPECT_TRUE(
        is_refused(Database("[{'v':1}]").run(std::string("[{'$densify':") + spec + "}]", 1 << 30)))
        << spec;
  }
  EXPECT_TRUE(
      is_refused(Database("[{'v':'x'}]")
                     .run("[{'$densify':{'field':'v','range':{'step':1,'bounds':'full'}}}]")));
}

}  // namespace
}  // namespace gantry::data::pipeline
