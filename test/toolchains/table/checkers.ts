import type { Row } from './row.ts'

const python = { 'a.py': 'import os\n\n\ndef total(a: int, b: int) -> int:\n    return a + b\n\n\ntotal(1, "2")\n' }

export const checkers: readonly Row[] = [
  { name: 'ShellCheck', needs: ['shellcheck'], files: { 'a.sh': '#!/bin/sh\necho $1\n' }, script: 'shellcheck a.sh || echo $?' },
  { name: 'flake8', needs: ['/usr/bin/flake8'], files: python, script: '/usr/bin/flake8 a.py || echo $?' },
  { name: 'mypy', needs: ['/usr/bin/mypy'], files: python, script: '/usr/bin/mypy a.py || echo $?', byName: /^\.mypy_cache/ },
  { name: 'Black', needs: ['/usr/bin/black'], files: { 'a.py': "a = {'b':1}\n" }, script: '/usr/bin/black -q a.py; cat a.py' },
  { name: 'Pylint', needs: ['/usr/bin/pylint'], files: python, script: '/usr/bin/pylint --score=n a.py || echo $?' },
  { name: 'yamllint', needs: ['yamllint'], files: { 'a.yaml': 'a:   1\n' }, script: 'yamllint -f parsable a.yaml || echo $?' },
  {
    name: 'Cppcheck',
    needs: ['cppcheck'],
    files: { 'a.c': 'int main(void) { int a[2]; a[2] = 1; return 0; }\n' },
    script: 'cppcheck -q a.c 2>&1',
  },
  {
    name: 'xmllint, xsltproc and tidy',
    needs: ['xmllint', 'xsltproc'],
    files: {
      'a.xml': '<a><b>42</b></a>\n',
      'a.xsl':
        '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:output method="text"/><xsl:template match="/"><xsl:value-of select="a/b"/></xsl:template></xsl:stylesheet>\n',
    },
    script: 'xmllint --xpath "string(/a/b)" a.xml; xsltproc a.xsl a.xml',
  },
]
