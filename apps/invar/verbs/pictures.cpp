#include "apps/invar/picture/picture.hpp"
#include "apps/invar/verbs/results.hpp"

namespace invar {

std::vector<std::string> render_pictures(const Problem& problem, const std::vector<std::filesystem::path>& fields,
                                         const std::filesystem::path& folder, const std::string& suffix) {
  std::vector<std::string> failures;
  const spec::Value* pictures = problem.spec["output"].find("pictures");
  if (!pictures || fields.empty()) return failures;
  std::error_code error;
  std::filesystem::create_directories(folder / "pictures", error);
  for (const spec::Value& p : *pictures) {
    std::size_t c = 0;
    if (const spec::Value* name = p.find("case"))
      while (c + 1 < problem.cases.size() && problem.cases[c].name != name->text()) ++c;
    PictureOptions options;
    options.field = p["field"].text();
    options.streamlines = p["streamlines"].boolean();
    options.arrows = p["arrows"].text();
    options.warp = p["warp"].text();
    options.title = p["title"].text().empty() ? p.key : p["title"].text();
    const std::string reason = render_picture(fields[c], folder / "pictures" / (p.key + suffix + ".png"), options);
    if (!reason.empty()) failures.push_back("no picture '" + p.key + suffix + "': " + reason);
  }
  return failures;
}

}  // namespace invar
