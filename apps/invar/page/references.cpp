#include "apps/invar/page/references.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace invar {
namespace {

// Each entry begins with '@' at the begin of a line.
constexpr std::string_view bibliography = R"bib(
@article{adams2003, author = {Mark Adams and Marian Brezina and Jonathan Hu and Ray Tuminaro},
  title = {Parallel multigrid smoothing: polynomial versus {Gauss-Seidel}}, journal = {J. Comput. Phys.}, volume = 188, pages = {593--610}, year = 2003}
@article{alexander1977, author = {Roger Alexander}, title = {Diagonally implicit {Runge-Kutta} methods for stiff {O.D.E.}'s},
  journal = {SIAM J. Numer. Anal.}, volume = 14, pages = {1006--1021}, year = 1977}
@techreport{allmaras2012, author = {Steven R. Allmaras and Forrester T. Johnson and Philippe R. Spalart},
  title = {Modifications and clarifications for the implementation of the {Spalart-Allmaras} turbulence model}, institution = {ICCFD7-1902}, year = 2012}
@article{amestoy2001, author = {Patrick R. Amestoy and Iain S. Duff and Jean-Yves L'Excellent and Jacko Koster},
  title = {A fully asynchronous multifrontal solver using distributed dynamic scheduling},
  journal = {SIAM J. Matrix Anal. Appl.}, volume = 23, pages = {15--41}, year = 2001}
@inproceedings{amos2017, author = {Brandon Amos and Lei Xu and J. Zico Kolter}, title = {Input convex neural networks},
  booktitle = {Proc. 34th Int. Conf. Machine Learning}, pages = {146--155}, year = 2017}
@article{arruda1993, author = {Ellen M. Arruda and Mary C. Boyce},
  title = {A three-dimensional constitutive model for the large stretch behavior of rubber elastic materials},
  journal = {J. Mech. Phys. Solids}, volume = 41, pages = {389--412}, year = 1993}
@techreport{balay2022, author = {Satish Balay and others}, title = {{PETSc/TAO} users manual}, institution = {Argonne National Laboratory},
  number = {ANL-21/39}, year = 2022}
@article{bazilevs2007, author = {Y. Bazilevs and V. M. Calo and J. A. Cottrell and T. J. R. Hughes and A. Reali and G. Scovazzi},
  title = {Variational multiscale residual-based turbulence modeling for large eddy simulation of incompressible flows},
  journal = {Comput. Methods Appl. Mech. Engrg.}, volume = 197, pages = {173--201}, year = 2007}
@article{bazilevs2009, author = {Y. Bazilevs and J. R. Gohean and T. J. R. Hughes and R. D. Moser and Y. Zhang},
  title = {Patient-specific isogeometric fluid-structure interaction analysis of thoracic aortic blood flow due to implantation of the {Jarvik} 2000 left ventricular assist device},
  journal = {Comput. Methods Appl. Mech. Engrg.}, volume = 198, pages = {3534--3550}, year = 2009}
@article{bendsoe1999, author = {Martin P. Bends{\o}e and Ole Sigmund}, title = {Material interpolation schemes in topology optimization},
  journal = {Arch. Appl. Mech.}, volume = 69, pages = {635--654}, year = 1999}
@article{benzi2006, author = {Michele Benzi and Maxim A. Olshanskii}, title = {An augmented {Lagrangian}-based approach to the {Oseen} problem},
  journal = {SIAM J. Sci. Comput.}, volume = 28, pages = {2095--2113}, year = 2006}
@book{bird1987, author = {R. Byron Bird and Robert C. Armstrong and Ole Hassager}, title = {Dynamics of polymeric liquids, volume 1},
  publisher = {Wiley}, edition = {2nd}, year = 1987}
@book{bonet2008, author = {Javier Bonet and Richard D. Wood}, title = {Nonlinear continuum mechanics for finite element analysis},
  publisher = {Cambridge University Press}, edition = {2nd}, year = 2008}
@book{deboor2001, author = {Carl de Boor}, title = {A practical guide to splines}, publisher = {Springer}, year = 2001}
@article{borrvall2003, author = {Thomas Borrvall and Joakim Petersson}, title = {Topology optimization of fluids in {Stokes} flow},
  journal = {Int. J. Numer. Methods Fluids}, volume = 41, pages = {77--107}, year = 2003}
@article{brooks1982, author = {Alexander N. Brooks and Thomas J. R. Hughes},
  title = {Streamline upwind/{Petrov-Galerkin} formulations for convection dominated flows with particular emphasis on the incompressible {Navier-Stokes} equations},
  journal = {Comput. Methods Appl. Mech. Engrg.}, volume = 32, pages = {199--259}, year = 1982}
@article{byrd1994, author = {Richard H. Byrd and Jorge Nocedal and Robert B. Schnabel},
  title = {Representations of quasi-{Newton} matrices and their use in limited memory methods}, journal = {Math. Program.}, volume = 63,
  pages = {129--156}, year = 1994}
@article{brun2001, author = {Roland Brun and Peter Reichert and Hans R. K{\"u}nsch}, title = {Practical identifiability analysis of large environmental simulation models},
  journal = {Water Resour. Res.}, volume = 37, pages = {1015--1030}, year = 2001}
@article{bruns2001, author = {Tyler E. Bruns and Daniel A. Tortorelli}, title = {Topology optimization of non-linear elastic structures and compliant mechanisms},
  journal = {Comput. Methods Appl. Mech. Eng.}, volume = 190, pages = {3443--3459}, year = 2001}
@article{burley2020, author = {Brent Burley}, title = {Practical hash-based {Owen} scrambling}, journal = {J. Comput. Graph. Tech.}, volume = 9, number = 4,
  pages = {1--20}, year = 2020}
@article{celik2008, author = {Ishmail B. Celik and Urmila Ghia and Patrick J. Roache and Christopher J. Freitas and Hugh Coleman and Peter E. Raad},
  title = {Procedure for estimation and reporting of uncertainty due to discretization in {CFD} applications},
  journal = {J. Fluids Eng.}, volume = 130, pages = {078001}, year = 2008}
@misc{ceres, author = {Sameer Agarwal and Keir Mierle and others}, title = {Ceres Solver}, howpublished = {http://ceres-solver.org}}
@article{chen2008, author = {Yanqing Chen and Timothy A. Davis and William W. Hager and Sivasankaran Rajamanickam},
  title = {Algorithm 887: {CHOLMOD}, supernodal sparse {Cholesky} factorization and update/downdate},
  journal = {ACM Trans. Math. Softw.}, volume = 35, number = 3, pages = {22:1--22:14}, year = 2008}
@article{chung1993, author = {J. Chung and G. M. Hulbert},
  title = {A time integration algorithm for structural dynamics with improved numerical dissipation: the generalized-$\alpha$ method},
  journal = {J. Appl. Mech.}, volume = 60, pages = {371--375}, year = 1993}
@book{ciarlet1988, author = {Philippe G. Ciarlet}, title = {Mathematical elasticity, volume {I}: three-dimensional elasticity},
  publisher = {North-Holland}, year = 1988}
@article{crisfield1981, author = {M. A. Crisfield}, title = {A fast incremental/iterative solution procedure that handles ``snap-through''},
  journal = {Comput. Struct.}, volume = 13, pages = {55--62}, year = 1981}
@article{davis2004, author = {Timothy A. Davis}, title = {Algorithm 832: {UMFPACK} {V4.3}---an unsymmetric-pattern multifrontal method},
  journal = {ACM Trans. Math. Softw.}, volume = 30, pages = {196--199}, year = 2004}
@misc{eigen, author = {Ga{\"e}l Guennebaud and Beno{\^i}t Jacob and others}, title = {Eigen v3}, howpublished = {http://eigen.tuxfamily.org}, year = 2010}
@article{eisenstat1996, author = {Stanley C. Eisenstat and Homer F. Walker}, title = {Choosing the forcing terms in an inexact {Newton} method},
  journal = {SIAM J. Sci. Comput.}, volume = 17, pages = {16--32}, year = 1996}
@book{elman2014, author = {Howard C. Elman and David J. Silvester and Andrew J. Wathen}, title = {Finite elements and fast iterative solvers},
  publisher = {Oxford University Press}, edition = {2nd}, year = 2014}
@article{failer2020, author = {Lukas Failer and Thomas Richter}, title = {A parallel {Newton} multigrid framework for monolithic fluid-structure interactions},
  journal = {J. Sci. Comput.}, volume = 82, pages = {28}, year = 2020}
@inproceedings{falgout2002, author = {Robert D. Falgout and Ulrike Meier Yang}, title = {hypre: a library of high performance preconditioners},
  booktitle = {Computational Science - ICCS 2002}, pages = {632--641}, publisher = {Springer}, year = 2002}
@article{frank1956, author = {Marguerite Frank and Philip Wolfe}, title = {An algorithm for quadratic programming},
  journal = {Naval Res. Logist. Quart.}, volume = 3, pages = {95--110}, year = 1956}
@article{gasser2006, author = {T. Christian Gasser and Ray W. Ogden and Gerhard A. Holzapfel},
  title = {Hyperelastic modelling of arterial layers with distributed collagen fibre orientations},
  journal = {J. R. Soc. Interface}, volume = 3, pages = {15--35}, year = 2006}
@article{gent1996, author = {A. N. Gent}, title = {A new constitutive relation for rubber}, journal = {Rubber Chem. Technol.}, volume = 69,
  pages = {59--61}, year = 1996}
@article{giles2000, author = {Michael B. Giles and Niles A. Pierce}, title = {An introduction to the adjoint approach to design},
  journal = {Flow Turbul. Combust.}, volume = 65, pages = {393--415}, year = 2000}
@article{goldfarb1983, author = {D. Goldfarb and A. Idnani}, title = {A numerically stable dual method for solving strictly convex quadratic programs},
  journal = {Math. Program.}, volume = 27, pages = {1--33}, year = 1983}
@article{griewank2000, author = {Andreas Griewank and Andrea Walther},
  title = {Algorithm 799: revolve: an implementation of checkpointing for the reverse or adjoint mode of computational differentiation},
  journal = {ACM Trans. Math. Softw.}, volume = 26, pages = {19--45}, year = 2000}
@book{griewank2008, author = {Andreas Griewank and Andrea Walther}, title = {Evaluating derivatives}, publisher = {SIAM}, edition = {2nd}, year = 2008}
@article{guermond2006, author = {J. L. Guermond and P. Minev and Jie Shen}, title = {An overview of projection methods for incompressible flows},
  journal = {Comput. Methods Appl. Mech. Engrg.}, volume = 195, pages = {6011--6045}, year = 2006}
@book{gurtin2010, author = {Morton E. Gurtin and Eliot Fried and Lallit Anand}, title = {The mechanics and thermodynamics of continua},
  publisher = {Cambridge University Press}, year = 2010}
@book{hairer1996, author = {Ernst Hairer and Gerhard Wanner}, title = {Solving ordinary differential equations {II}}, publisher = {Springer},
  edition = {2nd}, year = 1996}
@article{hairer2003, author = {Ernst Hairer and Christian Lubich and Gerhard Wanner},
  title = {Geometric numerical integration illustrated by the {St{\"o}rmer-Verlet} method}, journal = {Acta Numer.}, volume = 12,
  pages = {399--450}, year = 2003}
@article{hansen1993, author = {Per Christian Hansen and Dianne P. O'Leary},
  title = {The use of the {L}-curve in the regularization of discrete ill-posed problems}, journal = {SIAM J. Sci. Comput.}, volume = 14,
  pages = {1487--1503}, year = 1993}
@article{hencky1928, author = {H. Hencky}, title = {Ueber die {Form} des {Elastizit{\"a}tsgesetzes} bei ideal elastischen {Stoffen}}, journal = {Z. techn. Phys.},
  volume = 9, pages = {215--220}, year = 1928}
@article{henson2002, author = {Van Emden Henson and Ulrike Meier Yang}, title = {{BoomerAMG}: a parallel algebraic multigrid solver and preconditioner},
  journal = {Appl. Numer. Math.}, volume = 41, pages = {155--177}, year = 2002}
@article{hicks1978, author = {Raymond M. Hicks and Preston A. Henne}, title = {Wing design by numerical optimization}, journal = {J. Aircraft},
  volume = 15, pages = {407--412}, year = 1978}
@article{hinton1976, author = {E. Hinton and T. Rock and O. C. Zienkiewicz}, title = {A note on mass lumping and related processes in the finite element method},
  journal = {Earthquake Eng. Struct. Dyn.}, volume = 4, pages = {245--249}, year = 1976}
@incollection{hron2006, author = {Jaroslav Hron and Stefan Turek},
  title = {A monolithic {FEM}/multigrid solver for an {ALE} formulation of fluid-structure interaction with applications in biomechanics},
  booktitle = {Fluid-Structure Interaction, LNCSE 53}, publisher = {Springer}, pages = {146--170}, year = 2006}
@article{hyndman1996, author = {Rob J. Hyndman and Yanan Fan}, title = {Sample quantiles in statistical packages}, journal = {Amer. Statist.},
  volume = 50, pages = {361--365}, year = 1996}
@article{jansen1999, author = {Michiel J. W. Jansen}, title = {Analysis of variance designs for model output}, journal = {Comput. Phys. Commun.},
  volume = 117, pages = {35--43}, year = 1999}
@article{jansen2000, author = {Kenneth E. Jansen and Christian H. Whiting and Gregory M. Hulbert},
  title = {A generalized-$\alpha$ method for integrating the filtered {Navier-Stokes} equations with a stabilized finite element method},
  journal = {Comput. Methods Appl. Mech. Engrg.}, volume = 190, pages = {305--319}, year = 2000}
@article{joe2008, author = {Stephen Joe and Frances Y. Kuo}, title = {Constructing {Sobol} sequences with better two-dimensional projections},
  journal = {SIAM J. Sci. Comput.}, volume = 30, pages = {2635--2654}, year = 2008}
@book{jones1999, author = {Robert M. Jones}, title = {Mechanics of composite materials}, publisher = {Taylor \& Francis}, edition = {2nd}, year = 1999}
@article{kelley1998, author = {C. T. Kelley and David E. Keyes}, title = {Convergence analysis of pseudo-transient continuation},
  journal = {SIAM J. Numer. Anal.}, volume = 35, pages = {508--523}, year = 1998}
@article{kulfan2008, author = {Brenda M. Kulfan}, title = {Universal parametric geometry representation method}, journal = {J. Aircraft}, volume = 45,
  pages = {142--158}, year = 2008}
@article{labelle2007, author = {Francois Labelle and Jonathan Richard Shewchuk},
  title = {Isosurface stuffing: fast tetrahedral meshes with good dihedral angles}, journal = {ACM Trans. Graph.}, volume = 26,
  pages = {57.1--57.10}, year = 2007}
@article{lazarov2011, author = {B. S. Lazarov and O. Sigmund}, title = {Filters in topology optimization based on {Helmholtz}-type differential equations},
  journal = {Int. J. Numer. Methods Eng.}, volume = 86, pages = {765--781}, year = 2011}
@article{liu1994, author = {C. H. Liu and G. Hofstetter and H. A. Mang}, title = {{3D} finite element analysis of rubber-like materials at finite strains},
  journal = {Eng. Comput.}, volume = 11, pages = {111--128}, year = 1994}
@article{luke2012, author = {Edward Luke and Eric Collins and Eric Blades}, title = {A fast mesh deformation method using explicit interpolation},
  journal = {J. Comput. Phys.}, volume = 231, pages = {586--601}, year = 2012}
@article{mackay1992, author = {David J. C. MacKay}, title = {Bayesian interpolation}, journal = {Neural Comput.}, volume = 4,
  pages = {415--447}, year = 1992}
@article{mckay1979, author = {M. D. McKay and R. J. Beckman and W. J. Conover},
  title = {A comparison of three methods for selecting values of input variables in the analysis of output from a computer code},
  journal = {Technometrics}, volume = 21, pages = {239--245}, year = 1979}
@book{mohammadi2010, author = {Bijan Mohammadi and Olivier Pironneau}, title = {Applied shape optimization for fluids},
  publisher = {Oxford University Press}, edition = {2nd}, year = 2010}
@article{mooney1940, author = {M. Mooney}, title = {A theory of large elastic deformation}, journal = {J. Appl. Phys.}, volume = 11,
  pages = {582--592}, year = 1940}
@incollection{more1978, author = {Jorge J. Mor{\'e}}, title = {The {Levenberg-Marquardt} algorithm: implementation and theory},
  booktitle = {Numerical Analysis, Lecture Notes in Mathematics 630}, pages = {105--116}, publisher = {Springer}, year = 1978}
@article{morozov1966, author = {V. A. Morozov}, title = {On the solution of functional equations by the method of regularization},
  journal = {Soviet Math. Dokl.}, volume = 7, pages = {414--417}, year = 1966}
@article{newmark1959, author = {Nathan M. Newmark}, title = {A method of computation for structural dynamics}, journal = {J. Eng. Mech. Div. ASCE},
  volume = 85, number = 3, pages = {67--94}, year = 1959}
@book{nocedal2006, author = {Jorge Nocedal and Stephen J. Wright}, title = {Numerical optimization}, publisher = {Springer}, edition = {2nd}, year = 2006}
@article{ogden1972, author = {R. W. Ogden},
  title = {Large deformation isotropic elasticity: on the correlation of theory and experiment for incompressible rubberlike solids},
  journal = {Proc. R. Soc. Lond. A}, volume = 326, pages = {565--584}, year = 1972}
@article{olshanskii2004, author = {Maxim A. Olshanskii and Arnold Reusken}, title = {Grad-div stabilization for {Stokes} equations},
  journal = {Math. Comp.}, volume = 73, pages = {1699--1718}, year = 2004}
@incollection{owen1995, author = {Art B. Owen}, title = {Randomly permuted $(t,m,s)$-nets and $(t,s)$-sequences},
  booktitle = {Monte Carlo and Quasi-Monte Carlo Methods in Scientific Computing}, pages = {299--317}, publisher = {Springer}, year = 1995}
@incollection{powell1978, author = {M. J. D. Powell}, title = {A fast algorithm for nonlinearly constrained optimization calculations},
  booktitle = {Numerical Analysis, Lecture Notes in Mathematics 630}, pages = {144--157}, publisher = {Springer}, year = 1978}
@article{riks1979, author = {E. Riks}, title = {An incremental approach to the solution of snapping and buckling problems},
  journal = {Int. J. Solids Struct.}, volume = 15, pages = {529--551}, year = 1979}
@article{rivlin1948, author = {R. S. Rivlin}, title = {Large elastic deformations of isotropic materials. {IV}. Further developments of the general theory},
  journal = {Phil. Trans. R. Soc. Lond. A}, volume = 241, pages = {379--397}, year = 1948}
@article{roache1994, author = {P. J. Roache}, title = {Perspective: a method for uniform reporting of grid refinement studies}, journal = {J. Fluids Eng.},
  volume = 116, pages = {405--413}, year = 1994}
@article{rodriguez1994, author = {Edward K. Rodriguez and Anne Hoger and Andrew D. McCulloch},
  title = {Stress-dependent finite growth in soft elastic tissues}, journal = {J. Biomech.}, volume = 27, pages = {455--467}, year = 1994}
@article{saad1986, author = {Youcef Saad and Martin H. Schultz},
  title = {{GMRES}: a generalized minimal residual algorithm for solving nonsymmetric linear systems},
  journal = {SIAM J. Sci. Stat. Comput.}, volume = 7, pages = {856--869}, year = 1986}
@article{saltelli2010, author = {Andrea Saltelli and Paola Annoni and Ivano Azzini and Francesca Campolongo and Marco Ratto and Stefano Tarantola},
  title = {Variance based sensitivity analysis of model output. {D}esign and estimator for the total sensitivity index},
  journal = {Comput. Phys. Commun.}, volume = 181, pages = {259--270}, year = 2010}
@book{schroeder2006, author = {Will Schroeder and Ken Martin and Bill Lorensen}, title = {The visualization toolkit}, publisher = {Kitware},
  edition = {4th}, year = 2006}
@article{schwarz1978, author = {Gideon Schwarz}, title = {Estimating the dimension of a model}, journal = {Ann. Statist.}, volume = 6,
  pages = {461--464}, year = 1978}
@book{seber1989, author = {G. A. F. Seber and C. J. Wild}, title = {Nonlinear regression}, publisher = {Wiley}, year = 1989}
@inproceedings{sederberg1986, author = {Thomas W. Sederberg and Scott R. Parry}, title = {Free-form deformation of solid geometric models},
  booktitle = {Proc. SIGGRAPH}, pages = {151--160}, year = 1986}
@article{shakib1991, author = {Farzin Shakib and Thomas J. R. Hughes and Zden{\v{e}}k Johan},
  title = {A new finite element formulation for computational fluid dynamics: {X}. {T}he compressible {Euler} and {Navier-Stokes} equations},
  journal = {Comput. Methods Appl. Mech. Engrg.}, volume = 89, pages = {141--219}, year = 1991}
@article{simo1987, author = {J. C. Simo}, title = {On a fully three-dimensional finite-strain viscoelastic damage model: formulation and computational aspects},
  journal = {Comput. Methods Appl. Mech. Engrg.}, volume = 60, pages = {153--173}, year = 1987}
@article{simo1991, author = {J. C. Simo and R. L. Taylor},
  title = {Quasi-incompressible finite elasticity in principal stretches: continuum basis and numerical algorithms},
  journal = {Comput. Methods Appl. Mech. Engrg.}, volume = 85, pages = {273--310}, year = 1991}
@book{simo1998, author = {J. C. Simo and T. J. R. Hughes}, title = {Computational inelasticity}, publisher = {Springer}, year = 1998}
@article{spalart1994, author = {P. R. Spalart and S. R. Allmaras}, title = {A one-equation turbulence model for aerodynamic flows},
  journal = {Rech. A{\'e}rosp.}, number = 1, pages = {5--21}, year = 1994}
@book{spencer1984, author = {A. J. M. Spencer}, title = {Continuum theory of the mechanics of fibre-reinforced composites},
  publisher = {Springer}, year = 1984}
@article{stein2003, author = {K. Stein and T. Tezduyar and R. Benney},
  title = {Mesh moving techniques for fluid-structure interactions with large displacements}, journal = {J. Appl. Mech.}, volume = 70,
  pages = {58--63}, year = 2003}
@article{stolpe2001, author = {M. Stolpe and K. Svanberg}, title = {An alternative interpolation scheme for minimum compliance topology optimization},
  journal = {Struct. Multidiscip. Optim.}, volume = 22, pages = {116--124}, year = 2001}
@inproceedings{stomakhin2012, author = {Alexey Stomakhin and Russell Howes and Craig Schroeder and Joseph M. Teran},
  title = {Energetically consistent invertible elasticity}, booktitle = {Proc. ACM SIGGRAPH/Eurographics Symp. Computer Animation}, pages = {25--32}, year = 2012}
@article{stpierre2023, author = {Sarah R. {St. Pierre} and Kevin Linka and Ellen Kuhl},
  title = {Principal-stretch-based constitutive neural networks autonomously discover a subclass of {Ogden} models for human brain tissue},
  journal = {Brain Multiphysics}, volume = 4, pages = {100066}, year = 2023}
@article{svanberg1987, author = {Krister Svanberg}, title = {The method of moving asymptotes---a new method for structural optimization},
  journal = {Int. J. Numer. Methods Eng.}, volume = 24, pages = {359--373}, year = 1987}
@article{svanberg2002, author = {Krister Svanberg},
  title = {A class of globally convergent optimization methods based on conservative convex separable approximations},
  journal = {SIAM J. Optim.}, volume = 12, pages = {555--573}, year = 2002}
@article{taylor1973, author = {C. Taylor and P. Hood}, title = {A numerical solution of the {Navier-Stokes} equations using the finite element technique},
  journal = {Comput. Fluids}, volume = 1, pages = {73--100}, year = 1973}
@article{traff2023, author = {Erik A. Tr{\"a}ff and Anton Rydahl and Sven Karlsson and Ole Sigmund and Niels Aage},
  title = {Simple and efficient {GPU} accelerated topology optimisation: codes and applications},
  journal = {Comput. Methods Appl. Mech. Eng.}, pages = {116043}, year = 2023, doi = {10.1016/j.cma.2023.116043}}
@book{treloar1975, author = {L. R. G. Treloar}, title = {The physics of rubber elasticity}, publisher = {Oxford University Press}, edition = {3rd}, year = 1975}
@article{vanek1996, author = {P. Van{\v{e}}k and J. Mandel and M. Brezina},
  title = {Algebraic multigrid by smoothed aggregation for second and fourth order elliptic problems}, journal = {Computing}, volume = 56,
  pages = {179--196}, year = 1996}
@book{vogel2002, author = {Curtis R. Vogel}, title = {Computational methods for inverse problems}, publisher = {SIAM}, year = 2002}
@article{wang2011, author = {Fengwen Wang and Boyan Stefanov Lazarov and Ole Sigmund},
  title = {On projection methods, convergence and robust formulations in topology optimization}, journal = {Struct. Multidiscip. Optim.},
  volume = 43, pages = {767--784}, year = 2011}
@article{wang2014, author = {Fengwen Wang and Boyan Stefanov Lazarov and Ole Sigmund and Jakob S{\o}ndergaard Jensen},
  title = {Interpolation scheme for fictitious domain techniques and topology optimization of finite strain elastic problems},
  journal = {Comput. Methods Appl. Mech. Engrg.}, volume = 276, pages = {453--472}, year = 2014}
@article{yeoh1993, author = {O. H. Yeoh}, title = {Some forms of the strain energy function for rubber}, journal = {Rubber Chem. Technol.}, volume = 66,
  pages = {754--771}, year = 1993}
@book{zienkiewicz2013, author = {O. C. Zienkiewicz and R. L. Taylor and J. Z. Zhu}, title = {The finite element method: its basis and fundamentals},
  publisher = {Butterworth-Heinemann}, edition = {7th}, year = 2013}
)bib";

std::vector<Reference> entries_of(std::string_view text) {
  std::vector<Reference> out;
  for (std::size_t at = text.find("\n@"); at != std::string_view::npos;) {
    const std::size_t next = text.find("\n@", at + 1);
    const std::string_view entry = text.substr(at + 1, (next == std::string_view::npos ? text.size() - 1 : next) - at - 1);
    const std::size_t open = entry.find('{');
    out.push_back({entry.substr(open + 1, entry.find(',') - open - 1), entry});
    at = next;
  }
  std::ranges::sort(out, {}, &Reference::key);
  return out;
}

}  // namespace

const std::vector<Reference>& references() {
  static const std::vector<Reference> all = entries_of(bibliography);
  return all;
}

const Reference& reference(std::string_view key) {
  const auto found = std::ranges::lower_bound(references(), key, {}, &Reference::key);
  if (found == references().end() || found->key != key) throw std::out_of_range("no reference '" + std::string(key) + "'");
  return *found;
}

}  // namespace invar
