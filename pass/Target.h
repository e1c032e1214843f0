// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which targets there is a recorder for. Code for any other is left as plain
// Clang makes it.
#ifndef BENCHMEM_PASS_TARGET_H
#define BENCHMEM_PASS_TARGET_H

#include "llvm/TargetParser/Triple.h"

namespace benchmem {

inline bool isSupportedTarget(const llvm::Triple &T) {
  return T.isOSLinux() && T.isOSBinFormatELF() && !T.isX32() &&
         (T.getArch() == llvm::Triple::x86_64 ||
          T.getArch() == llvm::Triple::aarch64);
}

} // namespace benchmem

#endif
