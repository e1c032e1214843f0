// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TableEmitter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;

namespace benchmem {

namespace {
Constant *makeFrames(LLVMContext &Ctx, const TableImage &Image) {
  Type *I32 = Type::getInt32Ty(Ctx), *I16 = Type::getInt16Ty(Ctx);
  StructType *FrameType =
      StructType::get(I32, I32, I32, I32, I32, I32, I16, I16);
  std::vector<Constant *> Frames;
  for (const auto &Words : Image.Frames) {
    SmallVector<Constant *, 8> Fields;
    for (uint32_t Word : ArrayRef(Words).drop_back())
      Fields.push_back(ConstantInt::get(I32, Word));
    Fields.push_back(ConstantInt::get(I16, TableImage::kind(Words.back())));
    Fields.push_back(ConstantInt::get(I16, TableImage::flags(Words.back())));
    Frames.push_back(ConstantStruct::get(FrameType, Fields));
  }
  return ConstantArray::get(ArrayType::get(FrameType, Frames.size()), Frames);
}
} // namespace

void placeInSection(GlobalVariable &Entry, StringRef Section) {
  Entry.setSection(Section);
  Entry.setAlignment(Align(4));
  GlobalValue::SanitizerMetadata NoSanitizer;
  NoSanitizer.NoAddress = true;
  NoSanitizer.NoHWAddress = true;
  Entry.setSanitizerMetadata(NoSanitizer);
}

GlobalVariable *emitTable(Module &M, FrameTable &Table, StringRef Name) {
  LLVMContext &Ctx = M.getContext();
  TableImage Image = Table.layout();
  Constant *Init = ConstantStruct::getAnon(
      {makeFrames(Ctx, Image), ConstantDataArray::get(Ctx, Image.Words),
       ConstantDataArray::getString(Ctx, Image.Strings, /*AddNull=*/false)},
      /*Packed=*/true);
  auto *Global = new GlobalVariable(M, Init->getType(), /*isConstant=*/true,
                                    GlobalValue::PrivateLinkage, Init, Name);
  placeInSection(*Global, TableSection);
  return Global;
}

Constant *getDistance(Constant *To, uint64_t ToOffset, GlobalVariable &From,
                      uint64_t FromOffset) {
  LLVMContext &Ctx = From.getContext();
  Type *I8 = Type::getInt8Ty(Ctx), *I64 = Type::getInt64Ty(Ctx);
  auto Address = [&](Constant *Base, uint64_t Offset) {
    if (Offset)
      Base = ConstantExpr::getInBoundsGetElementPtr(
          I8, Base, ArrayRef<Constant *>(ConstantInt::get(I64, Offset)));
    return ConstantExpr::getPtrToInt(Base, I64);
  };
  return ConstantExpr::getTrunc(
      ConstantExpr::getSub(Address(To, ToOffset), Address(&From, FromOffset)),
      Type::getInt32Ty(Ctx));
}

void separate(GlobalVariable &Entry, Function &F) {
  Comdat *Group = F.getComdat();
  if (!Group) {
    // A group of its own makes a section of its own. Tied to the function's
    // section it could be lost, where `ld -r` merges sections of one name.
    Group = F.getParent()->getOrInsertComdat(Entry.getName());
    Group->setSelectionKind(Comdat::NoDeduplicate);
  }
  Entry.setComdat(Group);
}

void tieToFunction(GlobalVariable &Entry, Function &F) {
  Entry.setMetadata(LLVMContext::MD_associated,
                    MDNode::get(F.getContext(), ValueAsMetadata::get(&F)));
  if (Comdat *Group = F.getComdat())
    Entry.setComdat(Group);
}

} // namespace benchmem
