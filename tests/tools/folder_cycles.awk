# Finds folders of one library that include each other, directly or through others: neither can be understood, tested
# or changed without the other. What stands at the root of a library stands for itself there (X.hpp and X.cpp together):
# equations are below the solvers, cases above them.
#
#   awk -f folder_cycles.awk FILE...      prints FILE:LINE: MESSAGE for each include of which a cycle is made

# "libadjoint/solve", or "libadjoint/residual" of a file at the root; "" elsewhere: the rooms of libfem and
# apps have an order of their own.
function node_of(path,   part, n) {
  if (path !~ /^(libadjoint|libfluid)\//) return ""
  n = split(path, part, "/")
  sub(/\..*/, "", part[2])
  return part[1] "/" part[2]
}
function library_of(node) { return substr(node, 1, index(node, "/") - 1) }

FNR == 1 { from = node_of(FILENAME) }
from != "" && /^[ \t]*#[ \t]*include[ \t]*"/ {
  split($0, quoted, "\"")
  to = node_of(quoted[2])
  if (to == "" || to == from || library_of(to) != library_of(from)) next
  edge[++edges] = from SUBSEP to
  place[edges] = FILENAME ":" FNR
}
# What nothing includes, or includes nothing, is in no cycle; without it the next is not.
END {
  do {
    split("", in_of)
    split("", out_of)
    for (e in edge) {
      split(edge[e], end, SUBSEP)
      out_of[end[1]] = in_of[end[2]] = 1
    }
    removed = 0
    for (e in edge) {
      split(edge[e], end, SUBSEP)
      if (!(end[1] in in_of) || !(end[2] in out_of)) {
        delete edge[e]
        removed = 1
      }
    }
  } while (removed)
  for (e in edge) {
    split(edge[e], end, SUBSEP)
    print place[e] ": " end[1] " may not include " end[2] ", which includes it, directly or through others"
  }
}
