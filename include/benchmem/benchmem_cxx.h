/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The C++ side of benchmem.h, which includes it: fields are set by calls, since
 * C++ before C++20 has no designated initializers.
 *
 *     static void bench_insert(benchmem_case *c) { ... }
 *     BENCHMEM(bench_insert)
 *         .ints("n", {100, 1000}).strings("kind", {"tree", "heap"})
 *         .setup(make_tree).check(is_sorted).calls(50);
 *
 * Exceptions that leave a benchmark fail it.
 */
#ifndef BENCHMEM_BENCHMEM_CXX_H
#define BENCHMEM_BENCHMEM_CXX_H

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <type_traits>

#define BENCHMEM(function)                                                     \
    static ::benchmem::definition benchmem_of_##function(#function, __FILE__,  \
                                                         __LINE__, function);  \
    BENCHMEM_MAYBE_UNUSED_ static ::benchmem::definition                       \
        &benchmem_set_##function = benchmem_of_##function

namespace benchmem
{

/* One benchmark, for as long as the program runs. Owns its lists. */
class definition
{
  public:
    definition(const char *name, const char *file, uint32_t line,
               void (*run)(benchmem_case *))
        : it_(), dimensions_(), labels_(), nr_dimensions_(0), nr_labels_(0),
          run_(run), setup_(nullptr), teardown_(nullptr), check_(nullptr),
          why_()
    {
        it_.name = name;
        it_.file = file;
        it_.line = line;
        it_.run = do_run;
        it_.owner_ = this;
        benchmem_register(&it_);
    }

    definition(const definition &) = delete;
    definition &operator=(const definition &) = delete;

    ~definition()
    {
        for (unsigned i = 0; i < nr_dimensions_; i++) {
            std::free(const_cast<int64_t *>(dimensions_[i].integers));
            std::free(const_cast<double *>(dimensions_[i].numbers));
            std::free(const_cast<const char **>(dimensions_[i].strings));
        }
    }

    definition &ints(const char *name, std::initializer_list<int64_t> values)
    {
        benchmem_dimension &at = add(name, BENCHMEM_TYPE_INT, values.size());
        at.integers = copy(values);
        return *this;
    }

    definition &numbers(const char *name, std::initializer_list<double> values)
    {
        benchmem_dimension &at = add(name, BENCHMEM_TYPE_NUMBER, values.size());
        at.numbers = copy(values);
        return *this;
    }

    definition &strings(const char *name,
                        std::initializer_list<const char *> values)
    {
        benchmem_dimension &at = add(name, BENCHMEM_TYPE_STRING, values.size());
        at.strings = copy(values);
        return *this;
    }

    /* from, from + step, ... up to and with `to` */
    definition &range(const char *name, int64_t from, int64_t to, int64_t step)
    {
        benchmem_dimension &at =
            add(name, BENCHMEM_TYPE_INT, size_t((to - from) / step + 1));
        at.first = double(from);
        at.add = double(step);
        return *this;
    }

    /* count numbers: from, from + step, ... */
    definition &steps(const char *name, double from, double step, size_t count)
    {
        benchmem_dimension &at = add(name, BENCHMEM_TYPE_NUMBER, count);
        at.first = from;
        at.add = step;
        return *this;
    }

    /* count integers: from, from * factor, from * factor * factor, ... */
    definition &powers(const char *name, int64_t from, int64_t factor,
                       size_t count)
    {
        benchmem_dimension &at = add(name, BENCHMEM_TYPE_INT, count);
        at.first = double(from);
        at.times = double(factor);
        return *this;
    }

    definition &label(const char *name, const char *text)
    {
        benchmem_value &at = add_label(name, BENCHMEM_TYPE_STRING);
        at.is.string = text;
        return *this;
    }

    definition &label(const char *name, double number)
    {
        benchmem_value &at = add_label(name, BENCHMEM_TYPE_NUMBER);
        at.is.number = number;
        return *this;
    }

    typedef void (*phase)(benchmem_case *);
    typedef bool (*checker)(benchmem_case *);

    definition &setup(phase value)
    {
        setup_ = value;
        it_.setup = do_setup;
        return *this;
    }

    definition &teardown(phase value)
    {
        teardown_ = value;
        it_.teardown = do_teardown;
        return *this;
    }

    definition &check(checker value)
    {
        check_ = value;
        it_.check = do_check;
        return *this;
    }

/* The fields of struct benchmem_benchmark, under their names. */
#define BENCHMEM_FIELD_(type, field)                                           \
    definition &field(type value)                                              \
    {                                                                          \
        it_.field = value;                                                     \
        return *this;                                                          \
    }
    BENCHMEM_FIELD_(const char *, group)
    BENCHMEM_FIELD_(const char *, suite)
    BENCHMEM_FIELD_(uint32_t, calls)
    BENCHMEM_FIELD_(uint32_t, repeats)
    BENCHMEM_FIELD_(int32_t, warmup)
    BENCHMEM_FIELD_(uint64_t, max_peak)
    BENCHMEM_FIELD_(uint64_t, max_allocated)
    BENCHMEM_FIELD_(uint64_t, max_allocations)
#undef BENCHMEM_FIELD_

    definition &isolate(bool value = true)
    {
        it_.isolate = value;
        return *this;
    }

    definition &native(bool value = true)
    {
        it_.native = value;
        return *this;
    }

  private:
    static definition &of(const benchmem_case *c)
    {
        return *static_cast<definition *>(c->benchmark->owner_);
    }

    /* The harness is C: what a benchmark throws ends here, and fails it. */
    template <class F> void guard(benchmem_case *c, F call)
    {
#if defined(__EXCEPTIONS)
        try {
            call();
        } catch (const std::exception &e) {
            std::snprintf(why_, sizeof(why_), "it threw: %s", e.what());
            benchmem_fail(c, why_);
        } catch (...) {
            benchmem_fail(c, "it threw something that is no std::exception");
        }
#else
        (void)c;
        call();
#endif
    }

    static void do_run(benchmem_case *c)
    {
        of(c).guard(c, [c] { of(c).run_(c); });
    }

    static void do_setup(benchmem_case *c)
    {
        of(c).guard(c, [c] { of(c).setup_(c); });
    }

    static void do_teardown(benchmem_case *c)
    {
        of(c).guard(c, [c] { of(c).teardown_(c); });
    }

    static bool do_check(benchmem_case *c)
    {
        bool good = false;

        of(c).guard(c, [c, &good] { good = of(c).check_(c); });
        return good;
    }

    template <class T> static T *copy(std::initializer_list<T> values)
    {
        T *copied = static_cast<T *>(std::malloc(values.size() * sizeof(T)));

        if (!copied)
            std::abort();
        for (size_t i = 0; i < values.size(); i++)
            copied[i] = values.begin()[i];
        return copied;
    }

    benchmem_dimension &add(const char *name, benchmem_type type, size_t count)
    {
        if (nr_dimensions_ == BENCHMEM_MAX_PARAMS)
            too_many("parameters");
        benchmem_dimension &at = dimensions_[nr_dimensions_++];
        at.name = name;
        at.type = type;
        at.count = count;
        it_.params = dimensions_;
        return at;
    }

    benchmem_value &add_label(const char *name, benchmem_type type)
    {
        if (nr_labels_ == BENCHMEM_MAX_LABELS)
            too_many("labels");
        benchmem_value &at = labels_[nr_labels_++];
        at.name = name;
        at.type = type;
        it_.labels = labels_;
        return at;
    }

    void too_many(const char *what) const
    {
        std::fprintf(stderr, "benchmem: %s has too many %s\n", it_.name, what);
        std::exit(2);
    }

    benchmem_benchmark it_;
    benchmem_dimension dimensions_[BENCHMEM_MAX_PARAMS + 1];
    benchmem_value labels_[BENCHMEM_MAX_LABELS + 1];
    unsigned nr_dimensions_, nr_labels_;
    phase run_, setup_, teardown_;
    checker check_;
    char why_[128];
};

/* A call of anything, a lambda say, as benchmem_measure; it may throw. */
template <class F>
bool measure_at(const char *file, uint32_t line, F &&call,
                benchmem_result &result)
{
    struct thunk {
        static void run(void *argument)
        {
            (*static_cast<typename std::remove_reference<F>::type *>(
                argument))();
        }
    };
    return benchmem_measure_(
        file, line, "measure", thunk::run,
        const_cast<void *>(static_cast<const void *>(&call)), &result);
}

} // namespace benchmem

/* BENCHMEM_MEASURE([&] { parse(input); }, result) */
#define BENCHMEM_MEASURE(call, result)                                         \
    ::benchmem::measure_at(__FILE__, __LINE__, call, result)

#endif
