#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "apps/invar/spec/diagnostics.hpp"
#include "apps/invar/spec/value.hpp"
#include "libadjoint/static_case.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/solid/material.hpp"
#include "libfem/solid/solid_forms.hpp"

namespace invar {

/// The sections of one case: its own where it has them, else those at the top.
struct CaseSections {
  std::string name;          // empty for the single unnamed case
  const spec::Value* top = nullptr;
  const spec::Value* own = nullptr;  // nullptr: everything from the top

  const spec::Value* find(const char* section) const {
    if (own)
      if (const spec::Value* v = own->find(section)) return v;
    return top->find(section);
  }
  /// Where to complain that something is missing.
  const spec::Value& place() const { return own ? *own : *top; }
};

/// One material on one region, with the controls of its constants.
struct MaterialPart {
  std::string name, region;           // region empty: everywhere
  std::unique_ptr<Material> material;
  std::unique_ptr<Material> unreduced;  // of a compressible law in plane stress: the law in space
  std::vector<int> controls;          // per material parameter
};

/// A case ready to be solved: mesh, space, equations, process.
struct CaseModel {
  std::string name;
  SolidKind kind = SolidKind::spatial;
  bool mixed = false;
  std::shared_ptr<const Mesh> mesh;
  std::shared_ptr<const DofMap> dofs;
  std::vector<MaterialPart> parts;
  std::vector<int> dead_load_forms;   // positions of dead loads among the residual's forms
  std::shared_ptr<FormResidual> residual;
  std::vector<double> times;
  double start = 0;
  std::shared_ptr<StaticCase> process;

  /// Position of a control by its path, −1 when there is none.
  int find_control(const std::string& path) const;
};

/// Meshes already read, by what the spec says of them, so that cases share them.
using MeshCache = std::map<std::string, std::shared_ptr<const Mesh>>;

/// The mesh of a case; nullptr after recording what is wrong.
std::shared_ptr<const Mesh> build_mesh(const spec::Value& section, int order, MPI_Comm comm, MeshCache& cache,
                                       Diagnostics& diagnostics);

/// Space, materials, supports and loads. `data_times`: load parameters at which data want the state,
/// ascending or descending. Mistakes are recorded; the model is then not to be used. The residual
/// starts without a process; see build_process.
CaseModel build_case(const CaseSections& sections, const std::vector<double>& data_times, MPI_Comm comm,
                     MeshCache& cache, Diagnostics& diagnostics);

/// A value of the spec that is a number (grows with t) or a formula, as a datum of the problem.
class ValueBinder {
 public:
  ValueBinder(FormResidual& residual, double start, double end, Diagnostics& diagnostics)
      : residual_(residual), start_(start), end_(end), diagnostics_(diagnostics) {}
  /// `record`: holds `key` and `factor`. `path`: of the record, for the control's name. A missing key
  /// gives zero. `ramp`: numbers grow from 0 at the start to their value at the end.
  ControlledValue bind(const spec::Value& record, const std::string& path, const char* key, const std::string& unit,
                       bool ramp);

 private:
  int zero();
  FormResidual& residual_;
  double start_, end_;
  Diagnostics& diagnostics_;
  int zero_ = -1;
  std::map<std::string, int> factors_;
};

}  // namespace invar
