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

/// partialDemangle reports an error as true.
bool parse(ItaniumPartialDemangler &Demangler, StringRef Name) {
  return Name.starts_with("_Z") && !Demangler.partialDemangle(Name.str().c_str());
}
} // namespace

std::string getFunctionName(StringRef LinkageName) {
  ItaniumPartialDemangler Demangler;
  if (!parse(Demangler, LinkageName))
    return demangle(LinkageName.str());
  OwnedText Name(Demangler.isFunction()
                     ? Demangler.getFunctionName(nullptr, nullptr)
                     : Demangler.finishDemangle(nullptr, nullptr));
  return Name ? Name.get() : LinkageName.str();
}

std::string getBaseName(StringRef LinkageName) {
  ItaniumPartialDemangler Demangler;
  if (!parse(Demangler, LinkageName) || !Demangler.isFunction())
    return LinkageName.str();
  OwnedText Name(Demangler.getFunctionBaseName(nullptr, nullptr));
  return Name ? Name.get() : LinkageName.str();
}

StringRef trimFileName(StringRef Path) {
  StringRef Rest = Path;
  while (Rest.consume_front("./") || Rest.consume_front("../"))
    Rest = Rest.ltrim('/');
  return Rest.empty() ? Path : Rest;
}

} // namespace benchmem
