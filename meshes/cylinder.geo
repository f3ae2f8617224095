// Channel of 2.2 m by 0.41 m with a cylinder of diameter 0.1 m at (0.2, 0.2), the DFG benchmark 2D-1.
// Cells: 1.35 mm times `coarseness` at the cylinder, growing downstream.
//   gmsh -2 -order 2 -setnumber coarseness 1 -format msh22 -o cylinder_3.msh cylinder.geo
// with coarseness 4, 2 and 1 for cylinder_1, cylinder_2 and cylinder_3; coordinates are then rounded to 1e-9 m
// and the file is packed with gzip.
DefineConstant[ coarseness = {1, Name "coarseness"} ];
h = 0.00135 * coarseness;
Point(1) = {0, 0, 0};
Point(2) = {2.2, 0, 0};
Point(3) = {2.2, 0.41, 0};
Point(4) = {0, 0.41, 0};
Point(5) = {0.2, 0.2, 0};
Point(6) = {0.25, 0.2, 0};
Point(7) = {0.2, 0.25, 0};
Point(8) = {0.15, 0.2, 0};
Point(9) = {0.2, 0.15, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Circle(5) = {6, 5, 7};
Circle(6) = {7, 5, 8};
Circle(7) = {8, 5, 9};
Circle(8) = {9, 5, 6};
Curve Loop(1) = {1, 2, 3, 4};
Curve Loop(2) = {5, 6, 7, 8};
Plane Surface(1) = {1, 2};
Physical Curve("inlet", 1) = {4};
Physical Curve("outlet", 2) = {2};
Physical Curve("walls", 3) = {1, 3};
Physical Curve("cylinder", 4) = {5, 6, 7, 8};
Physical Surface("fluid", 5) = {1};
Field[1] = Distance;
Field[1].CurvesList = {5, 6, 7, 8};
Field[1].NumPointsPerCurve = 200;
Field[2] = MathEval;
Field[2].F = Sprintf("%g * (1 + F1/0.025 * (1 - 0.5 * F1/(F1 + 0.1)))", h);
Background Field = 2;
Mesh.MeshSizeFromPoints = 0;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.Algorithm = 6;
