#include "host/sessions/streams.hpp"

#include <atomic>
#include <random>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "tests/host/sessions/fake_event_sink.hpp"

namespace gantry::host::streams_test {
namespace {

using Messages = std::vector<std::string>;
using Resumed = Streams::Resumed;

std::shared_ptr<FakeEventSink> sink() { return std::make_shared<FakeEventSink>(); }

TEST(Streams, SendsARequestsMessagesAndClosesAfterItsAnswer) {
  Streams streams;
  const auto out = sink();
  const auto stream = streams.open(out, false);
  streams.send(stream, "a");
  EXPECT_EQ(out->closed, 0);
  streams.finish(stream, "answer");
  EXPECT_EQ(out->messages, (Messages{"a", "answer"}));
  EXPECT_EQ(out->last(), "s1-2");
  EXPECT_EQ(out->closed, 1);
  EXPECT_EQ(streams.attached(), 0u);
  streams.send(stream, "late");
  EXPECT_EQ(out->messages.size(), 2u);
}

TEST(Streams, BeginsWithAPrimerOnlyWhereOneIsKnown) {
  Streams streams;
  const auto plain = sink(), primed = sink();
  streams.open(plain, false);
  const auto stream = streams.open(primed, true);
  EXPECT_TRUE(plain->primers.empty());
  EXPECT_EQ(primed->primers, Messages{"s2-1"});
  streams.send(stream, "a");
  EXPECT_EQ(primed->last(), "s2-2");
}

TEST(Streams, ReplaysOnlyLaterEventsOfThatStream) {
  Streams streams;
  const auto first = sink(), other = sink(), again = sink();
  const auto a = streams.open(first, false), b = streams.open(other, false);
  streams.send(a, "a1");
  streams.send(b, "b1");
  streams.send(a, "a2");
  streams.detach(*first);
  streams.send(a, "a3");
  EXPECT_EQ(first->messages, (Messages{"a1", "a2"}));
  EXPECT_EQ(streams.resume({a, 1}, again), Resumed::live);
  EXPECT_EQ(again->messages, (Messages{"a2", "a3"}));
  streams.finish(a, "answer");
  EXPECT_EQ(again->messages, (Messages{"a2", "a3", "answer"}));
  EXPECT_EQ(again->closed, 1);
  EXPECT_EQ(other->messages, Messages{"b1"});
}

TEST(Streams, KeepsAnAnswerForAClientThatWasAway) {
  Streams streams;
  const auto first = sink(), again = sink();
  const auto stream = streams.open(first, true);
  first->gone = true;
  streams.finish(stream, "answer");
  EXPECT_EQ(streams.resume({stream, 1}, again), Resumed::complete);
  EXPECT_EQ(again->messages, Messages{"answer"});
  EXPECT_EQ(again->closed, 1);
  const auto third = sink();
  EXPECT_EQ(streams.resume({stream, 2}, third), Resumed::complete);
  EXPECT_TRUE(third->messages.empty());
  EXPECT_EQ(third->closed, 1);
}

TEST(Streams, RecognizesIdsThatItNeverSent) {
  Streams streams;
  const auto stream = streams.open(sink(), false);
  streams.send(stream, "a");
  for (const EventId id : {EventId{stream, 2}, EventId{stream, 0}, EventId{9, 1}, EventId{0, 1}}) {
    const auto out = sink();
    EXPECT_EQ(streams.resume(id, out), Resumed::unknown) << to_text(id);
    EXPECT_FALSE(out->opened);
  }
}

TEST(Streams, LetsGoOfAConnectionButNotOfTheStream) {
  Streams streams;
  const auto first = sink(), again = sink();
  const auto stream = streams.open(first, true);
  EXPECT_TRUE(streams.release(stream));
  EXPECT_EQ(first->closed, 1);
  EXPECT_FALSE(streams.release(stream));  // no connection to release
  EXPECT_EQ(streams.resume({stream, 1}, again), Resumed::live);
  streams.finish(stream, "answer");
  EXPECT_EQ(again->messages, Messages{"answer"});
}

TEST(Streams, HoldsOnToAClientThatCouldNotComeBack) {
  Streams streams;
  const auto stream = streams.open(sink(), false);
  EXPECT_FALSE(streams.release(stream));
  streams.send(stream, "a");
  EXPECT_TRUE(streams.release(stream));
}

TEST(Streams, DropsPushesUntilAClientListens) {
  Streams streams;
  EXPECT_FALSE(streams.push("early"));
  const auto out = sink();
  streams.listen(out, false);
  EXPECT_TRUE(streams.push("p1"));
  EXPECT_EQ(out->messages, Messages{"p1"});
  EXPECT_EQ(out->last(), "s0-1");
  EXPECT_EQ(streams.backlog(), 7u);
  streams.detach(*out);
  EXPECT_EQ(streams.backlog(), 0u);
  EXPECT_TRUE(streams.push("p2"));  // for replay
  const auto again = sink();
  EXPECT_EQ(streams.resume({kListening, 1}, again), Resumed::live);
  EXPECT_EQ(again->messages, Messages{"p2"});
}

TEST(Streams, LetTheNewestListenerReplaceTheOneBefore) {
  Streams streams;
  const auto first = sink(), second = sink();
  streams.listen(first, true);
  streams.push("p1");
  streams.listen(second, true);
  EXPECT_EQ(first->closed, 1);
  EXPECT_EQ(second->primers, Messages{"s0-3"});
  streams.push("p2");
  EXPECT_EQ(first->messages, Messages{"p1"});
  EXPECT_EQ(second->messages, Messages{"p2"});
  streams.detach(*first);  // it notices late
  EXPECT_EQ(streams.attached(), 1u);
}

TEST(Streams, GiveANewListenerTheUnsentEvents) {
  Streams streams;
  const auto first = sink(), second = sink();
  streams.listen(first, true);
  streams.push("p1");
  streams.detach(*first);
  streams.push("p2");
  streams.listen(second, true);
  EXPECT_EQ(second->messages, Messages{"p2"});
  EXPECT_TRUE(second->primers.empty());
}

TEST(Streams, KeepNoMoreThanTheirLimits) {
  Streams streams({.events = 3, .bytes = 100});
  const auto first = sink(), again = sink(), big = sink();
  const auto stream = streams.open(first, false);
  for (const auto text : {"a", "b", "c", "d", "e"}) streams.send(stream, text);
  EXPECT_EQ(streams.resume({stream, 1}, again), Resumed::live);
  EXPECT_EQ(again->messages, (Messages{"c", "d", "e"}));
  EXPECT_EQ(again->gaps, 1);
  streams.send(stream, std::string(99, 'x'));
  EXPECT_EQ(streams.resume({stream, 4}, big), Resumed::live);
  EXPECT_EQ(big->messages, (Messages{"e", std::string(99, 'x')}));
  EXPECT_EQ(big->gaps, 0);
}

TEST(Streams, SayWhenAnAnswerIsNotKeptAnyMore) {
  Streams streams({.events = 2, .bytes = 100});
  const auto first = sink();
  const auto a = streams.open(first, false);
  streams.send(a, "a1");
  streams.detach(*first);
  streams.finish(a, "answer");
  const auto b = streams.open(sink(), false);
  streams.send(b, "b1");
  streams.send(b, "b2");
  EXPECT_EQ(streams.resume({a, 1}, sink()), Resumed::unknown);
}

TEST(Streams, KeepAWordInPlaceOfAnAnswerThatIsTooLarge) {
  Streams streams({.events = 9, .bytes = 10});
  const auto first = sink(), again = sink();
  const auto a = streams.open(first, true);
  streams.finish(a, std::string(11, 'x'), "too large");
  EXPECT_EQ(first->messages, Messages{std::string(11, 'x')});  // a connected client gets all of it
  EXPECT_EQ(streams.resume({a, 1}, again), Resumed::complete);
  EXPECT_EQ(again->messages, Messages{"too large"});
  const auto b = streams.open(sink(), true);
  streams.send(b, "note");
  streams.finish(b, std::string(11, 'x'));
  EXPECT_EQ(streams.resume({b, 1}, sink()), Resumed::unknown);
}

TEST(Streams, EndTheListenerAtOnceAndRequestsWithTheirAnswers) {
  Streams streams;
  const auto listener = sink(), request = sink(), away = sink();
  streams.listen(listener, false);
  const auto a = streams.open(request, false), b = streams.open(away, true);
  streams.detach(*away);
  streams.end();
  EXPECT_EQ(listener->closed, 1);
  EXPECT_EQ(request->closed, 0);
  EXPECT_FALSE(streams.push("p"));
  EXPECT_FALSE(streams.listen(sink(), false));
  EXPECT_EQ(streams.resume({b, 1}, sink()), Resumed::unknown);
  streams.finish(a, "cancelled");
  streams.finish(b, "cancelled");
  EXPECT_EQ(request->messages, Messages{"cancelled"});
  EXPECT_EQ(request->closed, 1);
}

// Whatever is cut wherever: what all connections together were given is the whole stream, once.
TEST(Streams, LoseNothingAndRepeatNothingOverManyCuts) {
  std::mt19937 random(20);
  for (int round = 0; round < 200; ++round) {
    Streams streams;
    Messages sent, received;
    auto out = sink();
    const auto stream = streams.open(out, true);
    EventId seen = *parse_event_id(out->primers[0]);
    // The client reads as far as it gets, and knows that far.
    const auto cut = [&](std::size_t read) {
      for (std::size_t i = 0; i < read; ++i) {
        received.push_back(out->messages[i]);
        seen = out->ids[i];
      }
      if (random() % 2 == 0) streams.detach(*out);
      out = sink();
    };
    for (int i = 0; i < 60; ++i) {
      sent.push_back(std::to_string(i));
      streams.send(stream, sent.back());
      if (random() % 4 != 0) continue;
      cut(random() % (out->messages.size() + 1));
      if (random() % 2 == 0) {
        ASSERT_EQ(streams.resume(seen, out), Resumed::live);
        EXPECT_EQ(out->gaps, 0);
      }
    }
    sent.push_back("answer");
    streams.finish(stream, "answer");
    cut(random() % (out->messages.size() + 1));
    ASSERT_EQ(streams.resume(seen, out), Resumed::complete);
    cut(out->messages.size());
    EXPECT_EQ(received, sent);
  }
}

TEST(Streams, StandThreadsThatSendComeGoAndEnd) {
  for (int round = 0; round < 20; ++round) {
    Streams streams({.events = 16, .bytes = 1 << 10});
    std::atomic<bool> over{false};
    std::vector<std::thread> threads;
    for (int t = 0; t < 2; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 200; ++i) {
          const auto stream = streams.open(sink(), i % 2 == 0);
          streams.send(stream, "m");
          streams.release(stream);
          streams.finish(stream, "answer");
          streams.push("p");
        }
      });
    }
    threads.emplace_back([&] {
      while (!over) {
        const auto out = sink();
        streams.listen(out, true);
        streams.resume({kListening, 1}, sink());
        streams.detach(*out);
        streams.resume({1, 1}, sink());
        streams.backlog();
      }
    });
    threads[0].join();
    if (round % 2 == 0) streams.end();
    threads[1].join();
    over = true;
    threads[2].join();
    streams.end();
    EXPECT_EQ(streams.attached(), 0u);
  }
}

}  // namespace
}  // namespace gantry::host::streams_test
