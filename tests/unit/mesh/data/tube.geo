// Quarter of a tube, radii 1 and 2, length 1: hexahedra.
SetFactory("Built-in");
Point(1) = {0, 0, 0};
Point(2) = {1, 0, 0}; Point(3) = {2, 0, 0}; Point(4) = {0, 2, 0}; Point(5) = {0, 1, 0};
Line(1) = {2, 3}; Circle(2) = {3, 1, 4}; Line(3) = {4, 5}; Circle(4) = {5, 1, 2};
Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};
Transfinite Curve{1, 3} = 2; Transfinite Curve{2, 4} = 4;
Transfinite Surface{1}; Recombine Surface{1};
out[] = Extrude {0, 0, 1} { Surface{1}; Layers{2}; Recombine; };
Physical Volume("body", 1) = {out[1]};
Physical Surface("bottom", 2) = {1};
Physical Surface("top", 3) = {out[0]};
Physical Surface("outer", 4) = {out[3]};
Physical Surface("inner", 5) = {out[5]};
