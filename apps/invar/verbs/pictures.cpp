#include <algorithm>

#include "apps/invar/picture/picture.hpp"
#include "apps/invar/verbs/results.hpp"

namespace invar {
namespace {

struct WantedPicture {
  std::string name;
  std::size_t case_index = 0;
  PictureOptions options = {};
};

std::vector<WantedPicture> asked_for(const Problem& problem, const spec::Value& pictures) {
  std::vector<WantedPicture> wanted;
  for (const spec::Value& p : pictures) {
    std::size_t c = 0;
    if (const spec::Value* name = p.find("case"))
      while (c + 1 < problem.cases.size() && problem.cases[c].name != name->text()) ++c;
    PictureOptions options;
    options.field = p["field"].text();
    options.streamlines = p["streamlines"].boolean();
    options.arrows = p["arrows"].text();
    options.warp = p["warp"].text();
    options.title = p["title"].text().empty() ? p.key : p["title"].text();
    wanted.push_back({p.key, c, options});
  }
  return wanted;
}

/// For a report without a list of pictures: the main field of each of the first cases, and the density where one is designed.
std::vector<WantedPicture> of_main_fields(const Problem& problem) {
  constexpr std::size_t most = 4;
  std::vector<WantedPicture> wanted;
  for (std::size_t c = 0; c < std::min(most, problem.cases.size()); ++c) {
    const CaseModel& model = problem.cases[c];
    PictureOptions options;
    options.title = problem.cases.size() > 1 ? model.name : "";
    options.warp = model.physics->deformation();
    wanted.push_back({model.name, c, options});
    if (!problem.density || c > 0) continue;
    options.field = "density";
    wanted.insert(wanted.begin(), {"density", c, options});
  }
  return wanted;
}

}  // namespace

bool wants_pictures(const Problem& problem) {
  const spec::Value& output = problem.spec["output"];
  return output.has("pictures") || (output["report"].boolean() && output["fields"].text() != "none");
}

std::vector<std::string> render_pictures(const Problem& problem, const std::vector<std::filesystem::path>& fields,
                                         const std::filesystem::path& folder, const std::string& suffix) {
  std::vector<std::string> failures;
  if (!wants_pictures(problem) || fields.empty()) return failures;
  std::error_code error;
  std::filesystem::create_directories(folder / "pictures", error);
  const spec::Value* pictures = problem.spec["output"].find("pictures");
  for (const auto& [name, case_index, options] : pictures ? asked_for(problem, *pictures) : of_main_fields(problem)) {
    const std::string reason = render_picture(fields[case_index], folder / "pictures" / (name + suffix + ".png"), options);
    if (!reason.empty()) failures.push_back("no picture '" + name + suffix + "': " + reason);
  }
  return failures;
}

}  // namespace invar
