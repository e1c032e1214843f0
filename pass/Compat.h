// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that differs between the LLVM versions that the plugin can be
// built for (16 to 22), so that no other file asks for a version.
#ifndef BENCHMEM_PASS_COMPAT_H
#define BENCHMEM_PASS_COMPAT_H

#include "llvm/CodeGen/AsmPrinter.h"
#include "llvm/CodeGen/AsmPrinterHandler.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Passes/PassBuilder.h"
#include <memory>

namespace benchmem {

/// An AsmPrinterHandler with only the two events that the plugin needs left
/// to implement.
class PrinterHandler : public llvm::AsmPrinterHandler {
#if LLVM_VERSION_MAJOR < 19
public:
  void setSymbolSize(const llvm::MCSymbol *, uint64_t) override {}
  void beginInstruction(const llvm::MachineInstr *) override {}
  void endInstruction() override {}
#endif
public:
  void endFunction(const llvm::MachineFunction *) override {}
};

inline void addHandler(llvm::AsmPrinter &Printer,
                       std::unique_ptr<PrinterHandler> Handler) {
#if LLVM_VERSION_MAJOR < 19
  using Info = llvm::AsmPrinter::HandlerInfo;
  Printer.addAsmPrinterHandler(
      Info(std::move(Handler), "calls", "Call table", "benchmem", "benchmem"));
#else
  Printer.addAsmPrinterHandler(std::move(Handler));
#endif
}

/// Promises that a call keeps no copy of a pointer argument.
inline void addNoCapture(llvm::CallBase &CB, unsigned Arg) {
#if LLVM_VERSION_MAJOR < 21
  CB.addParamAttr(Arg, llvm::Attribute::NoCapture);
#else
  CB.addParamAttr(Arg, llvm::Attribute::getWithCaptureInfo(
                           CB.getContext(), llvm::CaptureInfo::none()));
#endif
}

/// Runs Add(MPM) at the start of each pipeline, before any other pass.
template <typename Callback>
void atPipelineStart(llvm::PassBuilder &PB, Callback Add) {
  PB.registerPipelineStartEPCallback(
      [Add](llvm::ModulePassManager &MPM, llvm::OptimizationLevel) {
        Add(MPM);
      });
}

/// Runs Add(MPM, Optimizes) after the last optimization of each pipeline.
template <typename Callback>
void atOptimizerLast(llvm::PassBuilder &PB, Callback Add) {
  auto Call = [Add](llvm::ModulePassManager &MPM,
                    llvm::OptimizationLevel Level) {
    Add(MPM, Level != llvm::OptimizationLevel::O0);
  };
#if LLVM_VERSION_MAJOR < 20
  PB.registerOptimizerLastEPCallback(Call);
#else
  PB.registerOptimizerLastEPCallback(
      [Call](llvm::ModulePassManager &MPM, llvm::OptimizationLevel Level,
             llvm::ThinOrFullLTOPhase) { Call(MPM, Level); });
#endif
}

} // namespace benchmem

#endif
