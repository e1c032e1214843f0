// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the AST of a translation unit into the SourceInfo of the process:
// allocating calls with what they are for, wrappers, parameters of benchmark
// functions, files. Runs when the unit is parsed and before code for it is
// optimized; changes nothing.
#ifndef BENCHMEM_PASS_COLLECTOR_H
#define BENCHMEM_PASS_COLLECTOR_H

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include <memory>

namespace benchmem {

std::unique_ptr<clang::ASTConsumer>
makeCollector(clang::CompilerInstance &Instance);

} // namespace benchmem

#endif
