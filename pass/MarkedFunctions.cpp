// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MarkedFunctions.h"
#include "Allocators.h"
#include "Names.h"
#include "runtime/abi.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace benchmem {

static std::string getKnownName(const Function &F) {
  return (BM_ABI_ACCESS_KNOWN_PREFIX + dropEscape(F.getName())).str();
}

bool isInstrumented(const Function &F) {
  return !F.isDeclaration() && !F.hasAvailableExternallyLinkage() &&
         !F.hasFnAttribute(Attribute::DisableSanitizerInstrumentation) &&
         !F.getName().starts_with(BM_ABI_HOOK_PREFIX) && !isLeftAlone(F);
}

bool isMarked(const Function &F) {
  return isInstrumented(F) &&
         !GlobalValue::isInterposableLinkage(F.getLinkage());
}

void tellMarked(Function &F) {
  Module &M = *F.getParent();
  std::string Name = getKnownName(F);
  if (M.getNamedValue(Name))
    return;
  Type *I8 = Type::getInt8Ty(M.getContext());
  auto *Known = new GlobalVariable(M, I8, /*isConstant=*/true,
                                   GlobalValue::WeakODRLinkage,
                                   ConstantInt::get(I8, 1), Name);
  Known->setVisibility(F.getVisibility());
}

Constant *getToldMarked(Function &Callee) {
  Module &M = *Callee.getParent();
  std::string Name = getKnownName(Callee);
  if (GlobalVariable *Have = M.getNamedGlobal(Name))
    return Have;
  return new GlobalVariable(M, Type::getInt8Ty(M.getContext()),
                            /*isConstant=*/true,
                            GlobalValue::ExternalWeakLinkage, nullptr, Name);
}

} // namespace benchmem
