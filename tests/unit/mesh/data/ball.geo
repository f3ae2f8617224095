// Eighth of the unit ball: tetrahedra.
SetFactory("Built-in");
h = 0.6;
Point(1) = {0, 0, 0, h}; Point(2) = {1, 0, 0, h}; Point(3) = {0, 1, 0, h}; Point(4) = {0, 0, 1, h};
Line(1) = {1, 2}; Line(2) = {1, 3}; Line(3) = {1, 4};
Circle(4) = {2, 1, 3}; Circle(5) = {3, 1, 4}; Circle(6) = {4, 1, 2};
Curve Loop(1) = {4, 5, 6}; Surface(1) = {1};
Curve Loop(2) = {1, 4, -2}; Plane Surface(2) = {2};
Curve Loop(3) = {2, 5, -3}; Plane Surface(3) = {3};
Curve Loop(4) = {3, 6, -1}; Plane Surface(4) = {4};
Surface Loop(1) = {1, 2, 3, 4}; Volume(1) = {1};
Physical Volume("body", 1) = {1};
Physical Surface("sphere", 2) = {1};
Physical Surface("flat", 3) = {2, 3, 4};
Physical Curve("axis", 4) = {3};
Physical Point("centre", 5) = {1};
