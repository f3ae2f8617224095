// A disc of radius 0.1 m about (0, 0.5).
r = 0.1;
h = 0.03;
Point(1) = {0, 0.5, 0, h};
Point(2) = {r, 0.5, 0, h};
Point(3) = {0, 0.5 + r, 0, h};
Point(4) = {-r, 0.5, 0, h};
Point(5) = {0, 0.5 - r, 0, h};
Circle(1) = {2, 1, 3};
Circle(2) = {3, 1, 4};
Circle(3) = {4, 1, 5};
Circle(4) = {5, 1, 2};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Point{1} In Surface{1};
Physical Curve("skin") = {1, 2, 3, 4};
Physical Surface("ball") = {1};
