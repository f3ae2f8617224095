// The extension module `invar._core`: FlatProblem for Python, and a reader of VTK files.
#include <pybind11/eigen.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <cstdlib>
#include <string>

#include "apps/invar/report/io_error.hpp"
#include "apps/invar/spec/spec_error.hpp"
#include "apps/python/flat_problem.hpp"
#include "libadjoint/petsc.hpp"
#include "libadjoint/solve/mpi_singleton.hpp"
#include "libfem/io/vtk_error.hpp"
#include "libfem/io/vtk_reader.hpp"

namespace py = pybind11;

namespace {

using invar::FlatProblem;

/// pybind11 before 2.12 reads arrays as NumPy 1 lays them out: the first array of NumPy 2 would end the interpreter by a signal.
void require_known_numpy() {
#if PYBIND11_VERSION_HEX < 0x020C0000
  const auto version = py::module_::import("numpy").attr("__version__").cast<std::string>();
  if (std::atoi(version.c_str()) < 2) return;
  const std::string text = "invar was built with pybind11 " PYBIND11_TOSTRING(PYBIND11_VERSION_MAJOR) "." PYBIND11_TOSTRING(PYBIND11_VERSION_MINOR) ", which supports NumPy 1 only, not " +
                           version + ": pip install 'numpy<2', or install pybind11 2.12 or newer by pip and build invar again with pip install --no-build-isolation apps/python";
  throw py::import_error(text);
#endif
}

/// Starts MPI and PETSc, once. MPI that is running already, such as mpi4py's, is used and left running.
void start() {
  PetscBool running = PETSC_FALSE;
  invar::check(PetscInitialized(&running));
  if (running) return;
  invar::configure_mpi_singleton();
  static char name[] = "invar", no_files[] = "-skip_petscrc";  // as the program: PETSc keeps them
  static char* words[] = {name, no_files, nullptr};
  char** arguments = words;
  int count = 2;
  invar::check(PetscInitialize(&count, &arguments, nullptr, nullptr));
  PetscPopSignalHandler();
  PetscPushErrorHandler(PetscIgnoreErrorHandler, nullptr);  // errors come back as codes
}

/// Ends PETSc before the interpreter goes. Problems that live longer must not free what PETSc has freed: they are leaked.
void stop() {
  PetscBool running = PETSC_FALSE;
  if (PetscInitialized(&running) == 0 && running) PetscFinalize();
}

/// Problems hold handles of PETSc: none may be destroyed after PETSc has ended.
struct Release {
  void operator()(FlatProblem* problem) const {
    PetscBool ended = PETSC_FALSE;
    if (PetscFinalized(&ended) == 0 && !ended) delete problem;
  }
};

py::array_t<double> array_of(const std::vector<double>& values, int components) {
  const auto rows = static_cast<py::ssize_t>(values.size()) / components;
  const auto columns = static_cast<py::ssize_t>(components);
  return py::array_t<double>(columns == 1 ? std::vector<py::ssize_t>{rows} : std::vector<py::ssize_t>{rows, columns}, values.data());
}

py::dict read_vtu(const std::filesystem::path& file) {
  const invar::VtkGrid grid = invar::read_vtk(file);
  py::list cells;
  for (const std::vector<int>& cell : grid.cells) cells.append(py::array_t<int>(static_cast<py::ssize_t>(cell.size()), cell.data()));
  py::dict of_points, of_cells;
  for (const invar::VtkField& f : grid.fields)
    (f.on == invar::VtkField::On::nodes ? of_points : of_cells)[f.name.c_str()] = array_of(f.values, f.components);
  using namespace py::literals;
  return py::dict("points"_a = array_of(grid.points, 3), "cells"_a = cells, "cell_types"_a = grid.types,
                  "point_data"_a = of_points, "cell_data"_a = of_cells);
}

}  // namespace

PYBIND11_MODULE(_core, m) {
  require_known_numpy();
  m.doc() = "Problems of invar as functions of arrays; see invar.Problem";
  m.attr("version") = INVAR_VERSION;
  py::register_exception<invar::SpecError>(m, "SpecError", PyExc_ValueError).attr("__doc__") =
      "The spec, a mesh or a data file is invalid. The message lists all mistakes with their positions.";
  py::register_exception<invar::SolveError>(m, "SolveError", PyExc_ArithmeticError).attr("__doc__") =
      "An equation could not be solved at this design: value and gradient do not exist.";
  py::register_exception<invar::IoError>(m, "IoError", PyExc_OSError);
  py::register_exception<invar::VtkError>(m, "VtkError", PyExc_OSError);
  m.def("stop", &stop);
  m.def("read_vtu", &read_vtu, "Points, cells, point_data and cell_data of a .vtu file as arrays");

  const auto released = py::call_guard<py::gil_scoped_release>();
  py::class_<FlatProblem, std::unique_ptr<FlatProblem, Release>>(m, "FlatProblem")
      .def(py::init([](const std::filesystem::path& spec, const std::vector<std::string>& sets) {
             start();
             return std::unique_ptr<FlatProblem, Release>(new FlatProblem(spec, sets));
           }),
           py::arg("spec"), py::arg("sets"))
      .def_property_readonly("title", &FlatProblem::title)
      .def_property_readonly("size", &FlatProblem::size)
      .def_property_readonly("names", &FlatProblem::names)
      .def_property_readonly("blocks",
                             [](const FlatProblem& p) {
                               using namespace py::literals;
                               py::list blocks;
                               for (const FlatProblem::Block& b : p.blocks())
                                 blocks.append(py::dict("name"_a = b.name, "of"_a = b.of, "components"_a = b.components,
                                                        "first"_a = b.first, "count"_a = b.count, "positions"_a = b.positions));
                               return blocks;
                             })
      .def_property_readonly("constraints",
                             [](const FlatProblem& p) {
                               using namespace py::literals;
                               py::list all;
                               for (const invar::ConstraintInfo& c : p.constraints())
                                 all.append(py::dict("name"_a = c.name, "lower"_a = c.lower, "upper"_a = c.upper, "scale"_a = c.scale));
                               return all;
                             })
      .def_property_readonly("residual_count", &FlatProblem::residual_count)
      .def_property_readonly("cases", &FlatProblem::cases)
      .def_property_readonly("stages", &FlatProblem::stages)
      .def("set_stage", &FlatProblem::set_stage)
      .def("start", &FlatProblem::start)
      .def("lower", &FlatProblem::lower)
      .def("upper", &FlatProblem::upper)
      .def("physical", &FlatProblem::physical)
      .def("slope", &FlatProblem::slope)
      .def("curvature", &FlatProblem::curvature)
      .def("coordinate", &FlatProblem::coordinate)
      .def("value", &FlatProblem::value, released)
      .def("value_and_gradient", &FlatProblem::value_and_gradient, released)
      .def("directional_derivative", &FlatProblem::directional_derivative, released)
      .def("hessian_product", &FlatProblem::hessian_product, released)
      .def("constraint_values", &FlatProblem::constraint_values, released)
      .def("constraint_jacobian", &FlatProblem::constraint_jacobian, released)
      .def("residuals", &FlatProblem::residuals, released)
      .def("residual_jacobian", &FlatProblem::residual_jacobian, released)
      .def("quantities", &FlatProblem::quantities, released)
      .def("times", &FlatProblem::times)
      .def("mesh",
           [](FlatProblem& p, const Eigen::VectorXd& theta, const std::string& name) {
             FlatProblem::MeshArrays mesh;
             {
               const py::gil_scoped_release release;
               mesh = p.mesh(theta, name);
             }
             using namespace py::literals;
             py::list cells;
             for (auto& [type, nodes] : mesh.cells) cells.append(py::make_tuple(type, std::move(nodes)));
             return py::dict("points"_a = std::move(mesh.points), "cells"_a = cells);
           })
      .def("fields", [](FlatProblem& p, const Eigen::VectorXd& theta, const std::string& name, int step) {
        std::map<std::string, FlatProblem::FieldValues> fields;
        {
          const py::gil_scoped_release release;
          fields = p.fields(theta, name, step);
        }
        py::dict nodes, cells;
        for (auto& [key, field] : fields) {
          py::object values = py::cast(std::move(field.values));
          if (values.attr("shape").cast<py::tuple>()[1].cast<int>() == 1) values = values.attr("ravel")();
          (field.on_nodes ? nodes : cells)[key.c_str()] = values;
        }
        return py::make_tuple(nodes, cells);
      });
}
