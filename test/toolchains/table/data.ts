import type { Row } from './row.ts'

export const data: readonly Row[] = [
  {
    name: 'R: a script, a plot and two processes',
    needs: ['Rscript'],
    files: {
      'a.R':
        'cat(40 + 2, "\\n"); write.csv(data.frame(a = 1:2), "a.csv"); svg("a.svg"); plot(1:3); invisible(dev.off()); print(parallel::mclapply(1:2, function(n) n * 21, mc.cores = 2)[[2]])\n',
    },
    script: 'LC_ALL=C Rscript --vanilla a.R',
  },
  {
    name: 'R: a package that is built, installed and checked',
    needs: ['R', 'Rscript'],
    files: {
      'sums/DESCRIPTION':
        'Package: sums\nVersion: 0.1\nTitle: Sums\nDescription: Sums of numbers.\nAuthors@R: person("A", "B", email = "a@example.com", role = c("aut", "cre"))\nLicense: MIT\n',
      'sums/NAMESPACE': 'export(total)\n',
      'sums/R/a.R': 'total <- function(a, b) a + b\n',
      'sums/tests/a.R': 'stopifnot(sums::total(40, 2) == 42)\n',
    },
    script: `export LC_ALL=C; R CMD build sums > /dev/null; mkdir library; R CMD INSTALL -l library sums_0.1.tar.gz > /dev/null 2>&1; R_LIBS=library Rscript -e 'library(sums); total(40, 2)'
R CMD check --no-manual -l library sums_0.1.tar.gz | grep -E 'tests|install'`,
    byName: /^library|\.Rcheck|\.tar\.gz$/,
  },
]
