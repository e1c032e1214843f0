// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AllocExpr.h"
#include "Allocators.h"
#include "Names.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/Builtins.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;
using llvm::StringRef;

namespace benchmem {

namespace {
/// Expressions are shown on one line of a report; longer ones say little.
constexpr size_t MaxText = 120;

/// The type that `sizeof` or `offsetof` asks about, null for other things.
QualType getMeasuredType(const Expr *E) {
  if (const auto *Sizeof = dyn_cast<UnaryExprOrTypeTraitExpr>(E))
    if (Sizeof->getKind() == UETT_SizeOf)
      return Sizeof->getTypeOfArgument();
  if (const auto *Offset = dyn_cast<OffsetOfExpr>(E))
    return Offset->getTypeSourceInfo()->getType();
  return QualType();
}

/// `sizeof a / sizeof a[0]` and the like.
bool isNumberOfElements(const Stmt *S) {
  const auto *Quotient = dyn_cast<BinaryOperator>(S);
  if (!Quotient || Quotient->getOpcode() != BO_Div)
    return false;
  const Expr *Left = Quotient->getLHS()->IgnoreParenCasts();
  const Expr *Right = Quotient->getRHS()->IgnoreParenCasts();
  return !getMeasuredType(Left).isNull() && !getMeasuredType(Right).isNull();
}

void findMeasuredTypes(const Stmt *S, llvm::SmallVectorImpl<QualType> &Found) {
  if (!S || isNumberOfElements(S))
    return;
  if (const auto *E = dyn_cast<Expr>(S)) {
    QualType T = getMeasuredType(E);
    if (!T.isNull()) {
      Found.push_back(T);
      return;
    }
  }
  for (const Stmt *Child : S->children())
    findMeasuredTypes(Child, Found);
}

bool isMeasured(const Expr *E) {
  llvm::SmallVector<QualType, 2> Types;
  findMeasuredTypes(E, Types);
  return !Types.empty();
}

/// The factors of a product, from the left.
void findFactors(const Expr *E, llvm::SmallVectorImpl<const Expr *> &Factors) {
  const auto *Product = dyn_cast<BinaryOperator>(E->IgnoreParenCasts());
  if (!Product || Product->getOpcode() != BO_Mul) {
    Factors.push_back(E);
    return;
  }
  findFactors(Product->getLHS(), Factors);
  findFactors(Product->getRHS(), Factors);
}

/// What a pointer points to, unless that says nothing.
QualType getPointee(QualType T) {
  QualType Pointee = T.isNull() ? T : T->getPointeeType();
  if (Pointee.isNull() || Pointee->isVoidType() || Pointee->isFunctionType())
    return QualType();
  return Pointee;
}

/// A flexible array member's struct has two sizes in one expression; the one
/// that the result points to is meant, else the first.
QualType choose(llvm::ArrayRef<QualType> Measured, QualType Target) {
  if (Measured.empty())
    return Target;
  for (QualType T : Measured)
    if (!Target.isNull() && T.getCanonicalType().getUnqualifiedType() ==
                                Target.getCanonicalType().getUnqualifiedType())
      return T;
  return Measured.front();
}
} // namespace

//===- Names --------------------------------------------------------------===//

LinkageNames::LinkageNames(ASTContext &Ctx)
    : Mangler(Ctx.createMangleContext()) {}

std::string LinkageNames::get(GlobalDecl D) {
  const auto *F = cast<NamedDecl>(D.getDecl());
  if (!Mangler->shouldMangleDeclName(F))
    return F->getIdentifier() ? F->getName().str() : std::string();
  std::string Name;
  llvm::raw_string_ostream Out(Name);
  Mangler->mangleName(D, Out);
  Out.flush();
  return dropEscape(Name).str();
}

llvm::SmallVector<std::string, 2> LinkageNames::getAll(const FunctionDecl &F) {
  if (const auto *Ctor = dyn_cast<CXXConstructorDecl>(&F))
    return {get(GlobalDecl(Ctor, Ctor_Complete)),
            get(GlobalDecl(Ctor, Ctor_Base))};
  if (const auto *Dtor = dyn_cast<CXXDestructorDecl>(&F))
    return {get(GlobalDecl(Dtor, Dtor_Complete)),
            get(GlobalDecl(Dtor, Dtor_Base))};
  return {get(GlobalDecl(&F))};
}

AllocExpr::AllocExpr(ASTContext &Ctx)
    : Ctx(Ctx), Policy(Ctx.getPrintingPolicy()), Names(Ctx) {
  Policy.AnonymousTagLocations = false; // they hold paths
  Policy.SuppressUnwrittenScope = true;
}

std::string AllocExpr::getCallee(const CallExpr &Call) {
  const FunctionDecl *F = Call.getDirectCallee();
  if (!F)
    return "";
  switch (F->getBuiltinID()) {
  case Builtin::NotBuiltin:
    break;
  case Builtin::BI__builtin_operator_new:
    return Call.getNumArgs() == 1 ? "_Znwm" : "_ZnwmSt11align_val_t";
  default:
    StringRef Name = F->getName();
    Name.consume_front("__builtin_");
    return Name.str();
  }
  if (isa<CXXConstructorDecl, CXXDestructorDecl>(F))
    return "";
  return Names.get(GlobalDecl(F));
}

std::string AllocExpr::getCallee(const CXXNewExpr &New) {
  const FunctionDecl *F = New.getOperatorNew();
  return F ? Names.get(GlobalDecl(F)) : std::string();
}

//===- Which calls --------------------------------------------------------===//

bool AllocExpr::hasAllocatorAttribute(const FunctionDecl &F) {
  if (F.hasAttr<RestrictAttr>() || F.hasAttr<AllocSizeAttr>() ||
      F.hasAttr<AllocAlignAttr>())
    return true;
  return llvm::any_of(F.specific_attrs<OwnershipAttr>(),
                      [](const OwnershipAttr *A) {
                        return A->getOwnKind() == OwnershipAttr::Returns;
                      });
}

bool AllocExpr::mayAllocate(const CallExpr &Call) {
  if (Call.isTypeDependent() || Call.isValueDependent())
    return false;
  const FunctionDecl *F = Call.getDirectCallee();
  if (F && hasAllocatorAttribute(*F))
    return true;
  // Clang knows what memcpy and its like return.
  if (Call.getType()->isVoidPointerType() && !(F && F->getBuiltinID()))
    return true;
  if (!F)
    return false;
  // The rest of the table returns int or char *.
  QualType T = Call.getType();
  return (T->isPointerType() || T->isIntegerType()) && F->getIdentifier() &&
         F->isExternC() && findAllocator(getCallee(Call));
}

//===- What for -----------------------------------------------------------===//

/// By position for the allocators of the table, by attribute for others,
/// else the arguments that a size is measured in.
AllocExpr::SizeArguments AllocExpr::findSizeArguments(const CallExpr &Call) {
  const Allocator *A = findAllocator(getCallee(Call));
  auto Arg = [&](unsigned I) {
    return I < Call.getNumArgs() ? Call.getArg(I) : nullptr;
  };
  switch (A ? A->Sig : Signature::None) {
  case Signature::P_S:
  case Signature::P_SR:
    return {Arg(0), nullptr, nullptr};
  case Signature::P_SS:
    if (A->Kind == BM_KIND_CALLOC)
      return {Arg(1), Arg(0), nullptr};
    return A->Kind == BM_KIND_ALIGNED ? SizeArguments{Arg(1)}
                                      : SizeArguments{Arg(0)};
  case Signature::P_PS:
  case Signature::P_CS:
    return {Arg(1), nullptr, nullptr};
  case Signature::P_PSS:
    return {Arg(2), Arg(1), nullptr};
  case Signature::I_PSS:
    return {Arg(2), nullptr, Arg(0)};
  case Signature::P_SSR:
    return {Arg(0), nullptr, nullptr};
  case Signature::P_C:
    return {};
  case Signature::None:
    break;
  }
  // asprintf(&p, ...), getline(&p, ...)
  if (A && A->Kind == BM_KIND_STDIO && Call.getType()->isIntegerType())
    return {nullptr, nullptr, Arg(0)};

  SizeArguments Sizes;
  const FunctionDecl *F = Call.getDirectCallee();
  if (const auto *Attr = F ? F->getAttr<AllocSizeAttr>() : nullptr) {
    Sizes.Size = Arg(Attr->getElemSizeParam().getASTIndex());
    if (Attr->getNumElemsParam().isValid())
      Sizes.Count = Arg(Attr->getNumElemsParam().getASTIndex());
    return Sizes;
  }
  for (const Expr *E : Call.arguments())
    if (!Sizes.Size && isMeasured(E))
      Sizes.Size = E;
  return Sizes;
}

/// As written, with macros; what is a part of one is printed anew.
std::string AllocExpr::getText(const Expr *E) {
  if (!E)
    return "";
  E = E->IgnoreImpCasts();
  std::string Text;
  CharSourceRange Range = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(E->getSourceRange()),
      Ctx.getSourceManager(), Ctx.getLangOpts());
  if (Range.isValid()) {
    Text =
        Lexer::getSourceText(Range, Ctx.getSourceManager(), Ctx.getLangOpts())
            .str();
  } else {
    llvm::raw_string_ostream Out(Text);
    E->printPretty(Out, nullptr, Policy);
  }
  std::string Line;
  for (StringRef Rest = StringRef(Text).trim(); !Rest.empty();) {
    size_t End = std::min(Rest.size(), Rest.find_first_of(" \t\r\n\v\f"));
    Line += (Line.empty() ? "" : " ") + Rest.take_front(End).str();
    Rest = Rest.drop_front(End).ltrim();
  }
  return Line.size() > MaxText ? std::string() : Line;
}

/// Without template parameters, decltype and the like, down to a typedef of a
/// namespace: `size_t`, but not `std::remove_extent<int[]>::type`.
QualType AllocExpr::desugar(QualType T) const {
  while (true) {
    const auto *Typedef = dyn_cast<TypedefType>(T);
    if (Typedef && Typedef->getDecl()->getDeclContext()->isFileContext())
      break;
    QualType Next = T.getSingleStepDesugaredType(Ctx);
    if (Next == T)
      break;
    T = Next;
  }
  return T;
}

/// One type has one name: a typedef of a struct or union is that struct,
/// whereas `uint8_t` says more than `unsigned char`.
std::string AllocExpr::getTypeName(QualType T) {
  if (T.isNull())
    return "";
  T = desugar(T.getUnqualifiedType());
  QualType Base = T;
  while (true) {
    QualType Next = Base->getPointeeType();
    if (Next.isNull() && Base->isArrayType())
      Next = Ctx.getBaseElementType(Base);
    if (Next.isNull())
      break;
    Base = Next;
  }
  if (Base->getAs<TagType>())
    T = T.getCanonicalType().getUnqualifiedType();
  return T.getAsString(Policy);
}

/// The factors beside the measured one, in the arguments and in products.
std::string AllocExpr::getCount(const SizeArguments &Sizes) {
  llvm::SmallVector<const Expr *, 4> Factors, Others;
  if (Sizes.Count)
    findFactors(Sizes.Count, Factors);
  if (Sizes.Size)
    findFactors(Sizes.Size, Factors);
  for (const Expr *E : Factors)
    if (!isMeasured(E))
      Others.push_back(E);
  // The number of what has no known size is told by calloc and its like alone.
  if (Sizes.Count && Others.size() == Factors.size())
    return getText(Sizes.Count->IgnoreParens());
  if (Others.size() + 1 != Factors.size())
    return "";
  if (Others.size() == 1)
    return getText(Others.front()->IgnoreParenImpCasts());
  std::string Count;
  for (const Expr *E : Others)
    Count += (Count.empty() ? "" : " * ") + getText(E);
  return Count.size() > MaxText ? std::string() : Count;
}

CallDetail AllocExpr::getDetail(const CallExpr &Call, QualType Target) {
  SizeArguments Sizes = findSizeArguments(Call);
  QualType Pointee = getPointee(Target.isNull() ? Call.getType() : Target);
  if (Sizes.Result) {
    const Expr *Result = Sizes.Result->IgnoreParenCasts();
    Pointee = getPointee(Result->getType()->getPointeeType());
  }
  llvm::SmallVector<QualType, 2> Measured;
  findMeasuredTypes(Sizes.Size, Measured);
  findMeasuredTypes(Sizes.Count, Measured);

  CallDetail Detail;
  Detail.Type = getTypeName(choose(Measured, Pointee));
  Detail.SizeExpr = getText(Sizes.Size);
  if (Sizes.Count && !Detail.SizeExpr.empty())
    Detail.SizeExpr = getText(Sizes.Count) + " * " + Detail.SizeExpr;
  Detail.Count = getCount(Sizes);
  return Detail;
}

CallDetail AllocExpr::getDetail(const CXXNewExpr &New) {
  CallDetail Detail;
  Detail.Type = getTypeName(New.getAllocatedType());
  if (std::optional<const Expr *> Size = New.getArraySize())
    Detail.Count = getText(*Size);
  return Detail;
}

} // namespace benchmem
