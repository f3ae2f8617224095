// NACA 0012 with a closed trailing edge (last coefficient -0.1036), chord 1 m, in a disc of radius 200 m: quadrilaterals in a
// boundary layer on the wall, triangles outside.
// gmsh -2 -format msh41 naca0012_layer.geo
n = 60;          // points on a side
first = 2e-5;    // height of the cells at the wall
R = 200; H = 30; // radius, and cells there
h = 0.024;       // cells along the wall; a third of it at the edges
For i In {0:n}
  s = Pi*i/n;
  x = 0.5*(1 - Cos(s));
  y = 0.6*(0.2969*Sqrt(x) - 0.1260*x - 0.3516*x^2 + 0.2843*x^3 - 0.1036*x^4);
  size = (x < 0.02 || x > 0.98) ? h/3 : h;
  If (i == n)
    y = 0;
  EndIf
  Point(1 + i) = {x, y, 0, size};
  If (i > 0 && i < n)
    Point(200 + i) = {x, -y, 0, size};
  EndIf
EndFor
upper[] = {}; lower[] = {1};
For i In {0:n}
  upper[] += 1 + i;
  If (i > 0 && i < n)
    lower[] += 200 + i;
  EndIf
EndFor
lower[] += 1 + n;
Spline(1) = upper[]; Spline(2) = lower[];
Point(900) = {0.5, 0, 0, H}; Point(901) = {0.5 + R, 0, 0, H}; Point(902) = {0.5, R, 0, H}; Point(903) = {0.5 - R, 0, 0, H}; Point(904) = {0.5, -R, 0, H};
Circle(11) = {901, 900, 902}; Circle(12) = {902, 900, 903}; Circle(13) = {903, 900, 904}; Circle(14) = {904, 900, 901};
Curve Loop(1) = {11, 12, 13, 14}; Curve Loop(2) = {1, -2};
Plane Surface(1) = {1, 2};
Field[1] = BoundaryLayer;
Field[1].CurvesList = {1, 2};
Field[1].FanPointsList = {1 + n};
Field[1].FanPointsSizesList = {13};
Field[1].Size = first;
Field[1].Ratio = 1.3;
Field[1].Thickness = 0.03;
Field[1].Quads = 1;
BoundaryLayer Field = 1;
Field[2] = Distance; Field[2].CurvesList = {1, 2}; Field[2].NumPointsPerCurve = 400;
Field[3] = MathEval; Field[3].F = Sprintf("%g + 0.25*F2", h);
Field[4] = Box; Field[4].VIn = 0.06; Field[4].VOut = H; Field[4].XMin = 0.9; Field[4].XMax = 3; Field[4].YMin = -0.1; Field[4].YMax = 0.3; Field[4].Thickness = 2;
Field[5] = Min; Field[5].FieldsList = {3, 4};
Background Field = 5;
Mesh.MeshSizeExtendFromBoundary = 1;
Physical Curve("airfoil") = {1, 2};
Physical Curve("inlet") = {12, 13};
Physical Curve("outlet") = {11, 14};
Physical Surface("fluid") = {1};
