// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code before one access that marks in the cells of runtime/abi.h what it
// reads or writes: inline for a constant number of bytes, else by a call of
// the recorder. Whoever decides what is accessed, asks here. Nothing is put in
// for a pointer that is provably no heap.
//
// A function is entered first, which loads what all inline marks of it begin
// with. Marks split blocks.
#ifndef BENCHMEM_PASS_ACCESSMARKS_H
#define BENCHMEM_PASS_ACCESSMARKS_H

#include "Accesses.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace benchmem {

class AccessMarks {
public:
  /// Declares what the marks refer to.
  explicit AccessMarks(llvm::Module &M);

  /// Begins the marks of F, before its instructions are looked at one by one.
  void enter(llvm::Function &F);

  /// Ends them: takes away what no mark has used.
  void leave();

  void mark(const Access &A);

  /// Of a load or store whose vector has no constant size.
  void markScalable(llvm::Instruction &I);

  // Calls of the recorder where Builder stands. Sizes are integers of any
  // width; What is enum bm_access_what.

  /// Size bytes.
  void callRange(llvm::IRBuilder<> &Builder, llvm::Value *Pointer,
                 llvm::Value *Size, unsigned What);

  /// Through the terminator, Most bytes at most.
  void callString(llvm::IRBuilder<> &Builder, llvm::Value *Pointer,
                  llvm::Value *Most, unsigned What);

  /// Elements of Size bytes that lie together, those whose bit is set.
  void callLanes(llvm::IRBuilder<> &Builder, llvm::Value *Pointer,
                 uint64_t Size, llvm::Value *Bits, unsigned What);

  /// The block of Pointer is touched in a way that nothing tells.
  void callEscape(llvm::IRBuilder<> &Builder, llvm::Value *Pointer);

private:
  llvm::FunctionCallee declare(llvm::StringRef Name,
                               llvm::ArrayRef<llvm::Type *> Parameters);
  void call(llvm::IRBuilder<> &Builder, llvm::FunctionCallee Callee,
            llvm::ArrayRef<llvm::Value *> Arguments);
  llvm::Value *loadOrigin(llvm::IRBuilder<> &Builder, llvm::Value *Address);
  llvm::Value *makeMarks(llvm::IRBuilder<> &Builder, llvm::Value *Address,
                         uint64_t Size, llvm::Align Known, unsigned What);
  void markPiece(llvm::Instruction &At, llvm::Value *Pointer, uint64_t Size,
                 llvm::Align Known, unsigned What);
  llvm::Instruction *splitStraddling(llvm::Instruction &At,
                                     llvm::Value *Pointer, llvm::Value *Address,
                                     uint64_t Size, unsigned What);
  void touch(llvm::Instruction &At, llvm::Value *Cell);
  llvm::LoadInst *load(llvm::IRBuilder<> &Builder, llvm::Value *From);
  template <typename T> T *ours(T *I);

  llvm::Module &M;
  llvm::LLVMContext &Ctx;
  const llvm::DataLayout &DL;
  llvm::Type *I32, *I64, *Ptr;
  llvm::FunctionCallee Mark, Range, String, Lanes, Escape;
  llvm::GlobalVariable *View;
  llvm::Value *Map = nullptr; ///< What View holds, in the present function.
};

} // namespace benchmem

#endif
