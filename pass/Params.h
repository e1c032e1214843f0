// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the parameters of a benchmark function among its machine arguments.
#ifndef BENCHMEM_PASS_PARAMS_H
#define BENCHMEM_PASS_PARAMS_H

#include "SourceInfo.h"
#include "runtime/abi.h"
#include "llvm/IR/Argument.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"

namespace benchmem {

struct BoundParam {
  std::string Name;
  bm_param_type Type;
  llvm::Argument *Arg;
  bool SignedBits; ///< How an integer is widened.
};

/// The scalar parameters, in order. A parameter passed by value in several
/// pieces is matched by what the arguments around it leave over; where that
/// has no answer the function has no parameters.
std::vector<BoundParam> bindParams(llvm::Function &F,
                                   const BenchmarkInfo &Info);

/// The argument that is the function's `benchmark::State &`, or null.
llvm::Argument *bindState(llvm::Function &F, const BenchmarkInfo &Info);

/// The value of a parameter as __benchmem_enter takes it: 64 bits.
llvm::Value *getParamBits(llvm::IRBuilder<> &Builder, const BoundParam &Param);

} // namespace benchmem

#endif
