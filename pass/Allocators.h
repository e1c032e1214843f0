// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which functions allocate, by runtime/allocators.inc. Queries only: nothing
// here changes the module.
//
// An allocator is recognized by its name and a signature that fits, never by
// LLVM's TargetLibraryInfo, so that -fno-builtin and `nobuiltin` change
// nothing. A function of that name that other modules cannot see (static, or
// of hidden visibility) is the program's own business and none of these.
#ifndef BENCHMEM_PASS_ALLOCATORS_H
#define BENCHMEM_PASS_ALLOCATORS_H

#include "runtime/abi.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

namespace benchmem {

/// Parameters and result of an allocator: see allocators.inc.
enum class Signature {
  None,
  P_S,
  P_SS,
  P_PS,
  P_PSS,
  I_PSS,
  P_C,
  P_CS,
  P_SR,
  P_SSR,
};

struct Allocator {
  llvm::StringLiteral Name;
  bm_kind Kind;
  bool Hooked;
  Signature Sig; ///< None unless hooked.
};

/// The allocator of that linkage name, or null.
const Allocator *findAllocator(llvm::StringRef Name);

/// Whether a definition of A's name has its parameters and result.
bool fitsSignature(const llvm::FunctionType &Type, const Allocator &A,
                   const llvm::DataLayout &DL);

/// The hooked allocator that CB calls directly, or null.
const Allocator *getHookedCallee(const llvm::CallBase &CB);

/// What a direct call of GV is to a report: an allocator's kind, or
/// BM_KIND_CALL also where the program defines a function of its own with an
/// allocator's name.
bm_kind getCallKind(llvm::StringRef Name, const llvm::GlobalValue *GV);

/// Whether calls inside F stay as they are. True for a definition of an
/// allocator itself: its inner calls belong to the call of it, and a hook
/// there could come to call itself. Also for what runs before relocation
/// (resolvers of indirect functions) and for naked functions.
bool isLeftAlone(const llvm::Function &F);

} // namespace benchmem

#endif
