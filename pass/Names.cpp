// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Names.h"
#include "llvm/Demangle/Demangle.h"
#include <cstdlib>
#include <memory>

using namespace llvm;

namespace benchmem {

namespace {
struct Free {
  void operator()(char *Text) const { std::free(Text); }
};
using OwnedText = std::unique_ptr<char, Free>;

/// partialDemangle reports an error as true. The demangler goes on reading
/// Name.
bool parse(ItaniumPartialDemangler &Demangler, const std::string &Name) {
  return StringRef(Name).starts_with("_Z") &&
         !Demangler.partialDemangle(Name.c_str());
}
} // namespace

std::string getFunctionName(StringRef LinkageName) {
  std::string Mangled = LinkageName.str();
  ItaniumPartialDemangler Demangler;
  if (!parse(Demangler, Mangled))
    return demangle(Mangled);
  OwnedText Name(Demangler.isFunction()
                     ? Demangler.getFunctionName(nullptr, nullptr)
                     : Demangler.finishDemangle(nullptr, nullptr));
  return Name ? Name.get() : Mangled;
}

std::string getBaseName(StringRef LinkageName) {
  std::string Mangled = LinkageName.str();
  ItaniumPartialDemangler Demangler;
  if (!parse(Demangler, Mangled) || !Demangler.isFunction())
    return Mangled;
  OwnedText Name(Demangler.getFunctionBaseName(nullptr, nullptr));
  return Name ? Name.get() : Mangled;
}

StringRef trimFileName(StringRef Path) {
  StringRef Rest = Path;
  while (Rest.consume_front("./") || Rest.consume_front("../"))
    Rest = Rest.ltrim('/');
  return Rest.empty() ? Path : Rest;
}

} // namespace benchmem
