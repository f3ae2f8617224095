#include "libfluid/solve/corrected_flow.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "libadjoint/solve/library_failure.hpp"
#include "libadjoint/solve/matrix_facts.hpp"
#include "libfem/form/local_access.hpp"
#include "libfluid/solve/scalar_convection.hpp"

namespace invar {
namespace {

double size_of(Mat A) {
  PetscReal size = 0;
  check(MatNorm(A, NORM_INFINITY, &size));
  return size;
}

/// Adds A x, or Aᵀ x, to y.
void add_product(Mat A, Vec x, Vec y, bool transpose) { check(transpose ? MatMultTransposeAdd(A, x, y, y) : MatMultAdd(A, x, y, y)); }

}  // namespace

/// The blocks, their operator, and solves with it.
class CorrectedFlow::Blocks final : public TriangularBlocks {
 private:
  /// One component of the unknown: its rows on this rank and storage for its part of a vector.
  struct Part {
    IsHandle rows;           // global
    std::vector<int> local;  // the same, local
    VecHandle x, y;

    Part(const DofMap& dofs, int component) {
      std::vector<PetscInt> global;
      for (int node = 0; node < dofs.mesh().n_owned_nodes; ++node)
        if (const int dof = dofs.dof(node, component); dof >= 0) {
          local.push_back(dof);
          global.push_back(static_cast<PetscInt>(dofs.global_dof(node) + dof - dofs.first_dof(node)));
        }
      const auto n = static_cast<PetscInt>(global.size());
      check(ISCreateGeneral(dofs.comm(), n, global.data(), PETSC_COPY_VALUES, rows.out()));
      check(VecCreateMPI(dofs.comm(), n, PETSC_DETERMINE, x.out()));
      check(VecDuplicate(x, y.out()));
    }
    void take(Vec whole, Vec part) const {
      const double* from = nullptr;
      double* to = nullptr;
      check(VecGetArrayRead(whole, &from));
      check(VecGetArray(part, &to));
      for (std::size_t i = 0; i < local.size(); ++i) to[i] = from[local[i]];
      check(VecRestoreArray(part, &to));
      check(VecRestoreArrayRead(whole, &from));
    }
    void give(Vec part, Vec whole) const {
      const double* from = nullptr;
      double* to = nullptr;
      check(VecGetArrayRead(part, &from));
      check(VecGetArray(whole, &to));
      for (std::size_t i = 0; i < local.size(); ++i) to[local[i]] = from[i];
      check(VecRestoreArray(whole, &to));
      check(VecRestoreArrayRead(part, &from));
    }
  };

  static void extract(Mat K, const Part& rows, const Part& columns, MatHandle& block) {
    if (!block) {
      check(MatCreateSubMatrix(K, rows.rows, columns.rows, MAT_INITIAL_MATRIX, block.out()));
      return;
    }
    Mat same = block;
    check(MatCreateSubMatrix(K, rows.rows, columns.rows, MAT_REUSE_MATRIX, &same));
  }

 public:
  Blocks(CorrectedFlow& flow) : flow_(flow), p_(flow.dofs(), flow.pressure_), phi_(flow.dofs(), flow.potential_component_) {
    const DofMap& dofs = flow.dofs();
    for (int i = 0; i < dim(); ++i) u_.emplace_back(dofs, i);
    scalar_ = std::make_shared<const DofMap>(dofs.mesh_pointer(), std::vector<Component>{{"u", dofs.components()[0].order}}, dofs.comm());
    for (const Convection& c : flow.convection_)
      convection_.push_back(make_scalar_convection(flow.kind_, CellBatches::on_cells(scalar_, c.region, c.degree)));
    for (int i = 0; i < dim(); ++i) add_to_group(i);
    create_operator();
  }

  Mat matrix() const { return shell_; }

  void assemble(const EvaluationPoint& u, const PerLevel<double>& weights) {
    const Mat constant = flow_.linear_part(u, weights);
    if (given_.controls != u.given.controls || weights_.entries != weights.entries) take_constant(constant);
    given_ = u.given;
    weights_ = weights;
    carry(u);
    FormState at;
    at.coordinates = flow_.coordinates(u.given).data();
    for (Group& g : groups_) {
      g.H->begin();
      for (const auto& form : convection_) form->jacobian(at, weights[Level::value], *g.H);
      g.H->end();
      check(MatAXPY(g.H->mat(), 1.0, g.constant, SAME_NONZERO_PATTERN));
    }
    row_max_.reset();
    largest_sum_ = -1;
    check(MatAssemblyBegin(shell_, MAT_FINAL_ASSEMBLY));  // new values
    check(MatAssemblyEnd(shell_, MAT_FINAL_ASSEMBLY));
  }

  std::string set_up() override {
    for (Group& g : groups_) {
      check(KSPSetOperators(g.solver, g.H->mat(), g.H->mat()));
      check(KSPSetUp(g.solver));
    }
    return {};
  }
  void set_tolerance(double rtol) override { rtol_ = rtol; }

  void apply(Vec b, Vec x, bool transpose) override {
    for (Part& u : u_) u.take(b, u.y);
    phi_.take(b, phi_.y);
    p_.take(b, p_.y);
    if (!transpose) {
      solve_velocity(false);
      for (int i = 0; i < dim(); ++i) subtract_product(D_[i], u_[i].x, phi_.y, false), subtract_product(E_[i], u_[i].x, p_.y, false);
      solve(potential_solver_, phi_, false);
      subtract_product(N_, phi_.x, p_.y, false);
      solve(pressure_solver_, p_, false);
    } else {
      solve(pressure_solver_, p_, true);
      subtract_product(N_, p_.x, phi_.y, true);
      solve(potential_solver_, phi_, true);
      for (int i = 0; i < dim(); ++i) subtract_product(D_[i], phi_.x, u_[i].y, true), subtract_product(E_[i], p_.x, u_[i].y, true);
      solve_velocity(true);
    }
    for (const Part& u : u_) u.give(u.x, x);
    phi_.give(phi_.x, x);
    p_.give(p_.x, x);
  }

 private:
  /// Components whose operators are equal.
  struct Group {
    std::vector<int> components;
    std::unique_ptr<AssembledMatrix> H;
    MatHandle constant;  // the part of H without convection
    KspHandle solver;
  };

  int dim() const { return flow_.dofs().mesh().dim; }

  /// Components that are prescribed at the same nodes share a matrix, except in axisymmetric flow, where their operators differ.
  void add_to_group(int component) {
    const DofMap& dofs = flow_.dofs();
    std::vector<char> held(dofs.mesh().node_total());
    for (int node = 0; node < dofs.mesh().node_total(); ++node) held[node] = flow_.held_unknowns()[dofs.dof(node, component)];
    for (Group& g : groups_) {
      int same = flow_.kind_ != FlowKind::axisymmetric && g.H->constrained() == held;
      MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, dofs.comm());
      if (!same) continue;
      g.components.push_back(component);
      return;
    }
    Group& g = groups_.emplace_back();
    g.components = {component};
    g.H = groups_.size() > 1 ? std::make_unique<AssembledMatrix>(groups_.front().H->pattern()) : std::make_unique<AssembledMatrix>(scalar_);
    g.H->constrain(std::move(held));
    PC pc;
    check(KSPCreate(dofs.comm(), g.solver.out()));
    check(KSPSetOptionsPrefix(g.solver, "invar_velocity_"));
    check(KSPSetType(g.solver, KSPGMRES));
    check(KSPGMRESSetRestart(g.solver, most_iterations));
    check(KSPGetPC(g.solver, &pc));
    check(PCSetType(pc, process_count(dofs.comm()) == 1 ? PCILU : PCBJACOBI));
    check(KSPSetPCSide(g.solver, PC_RIGHT));
    check(KSPSetFromOptions(g.solver));
  }

  /// Sets the convection velocity as coefficients of the convection forms.
  void carry(const EvaluationPoint& u) {
    const DofMap& dofs = flow_.dofs();
    const LocalArray carrier(u.levels[Level::predicted]);
    for (std::size_t k = 0; k < convection_.size(); ++k) {
      std::vector<Coefficient>& c = convection_[k]->coefficients();
      c[0] = flow_.form_coefficients(flow_.convection_[k].form, u.given)[0];
      for (int i = 0; i < dim(); ++i) {
        c[1 + i].layout = Coefficient::Layout::per_node;
        c[1 + i].values.resize(dofs.mesh().node_total());
        for (int node = 0; node < dofs.mesh().node_total(); ++node) c[1 + i].values[node] = carrier.data()[dofs.dof(node, i)];
      }
    }
  }

  void take_constant(Mat K) {
    D_.resize(dim());
    E_.resize(dim());
    for (int i = 0; i < dim(); ++i) {
      extract(K, phi_, u_[i], D_[i]);
      extract(K, p_, u_[i], E_[i]);
    }
    extract(K, phi_, phi_, L_);
    extract(K, p_, phi_, N_);
    extract(K, p_, p_, Q_);
    for (Group& g : groups_) extract(K, u_[g.components[0]], u_[g.components[0]], g.constant);
    for (int i = 0; i < dim(); ++i)
      for (int j = 0; j < dim(); ++j) {
        if (i == j) continue;
        MatHandle coupling;
        extract(K, u_[i], u_[j], coupling);
        if (size_of(coupling) > 0) throw std::logic_error("coupled velocity components cannot be solved for separately");
      }
    potential_solver_.invalidate();
    pressure_solver_.invalidate();
    potential_solver_.set_operator(L_, true);
    pressure_solver_.set_operator(Q_, true);
  }

  const Group& group_of(int component) const {
    return *std::ranges::find_if(groups_, [&](const Group& g) { return std::ranges::count(g.components, component) > 0; });
  }

  void solve_velocity(bool transpose) {
    for (const Group& g : groups_)
      for (const int i : g.components) {
        check(KSPSetTolerances(g.solver, rtol_, 0, PETSC_DEFAULT, most_iterations));
        check(transpose ? KSPSolveTranspose(g.solver, u_[i].y, u_[i].x) : KSPSolve(g.solver, u_[i].y, u_[i].x));
        KSPConvergedReason reason;
        check(KSPGetConvergedReason(g.solver, &reason));
        if (reason < 0 && reason != KSP_DIVERGED_ITS) throw PetscError("the velocity block of a pressure correction");
      }
  }
  void solve(LinearSolver& solver, Part& part, bool transpose) {
    const SolveReport report = transpose ? solver.solve_transpose(part.y, part.x) : solver.solve(part.y, part.x);
    if (!report.converged) throw PetscError(report.reason);
  }
  /// y −= A x
  static void subtract_product(Mat A, Vec x, Vec y, bool transpose) {
    check(VecScale(y, -1));
    add_product(A, x, y, transpose);
    check(VecScale(y, -1));
  }

  // ---- the operator for Krylov methods and residuals ---------------------------------------------------

  void multiply(Vec x, Vec y, bool transpose) {
    for (Part* part : parts()) part->take(x, part->x);
    for (int i = 0; i < dim(); ++i) {
      const Mat H = group_of(i).H->mat();
      check(transpose ? MatMultTranspose(H, u_[i].x, u_[i].y) : MatMult(H, u_[i].x, u_[i].y));
    }
    check(transpose ? MatMultTranspose(L_, phi_.x, phi_.y) : MatMult(L_, phi_.x, phi_.y));
    check(transpose ? MatMultTranspose(Q_, p_.x, p_.y) : MatMult(Q_, p_.x, p_.y));
    if (transpose) add_product(N_, p_.x, phi_.y, true);
    else add_product(N_, phi_.x, p_.y, false);
    for (int i = 0; i < dim(); ++i) {
      if (transpose) add_product(D_[i], phi_.x, u_[i].y, true), add_product(E_[i], p_.x, u_[i].y, true);
      else add_product(D_[i], u_[i].x, phi_.y, false), add_product(E_[i], u_[i].x, p_.y, false);
    }
    for (const Part* part : parts()) part->give(part->y, y);
  }

  void largest_of_rows(Vec out) {
    if (row_max_) {
      check(VecCopy(row_max_, out));
      return;
    }
    const auto largest = [](const Part& part, std::initializer_list<Mat> blocks) {
      check(VecSet(part.x, 0.0));
      for (const Mat block : blocks) {
        check(MatGetRowMaxAbs(block, part.y, nullptr));
        check(VecPointwiseMax(part.x, part.x, part.y));
      }
    };
    for (int i = 0; i < dim(); ++i) largest(u_[i], {group_of(i).H->mat()});
    largest(phi_, {L_, D_[0], D_[1], D_.back()});
    largest(p_, {Q_, N_, E_[0], E_[1], E_.back()});
    for (const Part* part : parts()) part->give(part->x, out);
    check(VecDuplicate(out, row_max_.out()));
    check(VecCopy(out, row_max_));
  }

  /// An upper bound of the largest row sum of magnitudes.
  double largest_sum() {
    if (largest_sum_ >= 0) return largest_sum_;
    double u = 0, phi = size_of(L_), p = size_of(Q_) + size_of(N_);
    for (int i = 0; i < dim(); ++i) u = std::max(u, size_of(group_of(i).H->mat())), phi += size_of(D_[i]), p += size_of(E_[i]);
    return largest_sum_ = std::max({u, phi, p});
  }

  std::vector<Part*> parts() {
    std::vector<Part*> all{&phi_, &p_};
    for (Part& u : u_) all.push_back(&u);
    return all;
  }

  template <class Work>
  static PetscErrorCode on(Mat A, Work&& work) {
    void* self = nullptr;
    if (const PetscErrorCode code = MatShellGetContext(A, &self); code != 0) return code;
    return library_error(PetscObjectComm(PetscObject(A)), [&] { work(*static_cast<Blocks*>(self)); });
  }
  static PetscErrorCode mult(Mat A, Vec x, Vec y) {
    return on(A, [&](Blocks& b) { b.multiply(x, y, false); });
  }
  static PetscErrorCode mult_transpose(Mat A, Vec x, Vec y) {
    return on(A, [&](Blocks& b) { b.multiply(x, y, true); });
  }
  static PetscErrorCode row_max(Mat A, Vec v, PetscInt*) {
    return on(A, [&](Blocks& b) { b.largest_of_rows(v); });
  }
  static PetscErrorCode norm(Mat A, NormType, PetscReal* size) {
    return on(A, [&](Blocks& b) { *size = b.largest_sum(); });
  }

  void create_operator() {
    const DofMap& dofs = flow_.dofs();
    const auto n = static_cast<PetscInt>(dofs.n_owned());
    check(MatCreateShell(dofs.comm(), n, n, PETSC_DETERMINE, PETSC_DETERMINE, this, shell_.out()));
    const auto set = [&](MatOperation operation, auto* function) {
      check(MatShellSetOperation(shell_, operation, reinterpret_cast<void (*)()>(function)));
    };
    set(MATOP_MULT, &mult);
    set(MATOP_MULT_TRANSPOSE, &mult_transpose);
    set(MATOP_GET_ROW_MAX_ABS, &row_max);
    set(MATOP_NORM, &norm);
  }

  static constexpr int most_iterations = 100;

  CorrectedFlow& flow_;
  Part p_, phi_;
  std::vector<Part> u_;
  std::shared_ptr<const DofMap> scalar_;
  std::vector<std::unique_ptr<WeakForm>> convection_;
  std::vector<Group> groups_;
  std::vector<MatHandle> D_, E_;  // per component
  MatHandle L_, N_, Q_;
  LinearSolver potential_solver_{flow_.comm(), {.prefix = "invar_potential_"}}, pressure_solver_{flow_.comm(), {.prefix = "invar_pressure_"}};
  Setting given_;  // setting of the constant blocks, with these weights
  PerLevel<double> weights_;
  double rtol_ = 1e-10;
  VecHandle row_max_;       // of the present operator, computed on demand, as is its norm
  double largest_sum_ = -1;
  MatHandle shell_;
};

CorrectedFlow::~CorrectedFlow() = default;

void CorrectedFlow::solve_by_blocks(FlowKind kind, std::vector<Convection> convection, int pressure, int potential) {
  kind_ = kind;
  convection_ = std::move(convection);
  pressure_ = pressure;
  potential_component_ = potential;
}

bool CorrectedFlow::by_blocks() const {
  return pressure_ >= 0 && std::ranges::all_of(nonlinear_forms(), [&](int form) {
    return std::ranges::any_of(convection_, [&](const Convection& c) { return c.form == form; });
  });
}

Mat CorrectedFlow::matrix() const {
  if (!by_blocks()) return FormResidual::matrix();
  if (!blocks_) blocks_ = std::make_shared<Blocks>(const_cast<CorrectedFlow&>(*this));
  return blocks_->matrix();
}

MatrixHints CorrectedFlow::matrix_hints() const {
  MatrixHints hints = FormResidual::matrix_hints();
  if (by_blocks()) {
    matrix();
    hints.triangular_blocks = blocks_;
  }
  return hints;
}

void CorrectedFlow::jacobian(const EvaluationPoint& u, const PerLevel<double>& weights) {
  if (!by_blocks()) return FormResidual::jacobian(u, weights);
  matrix();
  blocks_->assemble(u, weights);
}

}  // namespace invar
