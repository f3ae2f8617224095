// Quarter of an annulus, radii 1 and 2: triangles. Groups overlap: "rim" is "inner" and "outer".
SetFactory("Built-in");
h = 0.5;
Point(1) = {0, 0, 0};
Point(2) = {1, 0, 0, h}; Point(3) = {2, 0, 0, h};
Point(4) = {0, 2, 0, h}; Point(5) = {0, 1, 0, h};
Line(1) = {2, 3}; Circle(2) = {3, 1, 4}; Line(3) = {4, 5}; Circle(4) = {5, 1, 2};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Physical Curve("inner", 1) = {4};
Physical Curve("outer", 2) = {2};
Physical Curve("rim", 3) = {2, 4};
Physical Curve(7) = {1};
Physical Point("corner", 5) = {3};
Physical Surface("body", 6) = {1};
