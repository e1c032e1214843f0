// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Collector.h"
#include "AllocExpr.h"
#include "Options.h"
#include "SourceInfo.h"
#include "Wrappers.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecordLayout.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using llvm::StringRef;

namespace benchmem {

namespace {
//===- Files --------------------------------------------------------------===//

/// The names that debug information gives to files, and the given ones.
class FileNames {
public:
  explicit FileNames(CompilerInstance &Instance)
      : SM(Instance.getSourceManager()), Opts(Instance.getCodeGenOpts()) {
    Dir = Opts.DebugCompilationDir;
    if (Dir.empty())
      if (auto Current = SM.getFileManager()
                             .getVirtualFileSystem()
                             .getCurrentWorkingDirectory())
        Dir = *Current;
    Dir = remap(Dir);
  }

  /// Notes the file that Loc is in, as `#line` may name it.
  void add(SourceLocation Loc) {
    PresumedLoc Place = SM.getPresumedLoc(SM.getExpansionLoc(Loc));
    if (Place.isInvalid() || !Seen.insert(Place.getFilename()).second)
      return;
    std::string Name = remap(Place.getFilename());
    llvm::SmallString<128> Path;
    if (!llvm::sys::path::is_absolute(Name))
      Path = Dir;
    llvm::sys::path::append(Path, Name);
    SourceInfo::get().addFile(Path, {Name, SM.isInSystemHeader(Loc)});
  }

private:
  std::string remap(StringRef Path) const {
    llvm::SmallString<128> Mapped = Path;
    for (const auto &[From, To] : llvm::reverse(Opts.DebugPrefixMap))
      if (llvm::sys::path::replace_path_prefix(Mapped, From, To))
        break;
    return Mapped.str().str();
  }

  SourceManager &SM;
  const CodeGenOptions &Opts;
  std::string Dir;
  llvm::StringSet<> Seen;
};

//===- Benchmarks ---------------------------------------------------------===//

bool isMarkedBenchmark(const FunctionDecl &F) {
  return llvm::any_of(F.specific_attrs<AnnotateAttr>(),
                      [](const AnnotateAttr *A) {
                        return A->getAnnotation() == "benchmem.benchmark";
                      });
}

ParamInfo describeParam(const ParmVarDecl &P, const ASTContext &Ctx) {
  QualType T = P.getType().getCanonicalType().getUnqualifiedType();
  ParamInfo Param;
  Param.Name = P.getName().str();
  if (Param.Name.empty())
    Param.Name = "arg" + std::to_string(P.getFunctionScopeIndex() + 1);
  if (T->isBooleanType()) {
    Param.How = ParamInfo::Kind::Bool;
  } else if (T->isIntegralOrEnumerationType()) {
    Param.How = T->isSignedIntegerOrEnumerationType()
                    ? ParamInfo::Kind::Signed
                    : ParamInfo::Kind::Unsigned;
    if (const auto *Enum = T->getAs<EnumType>())
      T = Enum->getDecl()->getIntegerType();
    Param.Bits = Ctx.getIntWidth(T);
    if (Param.Bits > 64)
      Param.How = ParamInfo::Kind::Aggregate;
  } else if (T->isRealFloatingType()) {
    Param.How = ParamInfo::Kind::Double;
  } else if (T->isPointerType() && T->getPointeeType()->isCharType()) {
    // `unsigned char *` is memory, not text.
    QualType Char = T->getPointeeType().getUnqualifiedType();
    Param.How = Ctx.hasSameType(Char, Ctx.CharTy) ? ParamInfo::Kind::String
                                                  : ParamInfo::Kind::Pointer;
  } else if (T->hasPointerRepresentation()) {
    Param.How = ParamInfo::Kind::Pointer;
  }
  return Param;
}

/// The `benchmark::State` that a parameter refers to, or null.
const CXXRecordDecl *getState(const ParmVarDecl &P) {
  if (!P.getType()->isLValueReferenceType())
    return nullptr;
  const CXXRecordDecl *Record =
      P.getType().getNonReferenceType()->getAsCXXRecordDecl();
  if (!Record || !Record->hasDefinition() || Record->isDependentContext())
    return nullptr;
  Record = Record->getDefinition();
  return Record->getQualifiedNameAsString() == "benchmark::State" ? Record
                                                                  : nullptr;
}

/// Whether F gets a State, and is none of the library's own functions.
bool isGoogleBenchmark(const FunctionDecl &F) {
  const auto *Space = dyn_cast<NamespaceDecl>(F.getEnclosingNamespaceContext());
  for (; Space; Space = dyn_cast<NamespaceDecl>(Space->getParent()))
    if (Space->getName() == "benchmark")
      return false;
  return llvm::any_of(F.parameters(),
                      [](const ParmVarDecl *P) { return getState(*P); });
}

/// Where the State's arguments are, if it is laid out as known.
void findRange(const CXXRecordDecl &State, const ASTContext &Ctx,
               BenchmarkInfo &Info) {
  const ASTRecordLayout &Layout = Ctx.getASTRecordLayout(&State);
  for (const FieldDecl *Field : State.fields())
    if (Field->getName() == "range_") {
      Info.StateParam = Info.Params.size();
      Info.RangeOffset = Layout.getFieldOffset(Field->getFieldIndex()) / 8;
    }
}

BenchmarkInfo describeBenchmark(const FunctionDecl &F) {
  BenchmarkInfo Info;
  if (const auto *Method = dyn_cast<CXXMethodDecl>(&F))
    if (Method->isInstance())
      Info.Params.push_back({"this", ParamInfo::Kind::Pointer, 0});
  for (const ParmVarDecl *P : F.parameters()) {
    const CXXRecordDecl *State = getState(*P);
    if (State && Info.StateParam < 0)
      findRange(*State, F.getASTContext(), Info);
    Info.Params.push_back(describeParam(*P, F.getASTContext()));
  }
  return Info;
}

//===- Calls --------------------------------------------------------------===//

class Visitor : public RecursiveASTVisitor<Visitor> {
public:
  explicit Visitor(CompilerInstance &Instance)
      : Ctx(Instance.getASTContext()), SM(Instance.getSourceManager()),
        Files(Instance), Names(Ctx), Exprs(Ctx), Wrappers(Exprs, Names) {}

  void finish() { Wrappers.finish(SourceInfo::get()); }

  bool shouldVisitTemplateInstantiations() const { return true; }

  // Types hold no calls, and are most of what there is.
  bool TraverseTypeLoc(TypeLoc) { return true; }
  bool TraverseType(QualType) { return true; }
  bool TraverseNestedNameSpecifierLoc(NestedNameSpecifierLoc) { return true; }

  bool TraverseDecl(Decl *D) {
    auto *F = dyn_cast_or_null<FunctionDecl>(D);
    if (!F)
      return RecursiveASTVisitor::TraverseDecl(D);
    if (!isCompiled(*F) || !Done.insert(F).second)
      return true;
    llvm::SaveAndRestore<const FunctionDecl *> Inside(Current, F);
    addFunction(*F);
    return RecursiveASTVisitor::TraverseDecl(D);
  }

  bool TraverseLambdaExpr(LambdaExpr *Lambda) {
    CXXMethodDecl *Operator = Lambda->getCallOperator();
    // Of a generic one, each instantiation is a function of its own.
    if (auto *Template = Lambda->getDependentCallOperator())
      for (FunctionDecl *F : Template->specializations())
        TraverseDecl(F);
    if (Operator->isDependentContext() || !Done.insert(Operator).second)
      return true;
    llvm::SaveAndRestore<const FunctionDecl *> Inside(Current, Operator);
    return RecursiveASTVisitor::TraverseLambdaExpr(Lambda);
  }

  /// Outer expressions come first, so the innermost explicit cast wins, and
  /// any explicit cast over what an assignment converts to.
  bool VisitCastExpr(CastExpr *Cast) {
    QualType T = Cast->getType();
    if (T->isPointerType() && !T->isVoidPointerType())
      setTarget(Cast->getSubExpr(), T, isa<ExplicitCastExpr>(Cast));
    return true;
  }

  bool VisitCallExpr(CallExpr *Call) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (Callee && AllocExpr::hasAllocatorAttribute(*Callee))
      SourceInfo::get().addWrapper(Exprs.getCallee(*Call));
    if (Exprs.mayAllocate(*Call))
      add(*Call, Exprs.getCallee(*Call),
          Exprs.getDetail(*Call, Targets.lookup(Call).Type));
    return true;
  }

  bool VisitCXXNewExpr(CXXNewExpr *New) {
    if (!New->isTypeDependent())
      for (unsigned I = 0; I < New->getNumPlacementArgs(); I++)
        setTarget(New->getPlacementArg(I), New->getType(), false);
    if (!New->isTypeDependent() && New->getOperatorNew())
      add(*New, Exprs.getCallee(*New), Exprs.getDetail(*New));
    return true;
  }

private:
  struct Target {
    QualType Type;
    bool Explicit = false;
  };

  /// Whether code may be made for F. Headers are full of what is not used.
  bool isCompiled(const FunctionDecl &F) const {
    if (F.isDependentContext() || !F.doesThisDeclarationHaveABody())
      return false;
    return !F.isInlined() || F.isUsed() || Ctx.DeclMustBeEmitted(&F);
  }

  void addFunction(const FunctionDecl &F);

  void setTarget(Expr *E, QualType T, bool Explicit) {
    E = E->IgnoreParens();
    if (auto *Choice = dyn_cast<AbstractConditionalOperator>(E)) {
      setTarget(Choice->getTrueExpr(), T, Explicit);
      setTarget(Choice->getFalseExpr(), T, Explicit);
      return;
    }
    if (auto *Cast = dyn_cast<CastExpr>(E)) {
      setTarget(Cast->getSubExpr(), T, Explicit);
      return;
    }
    auto *Op = dyn_cast<BinaryOperator>(E);
    if (Op && (Op->isCommaOp() || Op->getType()->isVoidPointerType())) {
      setTarget(Op->getRHS(), T, Explicit);
      return;
    }
    if (!isa<CallExpr>(E))
      return;
    Target &Known = Targets[E];
    if (Explicit || Known.Type.isNull())
      Known = {T, Explicit};
  }

  void add(const Expr &E, std::string Callee, CallDetail Detail);

  ASTContext &Ctx;
  SourceManager &SM;
  FileNames Files;
  LinkageNames Names;
  AllocExpr Exprs;
  WrapperFinder Wrappers;
  const FunctionDecl *Current = nullptr;
  llvm::DenseMap<const Expr *, Target> Targets;
  llvm::DenseSet<const FunctionDecl *> Done;
};

void Visitor::addFunction(const FunctionDecl &F) {
  Files.add(F.getLocation());
  Wrappers.addFunction(F);
  const IdentifierInfo *Id = F.getIdentifier();
  if ((Id && Options::get().isBenchmarkName(Id->getName())) ||
      isMarkedBenchmark(F) || isGoogleBenchmark(F))
    SourceInfo::get().addBenchmark(Names.get(GlobalDecl(&F)),
                                   describeBenchmark(F));
}

void Visitor::add(const Expr &E, std::string Callee, CallDetail Detail) {
  Files.add(E.getExprLoc());
  PresumedLoc Place = SM.getPresumedLoc(E.getExprLoc());
  if (Place.isInvalid())
    return;
  SourceCall Call;
  Call.File = Place.getFilename();
  Call.Line = Place.getLine();
  Call.Column = Place.getColumn();
  Call.Callee = std::move(Callee);
  Call.Detail = std::move(Detail);
  if (!Current) {
    SourceInfo::get().addCall(std::move(Call));
    return;
  }
  for (std::string &Name : Names.getAll(*Current)) {
    Call.Function = std::move(Name);
    SourceInfo::get().addCall(Call);
  }
}

//===- Consumer -----------------------------------------------------------===//

/// Only what this unit itself declares or instantiates is looked at: to walk
/// the whole AST would load all of a precompiled header.
class Collector : public ASTConsumer {
public:
  explicit Collector(CompilerInstance &Instance) : Instance(Instance) {}

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    Decls.append(Group.begin(), Group.end());
    return true;
  }

  void HandleCXXImplicitFunctionInstantiation(FunctionDecl *F) override {
    Decls.push_back(F);
  }

  void HandleTranslationUnit(ASTContext &) override {
    if (Instance.getDiagnostics().hasErrorOccurred())
      return;
    Visitor V(Instance);
    for (Decl *D : Decls)
      V.TraverseDecl(D);
    V.finish();
  }

private:
  CompilerInstance &Instance;
  llvm::SmallVector<Decl *, 0> Decls;
};
} // namespace

std::unique_ptr<ASTConsumer> makeCollector(CompilerInstance &Instance) {
  SourceInfo::get().clear();
  return std::make_unique<Collector>(Instance);
}

} // namespace benchmem
