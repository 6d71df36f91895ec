#!/usr/bin/env bash
# Draws the curves of docs/performance.md as SVG on logarithmic axes: curves.sh TITLE X Y <TABLE. Each line of the table is a name,
# with _ for spaces, and points x,y.
set -euo pipefail
awk -v title="$1" -v xname="$2" -v yname="$3" '
function log10(value) { return log(value) / log(10) }
function px(x) { return 60 + 380 * (log10(x) - x0) / (x1 - x0) }
function py(y) { return 250 - 210 * (log10(y) - y0) / (y1 - y0) }
function floor(value) { return int(value) - (int(value) > value) }
function label(power) { return power < 4 ? 10 ^ power : "10<tspan dy=\"-4\" font-size=\"8\">" power "</tspan>" }
{ lines[NR] = $0
  for (field = 2; field <= NF; field++) {
      split($field, point, ",")
      if (lowx == "" || point[1] < lowx) lowx = point[1]
      if (point[1] > highx) highx = point[1]
      if (lowy == "" || point[2] < lowy) lowy = point[2]
      if (point[2] > highy) highy = point[2]
  } }
END {
    x0 = floor(log10(lowx)); x1 = -floor(-log10(highx)); y0 = floor(log10(lowy)); y1 = -floor(-log10(highy))
    if (x1 == x0) x1++
    if (y1 == y0) y1++
    split("#0072b2 #d55e00 #009e73 #cc79a7 #56b4e9 #e69f00", colours, " ")
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 620 300\" font-family=\"sans-serif\" font-size=\"11\">"
    print "<rect width=\"620\" height=\"300\" fill=\"#fff\"/>"
    printf "<text x=\"60\" y=\"22\" font-weight=\"bold\">%s</text>\n", title
    for (power = x0; power <= x1; power++) {
        printf "<path d=\"M%.0f 40V250\" stroke=\"#ddd\"/>", px(10 ^ power)
        printf "<text x=\"%.0f\" y=\"266\" text-anchor=\"middle\">%s</text>\n", px(10 ^ power), label(power)
    }
    for (power = y0; power <= y1; power++) {
        printf "<path d=\"M60 %.0fH440\" stroke=\"#ddd\"/>", py(10 ^ power)
        printf "<text x=\"54\" y=\"%.0f\" text-anchor=\"end\">%s</text>\n", py(10 ^ power) + 4, label(power)
    }
    printf "<text x=\"250\" y=\"288\" text-anchor=\"middle\">%s</text>\n", xname
    printf "<text transform=\"translate(16 145) rotate(-90)\" text-anchor=\"middle\">%s</text>\n", yname
    for (line = 1; line <= NR; line++) {
        count = split(lines[line], fields, " ")
        path = ""
        for (field = 2; field <= count; field++) {
            split(fields[field], point, ",")
            path = path sprintf("%s%.0f %.0f", field == 2 ? "M" : "L", px(point[1]), py(point[2]))
        }
        printf "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>", path, colours[line]
        printf "<path d=\"M456 %dh20\" stroke=\"%s\" stroke-width=\"2\"/>", 46 + 18 * line, colours[line]
        gsub("_", " ", fields[1])
        printf "<text x=\"482\" y=\"%d\">%s</text>\n", 50 + 18 * line, fields[1]
    }
    print "</svg>"
}'
