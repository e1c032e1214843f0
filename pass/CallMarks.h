// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks of what calls read and write: intrinsics, functions of the C library
// (LibraryAccesses.inc), and arguments passed in memory. What goes to a
// function that does not mark its accesses itself has escaped.
#ifndef BENCHMEM_PASS_CALLMARKS_H
#define BENCHMEM_PASS_CALLMARKS_H

#include "AccessMarks.h"
#include "LibraryAccesses.h"
#include "llvm/IR/IntrinsicInst.h"

namespace benchmem {

class CallMarks {
public:
  /// Marks is borrowed, and in the function that CB of each call is in.
  CallMarks(llvm::Module &M, AccessMarks &Marks)
      : DL(M.getDataLayout()), I64(llvm::Type::getInt64Ty(M.getContext())),
        Marks(Marks) {}

  /// Puts code before CB and, where only its end tells, behind it.
  void mark(llvm::CallBase &CB);

private:
  void markMemory(llvm::AnyMemIntrinsic &MI);
  bool markMasked(llvm::IntrinsicInst &II);
  void markLanes(llvm::IRBuilder<> &Builder, llvm::Value *Pointer,
                 llvm::Type *Vector, llvm::Value *Mask, unsigned What);
  void markEach(llvm::IRBuilder<> &Builder, llvm::Value *Pointers,
                llvm::Type *Vector, llvm::Value *Mask, unsigned What);
  void markByValue(llvm::CallBase &CB);
  void markLibrary(llvm::CallBase &CB, const LibraryFunction &Known);
  void markEffect(llvm::IRBuilder<> &Builder, llvm::CallBase &CB,
                  const Effect &E);
  void markFormat(llvm::CallBase &CB, unsigned Argument);
  void escape(llvm::CallBase &CB);
  void escapeFrom(llvm::CallBase &CB, unsigned First);

  const llvm::DataLayout &DL;
  llvm::Type *I64;
  AccessMarks &Marks;
};

} // namespace benchmem

#endif
