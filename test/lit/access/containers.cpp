// A vector that reserves more than it uses, a list and a map: the bytes that containers touch through inlined code.
// RUN: %benchmem-c++ -O2 --benchmem-access %s -o a && BENCHMEM_OUTPUT=p.bmem ./a
// RUN: %report --worst untouched --top 1 -q p.bmem | %filecheck-part --check-prefix=WORST
// RUN: %report --by type --worst untouched -q --format csv p.bmem | has 'long,1,1,8000,8000'
// RUN: %report --format json p.bmem | %python -c 'import json, sys; t = json.load(sys.stdin)["totals"]; assert t["untouched_bytes"] >= 7920 and t["unseen_bytes"] == 0, t'
#include <list>
#include <map>
#include <new>
#include <string_view>
#include <vector>

void *volatile S;

int main()
{
    // WORST: 7.7 KiB {{.*}} 80 B of 7.8 KiB {{.*}}containers.cpp:[[@LINE+2]] main
    std::vector<long> numbers;
    numbers.reserve(1000);
    S = numbers.data();
    for (long i = 0; i < 10; i++)
        numbers.push_back(i);
    std::list<int> list;
    std::map<int, int> map;
    for (int i = 0; i < 10; i++) {
        list.push_back(i);
        map[i * 7 % 10] = i;
    }
    long sum = 0;
    for (int i : list)
        sum += i;
    for (auto &[key, value] : map)
        sum += key * value;
    for (long n : numbers)
        sum += n;
    // What libstdc++ is given to hash or to free stays known.
    std::vector<char> key(100, 'k');
    S = key.data();
    sum += (long)std::hash<std::string_view>()({key.data(), key.size()});
    short *one = new (std::nothrow) short(1);
    S = one;
    operator delete(one, std::nothrow);
    return sum == 1234567;
}
