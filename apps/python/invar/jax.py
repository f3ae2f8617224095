"""The objective as a JAX operator.

    J = invar.jax.objective(problem)     # problem = invar.Problem(spec, coordinates="physical")
    jax.value_and_grad(J)(x)             # x [problem.size]; works inside jax.jit

Double precision needs jax.config.update("jax_enable_x64", True): in single precision gradients have seven digits.
"""
import inspect

import jax
import jax.numpy
import numpy


# JAX before 0.4.34 has no word for it and does it anyway.
one_by_one = {"vmap_method": "sequential"} if "vmap_method" in inspect.signature(jax.pure_callback).parameters else {}


def objective(problem):
    """x [size] ↦ J(x). The first derivative is the adjoint's, the second one (jax.jacrev of jax.grad) the second-order
    adjoint's. Forward mode (jax.jvp, jax.hessian) is not defined."""

    def host(function, shape):
        def call(*arguments):
            arrays = [numpy.asarray(a, dtype=float) for a in arguments]
            return numpy.asarray(function(*arrays), dtype=arguments[0].dtype)

        def op(x, *more):
            kind = jax.ShapeDtypeStruct(shape(x), x.dtype)
            return jax.pure_callback(call, kind, x, *more, **one_by_one)

        return op

    value = host(problem.value, lambda x: ())
    gradient_of = host(problem.gradient, lambda x: x.shape)
    hessian_product = host(problem.hessian_product, lambda x: x.shape)

    @jax.custom_vjp
    def gradient(x):
        return gradient_of(x)

    gradient.defvjp(lambda x: (gradient(x), x), lambda x, direction: (hessian_product(x, direction),))

    @jax.custom_vjp
    def objective(x):
        return value(x)

    objective.defvjp(lambda x: (objective(x), x), lambda x, weight: (weight * gradient(x),))
    return objective
