"""Objective and residuals as PyTorch operators.

    J = invar.torch.objective(problem)   # problem = invar.Problem(spec, coordinates="physical")
    J(x).backward()                      # x: tensor [problem.size]; second derivatives by torch.autograd as well
"""
import torch


def objective(problem):
    """x [size] ↦ J(x), a scalar tensor of double precision; differentiable twice."""

    class Gradient(torch.autograd.Function):
        @staticmethod
        def forward(context, x):
            context.save_for_backward(x)
            return _tensor(problem.gradient(_array(x)), x)

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(context, direction):
            (x,) = context.saved_tensors
            return _tensor(problem.hessian_product(_array(x), _array(direction)), x)

    class Objective(torch.autograd.Function):
        @staticmethod
        def forward(context, x):
            context.save_for_backward(x)
            return _tensor(problem.value(_array(x)), x)

        @staticmethod
        def backward(context, weight):
            (x,) = context.saved_tensors
            return weight * Gradient.apply(x)

    return Objective.apply


def residuals(problem):
    """x [size] ↦ weighted residuals of the data [residual_count]; of designs without fields."""

    class Residuals(torch.autograd.Function):
        @staticmethod
        def forward(context, x):
            context.save_for_backward(x)
            return _tensor(problem.residuals(_array(x)), x)

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(context, weights):
            (x,) = context.saved_tensors
            return _tensor(problem.residual_jacobian(_array(x)).T @ _array(weights), x)

    return Residuals.apply


def _array(tensor):
    return tensor.detach().cpu().double().numpy()


def _tensor(array, like):
    return torch.as_tensor(array, dtype=like.dtype, device=like.device)
