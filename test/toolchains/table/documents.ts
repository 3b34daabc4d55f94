import type { Row } from './row.ts'

export const documents: readonly Row[] = [
  {
    name: 'ImageMagick',
    needs: ['/usr/bin/convert', '/usr/bin/identify'],
    script:
      '/usr/bin/convert -size 20x10 xc:red -resize 50% +set date:create +set date:modify a.png; /usr/bin/identify -format "%wx%h\\n" a.png',
    byName: /\.png$/,
  },
  {
    name: 'FFmpeg',
    needs: ['ffmpeg', 'ffprobe'],
    script:
      'ffmpeg -v error -f lavfi -i testsrc=d=1:r=5:s=64x48 -bitexact a.mkv; ffprobe -v error -show_entries stream=width,height -of csv=p=0 a.mkv',
  },
  {
    name: 'pandoc',
    needs: ['pandoc'],
    files: { 'a.md': '# A\n\n*b*\n' },
    script: 'pandoc a.md -o a.html; cat a.html; pandoc a.md -o a.docx; pandoc a.docx -t plain',
    byName: /\.docx$/,
  },
  {
    name: 'Graphviz',
    needs: ['dot'],
    files: { 'a.dot': 'digraph { a -> b }\n' },
    script: 'dot -Tsvg a.dot -o a.svg; grep -c "<g " a.svg; dot -Tplain a.dot',
  },
  {
    name: 'LaTeX: pdflatex, and latexmk with a bibliography',
    needs: ['pdflatex', 'latexmk', 'bibtex'],
    files: {
      'a.tex':
        '\\documentclass{article}\\usepackage{amsmath,graphicx}\\begin{document}\\tableofcontents\\section{A}\\label{a}See \\ref{a}, \\cite{k}.\\begin{equation}x=1\\end{equation}\\bibliographystyle{plain}\\bibliography{a}\\end{document}\n',
      'a.bib': '@book{k, author = {A}, title = {B}, publisher = {C}, year = 2000}\n',
    },
    script: `export SOURCE_DATE_EPOCH=1000000000 FORCE_SOURCE_DATE=1; pdflatex -interaction=batchmode a.tex > /dev/null; grep -o 'Output written on a.pdf (1 page' a.log
latexmk -pdf -interaction=batchmode a.tex > /dev/null 2>&1; grep -c bibitem a.bbl; latexmk -c a.tex > /dev/null 2>&1; ls`,
  },
  {
    name: 'Ghostscript and Poppler',
    needs: ['gs', 'pdftotext'],
    files: { 'a.ps': '%!PS\n/Helvetica findfont 12 scalefont setfont 72 72 moveto (forty-two) show showpage\n' },
    script:
      'gs -q -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -sOutputFile=a.pdf a.ps; pdftotext a.pdf - | head -n 1; pdftoppm -r 20 -png a.pdf page',
    byName: /\.pdf$/,
  },
  {
    name: 'Asciidoctor',
    needs: ['asciidoctor'],
    files: { 'a.adoc': '= A\n\nb\n' },
    script: "asciidoctor -a reproducible a.adoc; grep -o '<h1>A</h1>' a.html",
  },
  {
    name: 'Doxygen',
    needs: ['doxygen'],
    files: {
      'a.h': '/** @file */\n/** Sums. */\nint sum(int a, int b);\n',
      Doxyfile: 'QUIET = YES\nGENERATE_LATEX = NO\nHTML_TIMESTAMP = NO\n',
    },
    script: 'doxygen 2> /dev/null; grep -c Sums html/a_8h.html',
  },
  {
    name: 'jq, gettext, protoc and gperf',
    needs: ['jq', 'msgfmt', 'protoc', 'gperf'],
    files: { 'a.po': 'msgid "a"\nmsgstr "b"\n', 'a.proto': 'syntax = "proto3";\nmessage A { int32 n = 1; }\n', words: '%%\na\nb\n%%\n' },
    script:
      'echo \'{"a":42}\' | jq .a; msgfmt -o a.mo a.po; msgunfmt a.mo; echo "n: 42" | protoc --encode=A a.proto | protoc --decode=A a.proto; protoc --python_out=. a.proto; gperf words | grep -c asso_values',
  },
]
