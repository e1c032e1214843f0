// Lines that the standard library's allocations are charged to have the figure of the line, however many sites and instances it goes through; what a wrapper allocates has that of its own site.
// RUN: %benchmem-c++ -O1 %s -o a && BENCHMEM_OPTIONS=saves=1 BENCHMEM_OUTPUT=p.bmem ./a && %report p.bmem --format csv >out && %filecheck-part --input-file=out
// RUN: %report p.bmem --by function --format csv >out && %filecheck-part --check-prefix=FUNCTION --input-file=out
// The site in the header is charged to two lines: what they save apart is in rows, what it saves as a whole is the site's.
// RUN: %report p.bmem --format json >out && has '"type": "wide",.*"allocated_bytes": 20000,.*"saves_bytes": 10000, "charged_to": \[{' <out
// Callers of wrappers are other groups: no figure is better than a wrong one.
// RUN: %report p.bmem --charge caller --format csv >out && %filecheck-part --check-prefix=CALLER --input-file=out
// RUN: %report p.bmem --by type --format csv >out && %filecheck-part --check-prefix=TYPE --input-file=out
#include <cstdlib>
#include <vector>

struct point { double x, y; };
struct wide { char bytes[100]; };
static void *volatile used;

__attribute__((noinline)) static void *xmalloc(size_t n)
{
    void *memory = malloc(n);
    // CHECK-DAG: charged-lines.cpp,{{.*}},[[@LINE-1]],{{.*}},xmalloc,malloc,malloc,,2,2,{{.*}},0,0,0,{{.*}},0
    if (!memory)
        abort();
    return memory;
}

// Peaks: 16000 + 10000 bytes, then 10000 + 3000 + 500.
__attribute__((noinline)) static void phase_one()
{
    std::vector<point> points(1000);
    // CHECK-DAG: charged-lines.cpp,{{.*}},[[@LINE-1]],{{.*}},phase_one,new,operator new,point,{{.*}},16000,0,0,{{.*}},12500
    // CALLER-DAG: charged-lines.cpp,{{.*}},[[@LINE-2]],{{.*}},phase_one,new,operator new,point,{{.*}},12500
    std::vector<wide> rows(100);
    // CHECK-DAG: charged-lines.cpp,{{.*}},[[@LINE-1]],{{.*}},phase_one,new,operator new,wide,{{.*}},10000,0,0,{{.*}},10000
    used = points.data();
    used = rows.data();
}

__attribute__((noinline)) static void phase_two()
{
    std::vector<wide> rows(100);
    point *points = (point *)xmalloc(3000);
    // CALLER-DAG: charged-lines.cpp,{{.*}},[[@LINE-1]],{{.*}},phase_two,malloc,malloc,point,1,1,3000,,0,0,0,{{[0-9]}},{{$}}
    wide *row = (wide *)xmalloc(500);
    used = rows.data();
    used = points;
    used = row;
    free(points);
    free(row);
}

int main()
{
    phase_one();
    phase_two();
}
// FUNCTION-DAG: phase_one,{{.*}},26000,0,0,{{.*}},12500
// FUNCTION-DAG: phase_two,{{.*}},0,0,0,{{.*}},0
// TYPE-DAG: point,{{.*}},16000,0,0,{{.*}},15500
// TYPE-DAG: wide,{{.*}},10000,0,0,{{.*}},10000
