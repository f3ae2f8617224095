// Channel of 2.2 m by 0.41 m with a cylinder of diameter 0.1 m at (0.2, 0.2), as cylinder.geo, but coarser, and with
// two slots of 30 degrees at the top and at the bottom of the cylinder. The region "cylinder" contains the slots.
//   gmsh -2 -order 2 -format msh41 -o cylinder_slots.msh cylinder_slots.geo
// and then packed with gzip.
h = 0.0075;
r = 0.05;
c = r * Cos(Pi * 75 / 180);
s = r * Sin(Pi * 75 / 180);
Point(1) = {0, 0, 0};
Point(2) = {2.2, 0, 0};
Point(3) = {2.2, 0.41, 0};
Point(4) = {0, 0.41, 0};
Point(5) = {0.2, 0.2, 0};
Point(6) = {0.2 + r, 0.2, 0};
Point(7) = {0.2 + c, 0.2 + s, 0};
Point(8) = {0.2 - c, 0.2 + s, 0};
Point(9) = {0.2 - r, 0.2, 0};
Point(10) = {0.2 - c, 0.2 - s, 0};
Point(11) = {0.2 + c, 0.2 - s, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Circle(5) = {6, 5, 7};
Circle(6) = {7, 5, 8};
Circle(7) = {8, 5, 9};
Circle(8) = {9, 5, 10};
Circle(9) = {10, 5, 11};
Circle(10) = {11, 5, 6};
Curve Loop(1) = {1, 2, 3, 4};
Curve Loop(2) = {5, 6, 7, 8, 9, 10};
Plane Surface(1) = {1, 2};
Physical Curve("inlet", 1) = {4};
Physical Curve("outlet", 2) = {2};
Physical Curve("walls", 3) = {1, 3};
Physical Curve("cylinder", 4) = {5, 6, 7, 8, 9, 10};
Physical Curve("slots", 5) = {6, 9};
Physical Surface("fluid", 6) = {1};
Field[1] = Distance;
Field[1].CurvesList = {5, 6, 7, 8, 9, 10};
Field[1].NumPointsPerCurve = 200;
Field[2] = MathEval;
Field[2].F = Sprintf("%g * (1 + F1/0.025 * (1 - 0.5 * F1/(F1 + 0.1)))", h);
Background Field = 2;
Mesh.MeshSizeFromPoints = 0;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.Algorithm = 6;
