#include "apps/invar/batch/sweep.hpp"

#include <fstream>

#include "apps/invar/report/atomic_file.hpp"
#include "apps/invar/report/io_error.hpp"

namespace invar {
namespace {

using nlohmann::ordered_json;
constexpr const char* sweep_file = "sweep.json";

std::vector<std::string> with_petsc_options(std::vector<std::string> arguments, const std::vector<std::string>& options) {
  if (options.empty()) return arguments;
  arguments.push_back("--");
  arguments.insert(arguments.end(), options.begin(), options.end());
  return arguments;
}

}  // namespace

ordered_json Sweep::json() const {
  ordered_json out = {{"program", "invar"}, {"spec", spec}, {"directory", directory}, {"version", version}, {"command", command}, {"sets", sets},
                      {"petsc_options", petsc_options}, {"design", design}, {"seed", seed}, {"inputs", inputs},
                      {"report", report}, {"pareto", pareto}, {"together", together}, {"compare_models", compares_models}};
  out["points"] = ordered_json::array();
  for (const Point& p : points) out["points"].push_back({{"index", p.index}, {"name", p.name}, {"set", p.set}});
  return out;
}

void Sweep::write(const std::filesystem::path& folder) const {
  write_atomically(folder / sweep_file, json().dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n');
}

bool Sweep::is_one(const std::filesystem::path& folder) {
  std::error_code none;
  return std::filesystem::exists(folder / sweep_file, none);
}

Sweep Sweep::read(const std::filesystem::path& folder) {
  const std::string shown = "'" + (folder / sweep_file).string() + "'";
  if (!is_one(folder)) throw IoError("'" + folder.string() + "' is not the folder of a sweep: it has no sweep.json");
  std::ifstream in(folder / sweep_file);
  try {
    const ordered_json j = ordered_json::parse(in);
    Sweep out;
    j.at("spec").get_to(out.spec);
    out.directory = j.value("directory", "");
    j.at("version").get_to(out.version);
    j.at("command").get_to(out.command);
    j.at("sets").get_to(out.sets);
    j.at("petsc_options").get_to(out.petsc_options);
    j.at("design").get_to(out.design);
    j.at("seed").get_to(out.seed);
    j.at("inputs").get_to(out.inputs);
    j.at("report").get_to(out.report);
    out.pareto = j.at("pareto");
    out.together = j.value("together", 1);
    out.compares_models = j.value("compare_models", false);
    for (const ordered_json& p : j.at("points")) {
      out.points.push_back({p.at("index").get<int>(), p.at("name").get<std::string>(), p.at("set")});
      if (const std::string& name = out.points.back().name; name.empty() || name.find_first_not_of("0123456789") != std::string::npos)
        throw IoError(shown + " is damaged: a point has the name '" + name + "'");
    }
    if (out.design == "sobol_indices" && out.points.size() % (out.inputs.size() + 2) != 0) throw IoError(shown + " is damaged: points are missing");
    return out;
  } catch (const ordered_json::exception&) {
    throw IoError(shown + " is damaged");
  }
}

std::vector<std::string> Sweep::run_arguments(const std::filesystem::path& folder, const Point& point) const {
  std::vector<std::string> out = {"run", spec, "-q", "--out", run_of(folder, point).string()};
  for (const std::string& s : sets) out.insert(out.end(), {"--set", s});
  for (const auto& [path, value] : point.set.items()) out.insert(out.end(), {"--set", path + '=' + value.dump()});
  return with_petsc_options(std::move(out), petsc_options);
}

std::vector<std::string> Sweep::group_arguments(const std::filesystem::path& folder, const std::vector<const Point*>& group) {
  std::string tasks;
  for (const Point* point : group) tasks += (tasks.empty() ? "" : ",") + std::to_string(point->index);
  return {"run", folder.string(), "-q", "--task", tasks};
}

std::vector<std::string> Sweep::resume_arguments(const std::filesystem::path& folder, const Point& point) const {
  return with_petsc_options({"resume", run_of(folder, point).string(), "-q"}, petsc_options);
}

}  // namespace invar
