#include "apps/invar/page/limit_text.hpp"

#include <cmath>
#include <cstdio>

namespace invar {
namespace {

double number_of_limit(const nlohmann::ordered_json& of, const char* key) { return of.contains(key) && of[key].is_number() ? of[key].get<double>() : std::nan(""); }

}  // namespace

std::string limit_text(const nlohmann::ordered_json& limit) {
  const auto number = [&](const char* key) { return number_of_limit(limit, key); };
  std::string place;
  char text[320];
  for (const auto& x : limit["at"]) {
    std::snprintf(text, sizeof text, "%s%.4g", place.empty() ? "" : ", ", x.get<double>());
    place += text;
  }
  std::snprintf(text, sizeof text, "violated by %.3g at most, at (%s): %.4g of the limit there", number("violation"), place.c_str(), number("ratio"));
  std::string all = text;
  if (number("share") != 1) {
    std::snprintf(text, sizeof text, ", times %.3g for the density", number("share"));
    all += text;
  }
  std::snprintf(text, sizeof text, "; active in %.0f of %.0f cells, of which none is more than %.3g below it", number("active_cells"), number("cells"), number("slack"));
  return all + text;
}

std::string first_order_text(const nlohmann::ordered_json& optimizer) {
  const double gradient = number_of_limit(optimizer, "lagrangian_gradient");
  if (!std::isfinite(gradient)) return "the gradient of the Lagrangian is not known";
  char text[160];
  std::snprintf(text, sizeof text, "the projected gradient of the Lagrangian is %.3g of that of the objective without its limits", gradient);
  return text;
}

}  // namespace invar
