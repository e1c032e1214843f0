// A new-expression names its type.
// RUN: %each-build --levels="-O0 -O2" --figures=--type %s %s
namespace shop {
struct item {
    long price;
};
} // namespace shop

void *volatile S;
volatile int n = 3;

int main()
{
    S = new shop::item;
    // CHECK: site types-in-cxx.cpp:[[@LINE-1]] main new {{.*}} type=shop::item
    S = new shop::item *[n];
    // CHECK-NEXT: site types-in-cxx.cpp:[[@LINE-1]] main new[] {{.*}} type=shop::item *
    S = new unsigned char[n];
    // CHECK-NEXT: site types-in-cxx.cpp:[[@LINE-1]] main new[] {{.*}} type=unsigned char
    // CHECK-NOT: site
    return 0;
}
