#pragma once
#include <memory>
#include <stdexcept>
#include <string>

namespace invar {

/// A formula in the spec that cannot be parsed.
class ExpressionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A formula in x, y, z [m] (undeformed position) and t (time or load parameter), parsed by muParser.
/// Constants pi and e; functions sin cos tan asin acos atan sinh cosh tanh exp log log10 sqrt abs min
/// max sign rint if(…) through `cond ? a : b`.
class Expression {
 public:
  /// Throws ExpressionError with the mistake and its place in the formula.
  explicit Expression(std::string formula);
  ~Expression();
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;

  double operator()(double x, double y, double z, double t) const;
  bool depends_on_position() const { return depends_on_position_; }
  bool depends_on_time() const { return depends_on_time_; }
  const std::string& formula() const { return formula_; }

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
  std::string formula_;
  bool depends_on_position_ = false, depends_on_time_ = false;
};

}  // namespace invar
