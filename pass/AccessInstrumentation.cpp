// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AccessInstrumentation.h"
#include "AccessMarks.h"
#include "Accesses.h"
#include "CallMarks.h"
#include "MarkedFunctions.h"

using namespace llvm;

namespace benchmem {

bool markAccesses(Module &M) {
  AccessMarks Marks(M);
  CallMarks Calls(M, Marks);
  SmallVector<Function *, 16> Functions;
  for (Function &F : M)
    if (isInstrumented(F))
      Functions.push_back(&F);

  for (Function *F : Functions) {
    Accesses Found = findAccesses(*F);
    Marks.enter(*F);
    for (const Access &A : Found.Plain)
      Marks.mark(A);
    for (Instruction *I : Found.Scalable)
      Marks.markScalable(*I);
    for (CallBase *CB : Found.Calls)
      Calls.mark(*CB);
    Marks.leave();
    if (!F->hasLocalLinkage() && isMarked(*F))
      tellMarked(*F);
  }
  return !Functions.empty();
}

} // namespace benchmem
