#include "libfem/space/expression.hpp"

#include <muParser.h>

#include <cmath>
#include <numbers>

namespace invar {

struct Expression::Parser {
  mu::Parser mu;
  double x = 0, y = 0, z = 0, t = 0;
};

Expression::Expression(std::string formula) : parser_(std::make_unique<Parser>()), formula_(std::move(formula)) {
  Parser& p = *parser_;
  try {
    p.mu.DefineConst("pi", std::numbers::pi);
    p.mu.DefineConst("e", std::numbers::e);
    p.mu.DefineVar("x", &p.x);
    p.mu.DefineVar("y", &p.y);
    p.mu.DefineVar("z", &p.z);
    p.mu.DefineVar("t", &p.t);
    p.mu.DefineFun("log", static_cast<double (*)(double)>(std::log));
    p.mu.SetExpr(formula_);
    p.mu.Eval();  // bytecode; domain errors give NaN, not exceptions
    if (p.mu.GetNumResults() > 1)
      throw ExpressionError("the formula '" + formula_ + "' has several values, separated by commas; numbers have a decimal point, as in 0.5");
    for (const auto& [name, address] : p.mu.GetUsedVar()) {
      depends_on_time_ |= name == "t";
      depends_on_position_ |= name != "t";
    }
  } catch (const mu::Parser::exception_type& e) {
    std::string reason = e.GetMsg();
    reason.erase(reason.find_last_not_of('.') + 1);  // some of muParser's sentences have an end
    const std::size_t end = static_cast<std::size_t>(e.GetPos()) + e.GetToken().size();
    const bool names_number = !e.GetToken().empty() && end < formula_.size() && formula_[end] == '.';  // as loads.tip.y
    throw ExpressionError("cannot read the formula '" + formula_ + "': " + reason + ". Variables: x, y, z, t; constants: pi, e." +
                          (names_number ? " Numbers of the spec have no name in formulas: write their values." : ""));
  }
}

Expression::~Expression() = default;
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;

double Expression::operator()(double x, double y, double z, double t) const {
  parser_->x = x;
  parser_->y = y;
  parser_->z = z;
  parser_->t = t;
  return parser_->mu.Eval();
}

}  // namespace invar
