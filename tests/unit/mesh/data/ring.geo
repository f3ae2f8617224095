// Quarter of an annulus, radii 1 and 2: one half of quadrilaterals, one of triangles, clockwise.
SetFactory("Built-in");
Point(1) = {0, 0, 0};
Point(2) = {1, 0, 0}; Point(3) = {2, 0, 0};
Point(4) = {Sqrt(2), Sqrt(2), 0}; Point(5) = {Sqrt(0.5), Sqrt(0.5), 0};
Point(6) = {0, 2, 0}; Point(7) = {0, 1, 0};
Line(1) = {2, 3}; Circle(2) = {3, 1, 4}; Line(3) = {4, 5}; Circle(4) = {5, 1, 2};
Circle(5) = {4, 1, 6}; Line(6) = {6, 7}; Circle(7) = {7, 1, 5};
Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};
Curve Loop(2) = {-3, 5, 6, 7}; Plane Surface(2) = {2};
Transfinite Curve{1, 2, 3, 4, 5, 6, 7} = 4;
Transfinite Surface{1, 2};
Recombine Surface{1};
Reverse Surface{1, 2};
Physical Curve("inner", 1) = {4, 7};
Physical Curve("outer", 2) = {2, 5};
Physical Surface("quads", 3) = {1};
Physical Surface("triangles", 4) = {2};
