# Finds names that two files of one unity target define for themselves: in anonymous namespaces, as `static` or as
# the same TEST. Compiled as one file they are ambiguous or defined twice, and which files come together changes
# with every new one. Overloads count: a call could choose the other file's. So does a name of a file's own that a
# header of its target, or of a target below it, declares too, unless their first parameters differ.
#
# Files of two targets are never compiled as one: UNITY_BUILD joins sources of one target, and each file is a source of one target. Exceptions
# are the two files of picture/ that the library of drawing/ repeats; both rooms count as one target here. The linker sees no name of an
# anonymous namespace, so programs that link several libraries cannot confuse them. What targets have in common are headers.
#
#   alone='FILE.cpp...' awk -f unity_names.awk HEADER.hpp... FILE.cpp...      prints FILE:LINE: MESSAGE
#
# `alone`: the files that CMake compiles alone, a space between them.
#
# Reads code in the house's format: what begins a declaration stands in the first column, and a namespace ends with
# a comment that says so.

BEGIN {
  n = split(ENVIRON["alone"], files)
  for (i = 1; i <= n; ++i) alone[files[i]] = 1
}

# The target whose unity build may join the file to others; "" where it is compiled alone.
function target_of(path) {
  if (path ~ /\.hpp$/) {
    if (path ~ /^apps\/invar\//) return "apps/invar"
    return path ~ /^lib/ ? substr(path, 1, index(path, "/") - 1) : ""
  }
  if (path in alone) return ""
  if (path ~ /^(libadjoint|libfem|libfluid)\//) return substr(path, 1, index(path, "/") - 1)
  if (path ~ /^apps\/invar\/.*\//) return "apps/invar"
  if (path ~ /^tests\/unit\/[^\/]*\/[^\/]*_test\.cpp$/) {
    sub(/\/[^\/]*$/, "", path)
    return path
  }
  return ""
}

# The highest of the targets whose headers a target reads: each reads those of all below it.
function level_of(target) {
  if (target == "libadjoint") return 1
  if (target == "libfem") return 2
  if (target == "apps/invar" || target ~ /^tests\/unit\/(app|spec)$/) return 4
  return 3
}

# What stands before the first '(', '=', '{', ';' or '[' outside of template arguments; "" where none does.
function head_of(text,   i, c, depth, head) {
  for (i = 1; i <= length(text); ++i) {
    c = substr(text, i, 1)
    if (c == "<") ++depth
    else if (c == ">") --depth
    else if (depth == 0) {
      if (index("(={;[", c)) return head
      head = head c
    }
  }
  return ""
}

# The name that a declaration gives, as "name" or for an alias "name = type"; "" where there is none to compare.
function name_of(text,   head) {
  if (match(text, /^TEST(_F|_P)?\([^)]*\)/)) {
    head = substr(text, 1, RLENGTH)
    sub(/^TEST(_F|_P)?/, "TEST", head)
    return head
  }
  if (text ~ /^(using namespace |using enum |using [^=]*;|namespace |friend |static_assert|extern |INSTANTIATE_|TYPED_|[A-Z_]*\()/) return ""
  if (text ~ /^using /) {
    gsub(/[ \t]+/, " ", text)
    return substr(text, 7)
  }
  head = head_of(text)
  if (head ~ /operator|PrintTo$/) return ""  # found by their arguments
  if (head ~ /(^| )(struct|class|enum|union) /) sub(/ (final *)?:[^:].*$/, "", head)  # bases
  sub(/ final *$/, "", head)
  sub(/[ \t]+$/, "", head)
  if (!match(head, /[A-Za-z_][A-Za-z_0-9:~]*$/)) return ""
  head = substr(head, RSTART)
  return head ~ /::|^requires$/ ? "" : head
}

# "(double" for `f(double x, int n)`, "" of what is no function.
function first_parameter(text,   head) {
  head = head_of(text)
  if (head == "" || !match(text, /[(={;]/) || substr(text, RSTART, 1) != "(") return ""
  text = substr(text, RSTART)
  sub(/[,)].*/, "", text)
  sub(/ *[A-Za-z_0-9]*$/, "", text)
  return text
}

# The names after the first of a list of variables, `constexpr double left = 80, right = 14;`.
function define_others(text, line,   i, c, depth, name) {
  if (text !~ /;$/ || text ~ /^(using|struct|class|enum|union|template)[ <]/ || first_parameter(text) != "") return
  for (i = 1; i <= length(text); ++i) {
    c = substr(text, i, 1)
    if (c ~ /[({[<]/) ++depth
    else if (c ~ /[)}\]>]/) --depth
    else if (c == "," && depth == 0 && match(substr(text, i + 1), /^ *[*&]*[A-Za-z_][A-Za-z_0-9]* *[=;,{[]/)) {
      name = substr(text, i + 1, RLENGTH - 1)
      gsub(/[^A-Za-z_0-9]/, "", name)
      define("int " name ";", line)
    }
  }
}

# Complains of a name that a header declares which may be read before. A variable hides a function of that name, or is ambiguous with it,
# whatever the parameters.
function find_declared(key, parameter, name, where,   l, other) {
  for (l = 1; l <= level; ++l) {
    other = (l, key, parameter) in public ? public[l, key, parameter] : parameter == "" && (l, key) in announced ? announced[l, key] : ""
    if (other != "") print where ": '" name "' is also declared in " other ", which may be read before this file"
  }
}

function define(text, line,   name, key, parameter, said, where) {
  name = said = name_of(text)
  if (name == "") return
  define_others(text, line)
  sub(/ = .*/, "", name)
  key = scope() SUBSEP name
  parameter = first_parameter(text)
  where = FILENAME ":" line
  if (header) {
    if (!((level, key, parameter) in public)) public[level, key, parameter] = where
    if (!((level, key) in announced)) announced[level, key] = where
    return
  }
  find_declared(key, parameter, name, where)
  key = target SUBSEP key
  if (name != said) {  # the same alias may be repeated
    if (key in alias && alias[key] == said) return
    alias[key] = said
  }
  if (!(key in first)) first[key] = where
  else if (substr(first[key], 1, length(FILENAME) + 1) != FILENAME ":")
    print where ": '" name "' is also defined in " first[key] ", which may be compiled as one with this file"
}

# Sets `raw` to what ends the raw string that the line leaves open, "" where it leaves none open.
function find_raw(text,   at) {
  for (;;) {
    if (raw != "") {
      if (!(at = index(text, raw))) return
      text = substr(text, at + length(raw))
      raw = ""
    }
    if (!match(text, /R"[A-Za-z_-]*\(/)) return
    raw = ")" substr(text, RSTART + 2, RLENGTH - 3) "\""
    text = substr(text, RSTART + RLENGTH)
  }
}

function scope(   i, path) {
  for (i = 1; i <= depth; ++i)
    if (space[i] != "") path = path "::" space[i]
  return path
}
function hidden(   i) {
  for (i = 1; i <= depth; ++i)
    if (space[i] == "") return 1
  return 0
}

FNR == 1 {
  header = FILENAME ~ /\.hpp$/
  target = target_of(FILENAME)
  level = level_of(target)
  depth = 0
  pending = raw = ""
}
target == "" { next }

# The inside of a raw string is no code.
raw != "" || index($0, "R\"") {
  was_raw = raw != ""
  find_raw($0)
  if (was_raw) next
}
# Inside of a block, or an empty line.
pending == "" && !/^[A-Za-z_\[}]/ { next }
/^}/ {
  if (/^}.*\/\/ namespace/) --depth
  next
}
{ sub(/[ \t]*\/\/.*/, "") }
/^(inline )?namespace( [A-Za-z_:0-9]+)? *{/ {
  name = $0
  sub(/^(inline )?namespace */, "", name)
  sub(/ *{.*/, "", name)
  if ($0 !~ /}/) space[++depth] = name
  next
}
pending == "" {
  gsub(/\[\[[^\]]*\]\] */, "")
  gsub(/alignas\([^)]*\) */, "")
  if (!header && target !~ /^tests/ && /^using enum /)
    print FILENAME ":" FNR ": 'using enum' in a namespace gives its names to every file of the unit: write it in functions"
  if (!header && !hidden() && $0 !~ /^(static|TEST)/) next
  pending = $0
  start = FNR
  if (head_of(pending) == "" && pending !~ /[;{]/) next
  define(pending, start)
  pending = ""
  next
}
pending != "" {
  pending = pending " " $0
  if (head_of(pending) == "" && pending !~ /[;{]/) next
  define(pending, start)
  pending = ""
}
