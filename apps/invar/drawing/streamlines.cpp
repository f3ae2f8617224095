#include "apps/invar/drawing/streamlines.hpp"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkStreamTracer.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <stdexcept>
#include <vector>

#include "apps/invar/drawing/grid.hpp"

namespace invar {
namespace {

using Point = std::array<double, 3>;
using Path = std::vector<vtkIdType>;  // points of the traced lines

double distance(const Point& a, const Point& b) {
  double square = 0;
  for (int d = 0; d < 3; ++d) square += (a[d] - b[d]) * (a[d] - b[d]);
  return std::sqrt(square);
}

/// The points of accepted lines, sorted into boxes as wide as the required distance.
class Neighbourhood {
 public:
  explicit Neighbourhood(double width) : width_(width) {}

  void add(const Point& x) { boxes_[box_of(x)].push_back(x); }
  bool has_within(const Point& x, double radius) const {
    const std::array<int, 3> middle = box_of(x);
    for (int i = -1; i <= 1; ++i)
      for (int j = -1; j <= 1; ++j)
        for (int k = -1; k <= 1; ++k)
          if (const auto box = boxes_.find({middle[0] + i, middle[1] + j, middle[2] + k}); box != boxes_.end())
            for (const Point& y : box->second)
              if (distance(x, y) < radius) return true;
    return false;
  }

 private:
  std::array<int, 3> box_of(const Point& x) const {
    std::array<int, 3> box;
    for (int d = 0; d < 3; ++d) box[d] = static_cast<int>(std::floor(x[d] / width_));
    return box;
  }

  double width_;
  std::map<std::array<int, 3>, std::vector<Point>> boxes_;
};

/// A grid over the bounding box of the domain, in a pseudo-random but reproducible order.
std::vector<Point> seeds_of(vtkUnstructuredGrid* grid, double spacing, bool planar) {
  const double* box = grid->GetBounds();
  std::array<int, 3> n{1, 1, 1};
  for (int d = 0; d < (planar ? 2 : 3); ++d)
    n[d] = std::max(1, static_cast<int>(std::round((box[2 * d + 1] - box[2 * d]) / spacing)));
  std::vector<Point> seeds;
  for (int i = 0; i < n[0]; ++i)
    for (int j = 0; j < n[1]; ++j)
      for (int k = 0; k < n[2]; ++k) {
        const std::array<int, 3> at{i, j, k};
        Point x;
        for (int d = 0; d < 3; ++d) x[d] = box[2 * d] + (at[d] + 0.5) / n[d] * (box[2 * d + 1] - box[2 * d]);
        seeds.push_back(x);
      }
  std::shuffle(seeds.begin(), seeds.end(), std::mt19937(1));
  return seeds;
}

double spacing_of(vtkUnstructuredGrid* grid, bool planar) {
  const double* b = grid->GetBounds();
  const double x = b[1] - b[0], y = b[3] - b[2], z = b[5] - b[4];
  return planar ? std::sqrt(x * y) / 28 : std::cbrt(x * y * z) / 9;
}

double fastest_of(vtkDataArray* v) {
  double fastest = 0;
  for (vtkIdType p = 0; p < v->GetNumberOfTuples(); ++p)
    fastest = std::max(fastest, std::hypot(v->GetComponent(p, 0), v->GetComponent(p, 1), v->GetComponent(p, 2)));
  return fastest;
}

vtkSmartPointer<vtkStreamTracer> tracer_of(vtkUnstructuredGrid* grid, const std::string& field, double spacing) {
  auto tracer = vtkSmartPointer<vtkStreamTracer>::New();
  tracer->SetInputData(grid);
  tracer->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, field.c_str());
  tracer->SetIntegratorTypeToRungeKutta4();
  tracer->SetIntegrationStepUnit(vtkStreamTracer::LENGTH_UNIT);
  tracer->SetInitialIntegrationStep(spacing / 8);
  tracer->SetMaximumPropagation(2 * grid->GetLength());
  tracer->SetMaximumNumberOfSteps(2000);
  tracer->SetTerminalSpeed(1e-6 * fastest_of(vector_points(grid, field, "streamlines")));
  tracer->SetIntegrationDirectionToBoth();
  tracer->SetComputeVorticity(false);
  return tracer;
}

vtkPolyData* traced(vtkStreamTracer* tracer, const std::vector<Point>& seeds) {
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  for (const Point& x : seeds) points->InsertNextPoint(x.data());
  vtkNew<vtkPolyData> source;
  source->SetPoints(points);
  tracer->SetSourceData(source);
  tracer->Update();
  return tracer->GetOutput();
}

/// Both halves of the line of every seed, from the seed outwards; the seeds keep their order.
std::vector<std::array<Path, 2>> halves_of(vtkPolyData* lines, std::size_t seeds) {
  std::vector<std::array<Path, 2>> halves(seeds);
  vtkDataArray* seed_of = lines->GetCellData()->GetArray("SeedIds");
  vtkNew<vtkIdList> points;
  for (vtkIdType c = 0; seed_of && c < lines->GetNumberOfCells(); ++c) {
    lines->GetCellPoints(c, points);
    auto& both = halves[static_cast<std::size_t>(seed_of->GetComponent(c, 0))];
    both[both[0].empty() ? 0 : 1].assign(points->begin(), points->end());
  }
  return halves;
}

/// Lines grow from their seeds until they come too near to another one or to themselves (B. Jobard,
/// W. Lefer: Creating evenly-spaced streamlines of arbitrary density, 1997); short ones are left out.
class EvenLines {
 public:
  explicit EvenLines(double spacing) : spacing_(spacing), kept_(spacing) {}

  bool has_room(const Point& seed) const { return !kept_.has_within(seed, 0.9 * spacing_); }

  /// Lines of both directions from a seed, numbers of the points of `traced`.
  void add(vtkPolyData* traced, const std::array<Path, 2>& halves) {
    if (halves[0].empty() || !has_room(point(traced, halves[0][0]))) return;
    std::vector<Point> line = grown(traced, halves[0], {});
    std::reverse(line.begin(), line.end());
    line = grown(traced, halves[1], std::move(line));
    double length = 0;
    for (std::size_t i = 1; i < line.size(); ++i) length += distance(line[i - 1], line[i]);
    if (length < 2 * spacing_) return;
    lines_->InsertNextCell(static_cast<int>(line.size()));
    for (const Point& x : line) {
      kept_.add(x);
      lines_->InsertCellPoint(points_->InsertNextPoint(x.data()));
    }
  }

  vtkSmartPointer<vtkPolyData> result() const {
    auto data = vtkSmartPointer<vtkPolyData>::New();
    data->SetPoints(points_);
    data->SetLines(lines_);
    return data;
  }

 private:
  static Point point(vtkPolyData* traced, vtkIdType id) {
    Point x;
    traced->GetPoint(id, x.data());
    return x;
  }

  /// `line`, which ends at or before the first point of `path`, continued along it.
  std::vector<Point> grown(vtkPolyData* traced, const Path& path, std::vector<Point> line) const {
    constexpr double least = 0.5, own = 0.15;  // distances to others and to itself, in spacings
    const std::size_t recent = 16;             // preceding points of the line, which are always near
    for (const vtkIdType id : path) {
      const Point x = point(traced, id);
      if (!line.empty() && x == line.back()) continue;
      if (kept_.has_within(x, least * spacing_)) break;
      line.push_back(x);
      for (std::size_t i = 0; i + recent < line.size(); ++i)
        if (distance(line[i], x) < own * spacing_) {
          line.back() = line[i];  // closes an orbit
          return line;
        }
    }
    return line;
  }

  double spacing_;
  Neighbourhood kept_;
  vtkNew<vtkPoints> points_;
  vtkNew<vtkCellArray> lines_;
};

}  // namespace

vtkSmartPointer<vtkPolyData> even_streamlines(vtkUnstructuredGrid* grid, const std::string& field, bool planar) {
  const double spacing = spacing_of(grid, planar);
  const auto tracer = tracer_of(grid, field, spacing);
  EvenLines even(spacing);
  const std::vector<Point> seeds = seeds_of(grid, 0.6 * spacing, planar);
  // Few at a time: most seeds are too close to accepted lines and need not be traced.
  for (auto seed = seeds.begin(); seed != seeds.end();) {
    std::vector<Point> batch;
    for (; seed != seeds.end() && batch.size() < 32; ++seed)
      if (even.has_room(*seed)) batch.push_back(*seed);
    vtkPolyData* lines = traced(tracer, batch);
    for (const auto& halves : halves_of(lines, batch.size())) even.add(lines, halves);
  }
  return even.result();
}

}  // namespace invar
