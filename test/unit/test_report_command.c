/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* benchmem-report as its users run it, on the sample of report_sample.h. */
#include "run_report.h"

#define FACTS                                                                  \
    "profile   p.bmem\n"                                                       \
    "program   ./app 'two words'\n"                                            \
    "run       2023-11-14 22:13:20 +0000, pid 42, exited with status 0, "      \
    "complete\n"                                                               \
    "totals    peak 19.0 KiB, allocated 22.1 KiB in 20 allocations, live at "  \
    "exit 10.3 KiB in 8 blocks\n"                                              \
    "also      1 free of an unknown block\n"

static void the_default_view(void **state)
{
    (void)state;
    write_sample("p.bmem");
    assert_output(
        "--top 4 p.bmem", FACTS
        "\n"
        "Benchmarks, each figure the minimum over the passes\n"
        "   PEAK  ALLOCATED  ALLOCATIONS  RETAINED  PASSES  BENCHMARK\n"
        "  800 B      800 B            2       0 B       2  "
        "bench.c::bench_sort[n=100]\n"
        "7.8 KiB    7.8 KiB            2       0 B       1  "
        "bench.c::bench_sort[n=1000]\n"
        "\n"
        "Sites by bytes held at the peak\n"
        " AT PEAK  % OF PEAK  OWN PEAK  ALLOCATED  ALLOCATIONS  LIVE AT EXIT  "
        "SITE                        KIND     TYPE\n"
        " 9.8 KiB       51.3  10.7 KiB   11.7 KiB           10       7.8 KiB  "
        "kdtree.c:42 build           malloc   struct node\n"
        " 3.9 KiB       20.5   3.9 KiB    4.9 KiB            5           0 B  "
        "util.c:7 xmalloc            malloc\n"
        " 2.9 KiB       15.4              2.9 KiB            2           0 B  "
        "fill.cpp:5 fill             new      int\n"
        " 1.5 KiB        7.7   1.5 KiB    1.5 KiB            1       1.5 KiB  "
        "(outside) /opt/libplain.so  outside\n"
        "  1000 B        5.1              1.1 KiB            2        1000 B  "
        "+2 more\n"
        "19.0 KiB      100.0             22.1 KiB           20      10.3 KiB  "
        "total\n"
        "\n"
        "1 allocation call of the source was optimized away; --elided lists "
        "it\n"
        "\n"
        "hint: 8 % of the bytes held at the peak come from code that "
        "benchmem-cc did not compile: /opt/libplain.so; build it with "
        "benchmem-cc or benchmem-c++, or record with "
        "BENCHMEM_OPTIONS=native=1\n");
}

static void other_views_name_their_metrics(void **state)
{
    (void)state;
    write_sample("p.bmem");
    assert_output(
        "-q --by type --worst leaked p.bmem", FACTS
        "\n"
        "Types by bytes live at exit\n"
        "LIVE AT EXIT  % OF LIVE   AT PEAK  ALLOCATED  ALLOCATIONS  TYPE\n"
        "     7.8 KiB       76.2   9.8 KiB   11.7 KiB           10  struct "
        "node\n"
        "     1.5 KiB       14.3   5.4 KiB    6.5 KiB            7  (unknown)\n"
        "      1000 B        9.5   3.9 KiB    3.9 KiB            3  int\n"
        "    10.3 KiB      100.0  19.0 KiB   22.1 KiB           20  total\n");
    assert_has("--by path p.bmem",
               " 3.9 KiB       20.5    4.9 KiB            5           0 B  "
               "main.cpp:10 main\n");
    assert_has("--by path p.bmem",
               "stl_vector.h:1287 std::vector<int>::push_back (inlined)\n");
    assert_has("--by thread p.bmem", "101 worker");
    assert_has("--by module p.bmem", "/src/app\n");
    assert_has("--charge caller p.bmem", "main.cpp:20 load");
    assert_has("--wrapper 'build' p.bmem", "main.cpp:10 main");
    assert_lacks("--wrapper 'build' p.bmem", "fits --wrapper");
    assert_has("--wrapper 'build' --wrapper 'zzz*' p.bmem",
               "\nhint: no function in this profile fits --wrapper zzz*\n");
}

static void one_benchmark_alone(void **state)
{
    (void)state;
    write_sample("p.bmem");
    assert_has("--benchmark n=100] p.bmem",
               "benchmark bench.c::bench_sort[n=100]\n");
    assert_has("--benchmark n=100] p.bmem",
               "Sites by bytes held at the peak, 2 passes together (the peak "
               "is that of the largest)\n");
    assert_has("--benchmark n=100] p.bmem",
               "  900 B      100.0     900 B    1.7 KiB            4       0 B"
               "  kdtree.c:42 build  malloc  struct node\n");
    /* An exact id is no part of another. */
    assert_has("--benchmark 'bench.c::bench_sort[n=1000]' p.bmem",
               "benchmark bench.c::bench_sort[n=1000]\n");
    assert_has("--benchmark bench_sort --worst peak p.bmem",
               "benchmark bench.c::bench_sort[n=1000] (heaviest of 2 by bytes "
               "held at the peak)\n");
    assert_output("--benchmark bench_sort p.bmem",
                  "!2: benchmem-report: --benchmark bench_sort: several fit: "
                  "bench.c::bench_sort[n=100], bench.c::bench_sort[n=1000]; "
                  "name one, or add --worst METRIC for the heaviest\n");
    assert_output("--benchmark nothing p.bmem",
                  "!2: benchmem-report: --benchmark nothing: no such "
                  "benchmark; there are bench.c::bench_sort[n=100], "
                  "bench.c::bench_sort[n=1000]\n");
}

static void csv_has_every_row_exactly(void **state)
{
    (void)state;
    write_sample("p.bmem");
    assert_output(
        "--format csv p.bmem",
        "file,dir,line,column,function,kind,callee,type,allocations,frees,"
        "allocated_bytes,peak_bytes,at_peak_bytes,live_bytes,live_blocks,"
        "temporary\n"
        "kdtree.c,/src,42,20,build,malloc,malloc,struct node,10,4,12000,11000,"
        "10000,8000,6,0\n"
        "util.c,/src,7,12,xmalloc,malloc,malloc,,5,5,5000,4000,4000,0,0,0\n"
        "fill.cpp,/src,5,7,fill,new,operator new(unsigned long),int,2,2,3000,,"
        "3000,0,0,0\n"
        ",,,,,outside,,,1,0,1500,1500,1500,1500,1,0\n"
        "grow.cpp,/src,9,3,grow,new,operator new(unsigned long),int,1,0,1000,,"
        "1000,1000,1,0\n"
        "main.cpp,/src,30,9,read_line,via,getline,,1,1,120,120,0,0,0,0\n");
    assert_output("--format csv --by benchmark --worst allocated p.bmem",
                  "id,name,file,line,passes,peak_bytes,allocated_bytes,"
                  "allocations,retained_bytes,time_ns,setup_peak_rss_bytes,"
                  "peak_rss_bytes\n"
                  "bench.c::bench_sort[n=1000],bench_sort,bench.c,3,1,8000,"
                  "8000,2,0,,,\n"
                  "bench.c::bench_sort[n=100],bench_sort,bench.c,3,2,800,800,"
                  "2,0,,,\n");
    assert_output("--format csv --by type --top 1 p.bmem p.bmem",
                  "profile,type,allocations,frees,allocated_bytes,peak_bytes,"
                  "at_peak_bytes,live_bytes,live_blocks,temporary\n"
                  "p.bmem,struct node,10,4,12000,11000,10000,8000,6,0\n"
                  "p.bmem,struct node,10,4,12000,11000,10000,8000,6,0\n");
    assert_output("--format csv --elided p.bmem",
                  "file,dir,line,column,function,kind,callee,type,size_expr,"
                  "count\n"
                  "main.cpp,/src,50,13,gone,malloc,malloc,char,n + 1,\n");
}

static void the_heaviest_of_a_folder_is_named(void **state)
{
    (void)state;
    assert_int_equal(mkdir("d", 0777), 0);
    write_sample("d/p.bmem");
    write_profile("d/q.bmem", sample_of_two_threads());
    assert_has("--worst peak d",
               "profile   d/p.bmem (heaviest of 2 by bytes held at the "
               "peak)\n");
    assert_lacks("--worst peak d", "q.bmem");
    assert_has("d", "\n\nprofile   d/q.bmem\n");
}

static void nothing_allocated_is_a_sentence(void **state)
{
    (void)state;
    write_profile("n.bmem", sample_without_allocations());
    assert_has("n.bmem", "\nNo allocation was recorded.\n"
                         "\n1 allocation call of the source was optimized "
                         "away; --elided lists it\n");
    assert_has("--elided n.bmem", "\nmain.cpp:50 gone  malloc\n");
    assert_has("--by benchmark n.bmem",
               "\n\nNo benchmark function was entered.\n");
    for (int i = 0; i < 4; i++) {
        static const char *const formats[] = {"table", "md", "csv", "json"};
        struct bm_str arguments = BM_STR_INIT;
        bm_str_printf(&arguments, "--format %s --by path n.bmem", formats[i]);
        assert_lacks(arguments.data, "!");
        bm_str_clear(&arguments);
    }
}

static void what_is_wrong_is_said_with_its_fix(void **state)
{
    static const char *const hints[] = {
        "hint: the program's end is not known: it still runs, or was killed; "
        "figures are as of then\n",
        "hint: max_paths was reached",
        "hint: 50 % of the bytes held at the peak are of system code, "
        "outside any call of compiled code: /usr/lib/libc.so.6\n",
        "hint: 40 % of the bytes held at the peak could not be charged to any "
        "code\n",
        "hint: there are no call paths in this profile",
    };

    (void)state;
    write_profile("k.bmem", sample_of_a_killed_program());
    for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++)
        assert_has("--by path k.bmem", hints[i]);
    assert_has("k.bmem", "still running, or killed, incomplete\n");
    assert_lacks("-q --by path k.bmem", "hint: ");
    assert_lacks("--format csv k.bmem", "hint: ");
}

static void without_arguments_the_newest_run_is_read(void **state)
{
    (void)state;
    assert_has("", "!2: benchmem-report: no profile named, and no .benchmem "
                   "here or above: run a program that benchmem-cc built, or "
                   "name a .bmem file\n");
    assert_int_equal(mkdir(".benchmem", 0777), 0);
    assert_has("", "!2: benchmem-report: no profile in .benchmem: run ");
    write_sample(".benchmem/p.bmem");
    assert_has("", "profile   .benchmem/p.bmem (the only run in "
                   ".benchmem/)\n");
    assert_int_equal(mkdir("deeper", 0777), 0);
    assert_int_equal(chdir("deeper"), 0);
    assert_has("", "profile   ../.benchmem/p.bmem (the only run in "
                   "../.benchmem/)\n");
}

static void markdown_is_a_page(void **state)
{
    (void)state;
    write_sample("p.bmem");
    assert_has("--format md p.bmem",
               "## benchmem-report\n\n- **profile**: p.bmem\n");
    assert_has("--format md p.bmem",
               "\n\n### Sites by bytes held at the peak\n\n| AT PEAK | % OF "
               "PEAK |");
    assert_has("--format md p.bmem",
               "\n\n> hint: 8 % of the bytes held at the peak come from");
}

static void sources_are_shown_where_they_are(void **state)
{
    (void)state;
    write_sample("p.bmem");
    assert_int_equal(file_write("util.c", "1\n2\n3\n4\n5\n6\n\tp = "
                                          "malloc(\tn);  \n8\n"),
                     0);
    assert_has("--source p.bmem", "  p = malloc( n);\n");
    assert_has("--source --format csv p.bmem", ",p = malloc( n);\n");
    assert_has("--source --format json p.bmem",
               "\"source\": \"p = malloc( n);\"");
    assert_lacks("--format json p.bmem", "\"source\"");
    /* A shorter file has no such line. */
    assert_int_equal(file_write("util.c", "1\n"), 0);
    assert_lacks("--source p.bmem", "malloc(");
}

static void what_cannot_be_read_is_status_2(void **state)
{
    (void)state;
    write_sample("p.bmem");
    assert_int_equal(mkdir("empty", 0777), 0);
    assert_int_equal(file_write("junk.bmem", "no profile at all"), 0);
    assert_output("missing.bmem", "!2: benchmem-report: cannot read "
                                  "missing.bmem: No such file or directory\n");
    assert_output("empty", "!2: benchmem-report: no profile in empty: run a "
                           "program that benchmem-cc built, or name a .bmem "
                           "file\n");
    assert_has("junk.bmem",
               "!2: benchmem-report: cannot read junk.bmem: byte 0: ");
    /* The others are still shown. */
    assert_has("junk.bmem p.bmem", "profile   p.bmem\n");
    assert_has("junk.bmem p.bmem", "!2: ");
    assert_has("--by nothing p.bmem", "!2: benchmem-report: --by nothing: it "
                                      "is one of site, function, ");
    assert_has("--top many p.bmem",
               "!2: benchmem-report: --top many: not a number\n");
}

static void outputs_are_not_replaced(void **state)
{
    (void)state;
    write_sample("p.bmem");
    assert_output("-o out.txt p.bmem", "");
    char *first = file_read("out.txt");
    char *direct = run("-o - p.bmem");
    assert_string_equal(first, direct);
    assert_output("-o out.txt p.bmem",
                  "!2: benchmem-report: cannot write out.txt: it exists; use "
                  "-f to replace it\n");
    assert_output("-f -o out.txt --format csv --by type --top 1 p.bmem", "");
    char *second = file_read("out.txt");
    assert_non_null(strstr(second, "struct node,10,4"));
    free(first);
    free(direct);
    free(second);
    /* A failure leaves no file. */
    assert_has("-o new.txt missing.bmem", "!2: ");
    assert_int_equal(access("new.txt", F_OK), -1);
}

static void narrow_terminals_get_narrow_tables(void **state)
{
    (void)state;
    write_sample("p.bmem");
    setenv("COLUMNS", "100", 1);
    /* Columns that decide least go first, then names are shortened. */
    assert_has("p.bmem", " AT PEAK  % OF PEAK  ALLOCATED  ALLOCATIONS  LIVE "
                         "AT EXIT  SITE                        TYPE\n");
    setenv("COLUMNS", "80", 1);
    assert_has("p.bmem", " 1.5 KiB        7.7    1.5 KiB            1  "
                         "(outsid\342\200\246pt/libplain.so\n");
    setenv("COLUMNS", "20", 1);
    assert_has("p.bmem", " AT PEAK  % OF PEAK  SITE\n");
    unsetenv("COLUMNS");
    assert_lacks("p.bmem", "\342\200\246");
    assert_lacks("p.bmem", "\033");
    assert_has("--color always p.bmem", "\033[1m");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(the_default_view),
        IN_FOLDER(other_views_name_their_metrics),
        IN_FOLDER(one_benchmark_alone),
        IN_FOLDER(csv_has_every_row_exactly),
        IN_FOLDER(the_heaviest_of_a_folder_is_named),
        IN_FOLDER(nothing_allocated_is_a_sentence),
        IN_FOLDER(what_is_wrong_is_said_with_its_fix),
        IN_FOLDER(without_arguments_the_newest_run_is_read),
        IN_FOLDER(markdown_is_a_page),
        IN_FOLDER(sources_are_shown_where_they_are),
        IN_FOLDER(what_cannot_be_read_is_status_2),
        IN_FOLDER(outputs_are_not_replaced),
        IN_FOLDER(narrow_terminals_get_narrow_tables),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
