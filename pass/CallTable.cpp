// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CallTable.h"
#include "Allocators.h"
#include "Compat.h"
#include "FrameBuilder.h"
#include "Names.h"
#include "Stamps.h"
#include "TableEmitter.h"
#include "Target.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineInstrBundle.h"
#include "llvm/IR/Function.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCSectionELF.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSymbolELF.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace benchmem {

namespace {
class CallTable : public PrinterHandler {
public:
  explicit CallTable(AsmPrinter &Printer) : Printer(Printer), Builder(Table) {}

  void beginFunction(const MachineFunction *MF) override;
  void endModule() override;

private:
  struct Entry {
    MCSymbol *ReturnPC;
    TableId Frame;
    int32_t Stamp;
  };

  void addCall(MachineFunction &MF, MachineInstr &MI, int32_t Stamp);
  void emitFrames(MCSymbol *Start);
  void emitCalls(const MCSection *Code, ArrayRef<Entry> Calls,
                 const MCSymbol *Frames, unsigned UniqueId);
  void emitDistance(const MCExpr *To);

  AsmPrinter &Printer;
  FrameTable Table;
  FrameBuilder Builder;
  std::vector<Entry> Entries;
};

//===- Reading machine code -----------------------------------------------===//

/// Code that the compiler puts between an indirect call and its target.
bool isThunk(StringRef Name) {
  return Name.starts_with("__llvm_retpoline_") ||
         Name.starts_with("__llvm_lvi_thunk_") ||
         Name.starts_with("__x86_indirect_thunk_");
}

/// What a call instruction calls. The operand that names it is the first
/// symbol; an indirect call has none.
CallTarget getTarget(const MachineInstr &MI) {
  CallTarget Target;
  const GlobalValue *Global = nullptr;
  auto Operands = const_mi_bundle_ops(MI);
  for (const MachineOperand &MO : Operands) {
    if (MO.isGlobal()) {
      Global = MO.getGlobal();
      Target.Callee = dropEscape(Global->getName());
    } else if (MO.isSymbol()) {
      Target.Callee = MO.getSymbolName();
    } else if (MO.isMCSymbol()) {
      Target.Callee = MO.getMCSymbol()->getName();
    } else {
      continue;
    }
    break;
  }
  // A variable in the operands is where the address is loaded from.
  if (isa_and_nonnull<GlobalVariable>(Global) || isThunk(Target.Callee))
    Target.Callee = "";
  if (Target.Callee.empty())
    Target.Flags |= BM_FRAME_INDIRECT;
  else
    Target.Kind = getCallKind(Target.Callee, Global);
  if (MI.isReturn())
    Target.Flags |= BM_FRAME_TAIL;
  return Target;
}

bool isRealCall(const MachineInstr &MI) {
  return MI.isCall() && !MI.isInlineAsm() && !MI.isMetaInstruction() &&
         MI.getOpcode() != TargetOpcode::STACKMAP;
}

void CallTable::beginFunction(const MachineFunction *MF) {
  // Handlers are given a const function, but run before it is printed: a
  // symbol behind an instruction is all that changes.
  MachineFunction &Mutable = *const_cast<MachineFunction *>(MF);
  int32_t Stamp = getStampOffset(Mutable).value_or(0);
  for (MachineBasicBlock &Block : Mutable)
    for (MachineInstr &MI : Block)
      if (isRealCall(MI))
        addCall(Mutable, MI, Stamp);
}

void CallTable::addCall(MachineFunction &MF, MachineInstr &MI, int32_t Stamp) {
  CallTarget Target = getTarget(MI);
  // A hook is told its call; that a function can be left by a jump to one is
  // told here, by the jump.
  if (Target.Callee.starts_with(BM_ABI_HOOK_PREFIX)) {
    if (!MI.isReturn())
      return;
    Target.Callee = "";
    Target.Kind = BM_KIND_CALL;
  }
  MCSymbol *After = MI.getPostInstrSymbol();
  if (!After) {
    After = Printer.OutContext.createTempSymbol("benchmem_call");
    MI.setPostInstrSymbol(MF, After);
  }
  const Function &F = MF.getFunction();
  const DILocation *Loc = MI.getDebugLoc();
  DISubprogram *SP = F.getSubprogram();
  if (!Loc && SP)
    Loc = DILocation::get(F.getContext(), 0, 0, SP);
  TableId Frame = Builder.addCall(Loc, dropEscape(F.getName()), Target);
  // A jump has left the frame.
  bool HasStamp = !MI.isReturn() && !mayPrecedeStamp(Target.Callee);
  Entries.push_back({After, Frame, HasStamp ? Stamp : 0});
}

//===- Writing ------------------------------------------------------------===//

/// A word with the distance from itself to To.
void CallTable::emitDistance(const MCExpr *To) {
  MCContext &Ctx = Printer.OutContext;
  MCSymbol *Here = Ctx.createTempSymbol();
  Printer.OutStreamer->emitLabel(Here);
  const MCExpr *From = MCSymbolRefExpr::create(Here, Ctx);
  Printer.OutStreamer->emitValue(MCBinaryExpr::createSub(To, From, Ctx), 4);
}

void CallTable::emitFrames(MCSymbol *Start) {
  TableImage Image = Table.layout();
  MCStreamer &Out = *Printer.OutStreamer;
  Out.switchSection(Printer.OutContext.getELFSection(
      TableSection, ELF::SHT_PROGBITS, ELF::SHF_ALLOC));
  Out.emitValueToAlignment(Align(4));
  Out.emitLabel(Start);
  for (const auto &Words : Image.Frames) {
    for (uint32_t Word : ArrayRef(Words).drop_back())
      Out.emitInt32(Word);
    Out.emitInt16(TableImage::kind(Words.back()));
    Out.emitInt16(TableImage::flags(Words.back()));
  }
  for (uint32_t Word : Image.Words)
    Out.emitInt32(Word);
  Out.emitBytes(Image.Strings);
}

/// The calls of one code section. The linker orders, keeps and drops the
/// entries with that section, and with its group if it is in one.
void CallTable::emitCalls(const MCSection *Code, ArrayRef<Entry> Calls,
                          const MCSymbol *Frames, unsigned UniqueId) {
  MCContext &Ctx = Printer.OutContext;
  const auto *Section = cast<MCSectionELF>(Code);
  const MCSymbolELF *Group = Section->getGroup();
  unsigned Flags = ELF::SHF_ALLOC | ELF::SHF_LINK_ORDER;
  if (Group)
    Flags |= ELF::SHF_GROUP;
  MCStreamer &Out = *Printer.OutStreamer;
  Out.switchSection(
      Ctx.getELFSection(BM_ABI_SECTION_CALLS, ELF::SHT_PROGBITS, Flags,
                        /*EntrySize=*/0, Group, Group && Section->isComdat(),
                        UniqueId, cast<MCSymbolELF>(Calls.front().ReturnPC)));
  Out.emitValueToAlignment(Align(4));
  const MCExpr *Start = MCSymbolRefExpr::create(Frames, Ctx);
  for (const Entry &Call : Calls) {
    emitDistance(MCSymbolRefExpr::create(Call.ReturnPC, Ctx));
    const MCExpr *Offset =
        MCConstantExpr::create(Table.getFrameOffset(Call.Frame), Ctx);
    emitDistance(MCBinaryExpr::createAdd(Start, Offset, Ctx));
    Out.emitInt32(static_cast<uint32_t>(Call.Stamp));
  }
}

void CallTable::endModule() {
  // A label that was never printed belongs to code that was dropped.
  MapVector<const MCSection *, std::vector<Entry>> BySection;
  for (const Entry &Call : Entries)
    if (Call.ReturnPC->isInSection())
      BySection[&Call.ReturnPC->getSection()].push_back(Call);
  if (BySection.empty())
    return;
  Printer.OutStreamer->pushSection();
  MCSymbol *Frames = Printer.OutContext.createTempSymbol("benchmem_frames");
  emitFrames(Frames);
  unsigned UniqueId = 0;
  for (const auto &[Code, Calls] : BySection)
    emitCalls(Code, Calls, Frames, UniqueId++);
  Printer.OutStreamer->popSection();
}

//===- Getting there ------------------------------------------------------===//

/// The targets as they were.
std::map<const Target *, Target> &originals() {
  static std::map<const Target *, Target> Map;
  return Map;
}

AsmPrinter *createPrinter(TargetMachine &TM,
                          std::unique_ptr<MCStreamer> &&Streamer) {
  const Target &Original = originals().at(&TM.getTarget());
  AsmPrinter *Printer = Original.createAsmPrinter(TM, std::move(Streamer));
  if (Printer && isSupportedTarget(TM.getTargetTriple()))
    addHandler(*Printer, std::make_unique<CallTable>(*Printer));
  return Printer;
}
} // namespace

void installCallTable() {
  if (!originals().empty())
    return;
  for (const Target &T : TargetRegistry::targets()) {
    originals().emplace(&T, T);
    TargetRegistry::RegisterAsmPrinter(const_cast<Target &>(T), createPrinter);
  }
}

} // namespace benchmem
