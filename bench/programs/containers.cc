// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The standard containers: trees, hash tables, strings, lists, queues and
// shared pointers, filled, looked up and dropped, over and over.
//
//   containers [ROUNDS]
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <queue>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

class Random {
  std::uint64_t State = 1;

public:
  // Knuth's MMIX generator; the high bits are the good ones.
  std::uint64_t operator()(std::uint64_t Below) {
    State = State * 6364136223846793005u + 1442695040888963407u;
    return (State >> 33) % Below;
  }
};

std::string makeWord(Random &Draw) {
  std::string Word = "word number " + std::to_string(Draw(5000));
  return Draw(2) ? Word : Word + " of the longer kind";
}

std::uint64_t countWords(Random &Draw, int N) {
  std::map<std::string, int> Sorted;
  std::unordered_map<std::string, std::vector<int>> Places;
  for (int I = 0; I < N; I++) {
    std::string Word = makeWord(Draw);
    Sorted[Word]++;
    Places[std::move(Word)].push_back(I);
  }
  std::uint64_t Sum = 0;
  for (const auto &[Word, Count] : Sorted)
    Sum += Word.size() * Count + Places[Word].back();
  return Sum;
}

struct Tree {
  std::shared_ptr<Tree> Left, Right;
  int Key;
};

void insert(std::shared_ptr<Tree> &Root, int Key) {
  std::shared_ptr<Tree> *At = &Root;
  while (*At)
    At = Key < (*At)->Key ? &(*At)->Left : &(*At)->Right;
  *At = std::make_shared<Tree>(Tree{nullptr, nullptr, Key});
}

std::uint64_t sumUp(const std::shared_ptr<Tree> &Root, int Depth) {
  if (!Root)
    return 0;
  return Root->Key * Depth + sumUp(Root->Left, Depth + 1) +
         sumUp(Root->Right, Depth + 1);
}

std::uint64_t growTree(Random &Draw, int N) {
  std::shared_ptr<Tree> Root;
  for (int I = 0; I < N; I++)
    insert(Root, static_cast<int>(Draw(1000000)));
  return sumUp(Root, 1);
}

// Shortest ways through a random graph.
std::uint64_t findWays(Random &Draw, int N) {
  std::vector<std::list<std::pair<int, std::uint64_t>>> Graph(N);
  for (int I = 0; I < N * 4; I++)
    Graph[Draw(N)].emplace_back(Draw(N), 1 + Draw(100));
  using Step = std::pair<std::uint64_t, int>;
  std::priority_queue<Step, std::vector<Step>, std::greater<>> Queue;
  std::set<int> Done;
  std::uint64_t Sum = 0;
  for (Queue.push({0, 0}); !Queue.empty();) {
    auto [Far, Node] = Queue.top();
    Queue.pop();
    if (!Done.insert(Node).second)
      continue;
    Sum += Far;
    for (auto [Next, Weight] : Graph[Node])
      Queue.push({Far + Weight, Next});
  }
  return Sum;
}

std::uint64_t passTasks(Random &Draw, int N) {
  std::deque<std::function<std::uint64_t()>> Tasks;
  std::uint64_t Sum = 0;
  for (int I = 0; I < N; I++) {
    Tasks.push_back([Word = makeWord(Draw), I] { return Word.size() + I; });
    if (Tasks.size() > 100) {
      Sum += Tasks.front()();
      Tasks.pop_front();
    }
  }
  return Sum;
}

} // namespace

int main(int Argc, char **Argv) {
  int Rounds = Argc > 1 ? std::atoi(Argv[1]) : 20;
  Random Draw;
  std::uint64_t Sum = 0;
  for (int I = 0; I < Rounds; I++)
    Sum = Sum * 31 + countWords(Draw, 10000) + growTree(Draw, 5000) +
          findWays(Draw, 3000) + passTasks(Draw, 20000);
  std::printf("%llu\n", static_cast<unsigned long long>(Sum));
}
