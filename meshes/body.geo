// A disc of diameter 1 in a stream: what a body of least drag starts from. m.
// gmsh -2 -order 2 -format msh22 body.geo
r = 0.5; h = 0.05; H = 0.7;
Point(1) = {0, 0, 0, h};
Point(2) = {r, 0, 0, h}; Point(3) = {0, r, 0, h}; Point(4) = {-r, 0, 0, h}; Point(5) = {0, -r, 0, h};
Circle(1) = {2, 1, 3}; Circle(2) = {3, 1, 4}; Circle(3) = {4, 1, 5}; Circle(4) = {5, 1, 2};
Point(6) = {-4, -4, 0, H}; Point(7) = {8, -4, 0, H}; Point(8) = {8, 4, 0, H}; Point(9) = {-4, 4, 0, H};
Line(5) = {6, 7}; Line(6) = {7, 8}; Line(7) = {8, 9}; Line(8) = {9, 6};
Line Loop(1) = {5, 6, 7, 8}; Line Loop(2) = {1, 2, 3, 4};
Plane Surface(1) = {1, 2};
// finer around the body and in its wake
Field[1] = Distance; Field[1].EdgesList = {1, 2, 3, 4}; Field[1].NNodesByEdge = 60;
Field[2] = Threshold; Field[2].IField = 1; Field[2].LcMin = h; Field[2].LcMax = H; Field[2].DistMin = 0.15; Field[2].DistMax = 4;
Background Field = 2;
Physical Curve("body") = {1, 2, 3, 4};
Physical Curve("inlet") = {8};
Physical Curve("sides") = {5, 7};
Physical Curve("outlet") = {6};
Physical Surface("fluid") = {1};
