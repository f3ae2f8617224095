#pragma once
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "apps/invar/problem/build_errors.hpp"
#include "apps/invar/problem/case_model.hpp"
#include "apps/invar/problem/entry_table.hpp"
#include "libadjoint/case_functional.hpp"
#include "libadjoint/inference/measured_places.hpp"
#include "libadjoint/maps/number_design.hpp"
#include "libfem/design/field/density_design.hpp"
#include "libfem/objective/quantity_entry.hpp"
#include "libfluid/mesh_motion/shape_design.hpp"

namespace invar {

/// Data of one objective term as read, kept for the fit curves.
struct FitCurve {
  std::string name;           // unique among the terms
  int case_index = 0;
  int data_set = 0;           // position in the case's data
  std::vector<double> t;      // per step of the data set
};

/// Where the values of a data set were measured.
struct MeasuredSamples {
  std::string name;  // of the term
  int case_index = 0, data_set = 0;
  std::vector<int> rows;  // of the term's file, from 0
  std::function<std::vector<double>(const std::vector<double>&)> at_samples = {};  // see MeasuredSet
  std::string term = {};             // path of the term in the spec, common to its data sets
  MeasuredPlaces::Set where = {};    // without rows and `at_samples`
};

/// A number for results.json: an observable of one or several steps, or a report.
struct Quantity {
  std::string name;
  int case_index = 0;
  int step = 0;
  std::shared_ptr<Observable> observable = {};  // of size 1; null where there is a measurement
  Measurement measurement = {};                 // of the state at the step
  std::string statistic = "value";              // statistic of the observable over the process
  TimeWindow window = {};                       // of the statistic
};

/// A block of the design.
struct DesignBlock {
  std::string name;    // name of its fields: a path, "density", the moving region
  int case_index = 0;  // the first case that it concerns
  const spec::Value* entry = nullptr;  // of `design`; of the numbers null
};

/// A term of the objective whose weight is to be found.
struct FoundWeightOfTerm {
  const spec::Value* entry = nullptr;  // of `objective`
  std::string name;
  int case_index = 0;
  std::size_t term = 0;                // among the terms of the case
};
struct SoughtWeight;  // weight_spec.hpp

/// A spec turned into equations, data, and an optimisation problem.
struct Problem {
  spec::Value spec;
  std::string title;
  std::vector<CaseModel> cases;
  std::shared_ptr<CaseFunctional> functional;   // without design when nothing is designed
  std::vector<DesignBlock> blocks;              // of the functional's design, in its order
  std::shared_ptr<NumberDesign> numbers;        // the designed numbers, first in θ; may be null
  std::shared_ptr<DensityDesign> density;       // where one is designed
  std::shared_ptr<StagedDesign> staged;         // of the blocks, the one that changes in stages; may be null
  std::shared_ptr<ShapeDesign> shape;           // where one is designed
  std::vector<std::array<double, 2>> ranges;    // of multi-start, physical, per design entry
  std::vector<FitCurve> curves;
  std::vector<MeasuredSamples> samples;
  std::set<std::array<int, 2>> mean_squares;    // data sets over regions: position of the case, and among its data
  std::vector<Quantity> probes, quantities;
  std::vector<CaseError> errors;
  std::vector<std::string> notes;               // warnings for the user, sentences
  std::vector<CaseConstraint> constraints;
  bool noise_known = true;                      // every measured data set of the fit (weight not 0) states its noise
  bool is_measured = false;                     // some data set of the fit is measured: without one there are no intervals
  bool has_objective = false;
  bool sum_of_squares = true;                   // no term but data sets
  std::vector<FoundWeightOfTerm> found_weights;
  std::shared_ptr<SoughtWeight> weight;         // where the weight of a prior or a term is to be found; else null
  std::vector<std::string> goals;               // data sets that are not measured: a `target` or formulas without `noise`
};

/// Builds the problem of a spec. meshes: serial ones by the path of a section `mesh`, used in place of what that says. Throws SpecError with all
/// mistakes. Collective.
Problem build_problem(const std::filesystem::path& file, const std::vector<std::string>& sets, MPI_Comm comm, std::map<std::string, Mesh> meshes = {});

/// Records that name a case, gathered by case.
struct CaseRecords {
  std::vector<const spec::Value*> terms, constraints, quantities;
};

/// A term of the objective and what its files hold, as read before the case has a mesh.
struct TermData {
  const spec::Value* term = nullptr;
  const DataEntry<QuantityCase>* entry = nullptr;  // of a library of data; null: the term is a quantity
  EntryTables tables;                              // as read, by key
  EntryValues values;                              // of the entry, with its tables
  std::vector<double> times;                       // at which the state is needed; empty: the last
  // of a quantity: its measured values at the times; empty: there is no file
  std::vector<double> measured;
  std::vector<int> rows;                           // of the file, where these stand
  bool readable = true;                            // false: errors in the files have been recorded
};
/// Terms with measured data of the fit (weight not 0), by whether they state their noise.
struct MeasuredTerms {
  std::vector<const spec::Value*> with_noise, without_noise;
};
std::vector<TermData> read_term_data(const std::vector<const spec::Value*>& terms, Diagnostics& diagnostics);
/// Load parameters or times at which terms, constraints and quantities need the state, ascending.
std::vector<double> times_wanted(const std::vector<TermData>& terms, const CaseRecords& records);
/// Adds the terms to the case's process, and to `measured`.
void build_terms(Problem& problem, int case_index, const std::vector<TermData>& terms, MeasuredTerms& measured, Diagnostics& diagnostics);
/// Adds the constraints and quantities of one case.
void build_constraints(Problem& problem, int case_index, const std::vector<const spec::Value*>& records,
                       Diagnostics& diagnostics);
void build_quantities(Problem& problem, int case_index, const std::vector<const spec::Value*>& records,
                      Diagnostics& diagnostics);

}  // namespace invar
