import type { Row } from './row.ts'

const bin = '$PROGRAMS/node_modules/.bin'
const linked = 'ln -s "$PROGRAMS/node_modules" node_modules'
const sum = {
  'sum.js': 'module.exports = (a, b) => a + b\n',
  'package.json': '{"name":"a","version":"1.0.0","main":"sum.js","license":"MIT"}\n',
}
const local = {
  'lib/package.json': '{"name":"lib","version":"1.0.0","main":"a.js","bin":"a.js"}\n',
  'lib/a.js': '#!/usr/bin/env node\nconsole.log(40 + 2)\n',
  'app/package.json':
    '{"name":"app","version":"1.0.0","private":true,"license":"MIT","dependencies":{"lib":"file:../lib"},"scripts":{"go":"lib","test":"node -e \\"require(\'lib\')\\""}}\n',
}

export const javascript: readonly Row[] = [
  {
    name: 'npm: pack, install of an archive, ci, test, run and exec',
    needs: ['node', 'npm'],
    files: local,
    script: `chmod +x lib/a.js; export npm_config_update_notifier=false; (cd lib && npm pack --silent); cd app; npm install --offline --silent ../lib/lib-1.0.0.tgz; npm ci --offline --silent; npm test --silent; npm run --silent go; npx --no-install lib`,
    byName: /\.tgz$/,
  },
  {
    name: 'node --test',
    needs: ['node'],
    files: {
      ...sum,
      'a.test.js': "const test = require('node:test')\ntest('sums', () => require('node:assert').equal(require('./sum')(40, 2), 42))\n",
    },
    script: 'node --test --test-reporter tap',
    varies: /duration_ms.*$|^# Subtest: .*$/,
  },
  {
    name: 'pnpm: install and run',
    needs: ['node', 'npm:@pnpm/exe.linux-x64'],
    files: { ...local, 'pnpm-workspace.yaml': 'packages:\n  - app\n' },
    script:
      'chmod +x lib/a.js; cd app; "$PROGRAMS/node_modules/@pnpm/exe.linux-x64/pnpm" install --offline --silent; "$PROGRAMS/node_modules/@pnpm/exe.linux-x64/pnpm" --silent run go',
    byName: /\.(modules\.yaml|pnpm-workspace-state.*)$/,
  },
  {
    name: 'Yarn: install, run and pack',
    needs: ['node', 'npm:yarn'],
    files: local,
    script: `chmod +x lib/a.js; cd app; yarn=${bin}/yarn; "$yarn" --offline --silent install; "$yarn" --silent run go; "$yarn" --silent pack`,
    byName: /\.tgz$|\.yarn-integrity$/,
  },
  {
    name: 'Bun: install, test and build',
    needs: ['npm:@oven/bun-linux-x64'],
    files: {
      ...sum,
      'a.test.js': "import { expect, test } from 'bun:test'\ntest('sums', () => expect(require('./sum')(40, 2)).toBe(42))\n",
    },
    script:
      'bun=$PROGRAMS/node_modules/@oven/bun-linux-x64/bin/bun; "$bun" test 2>&1; "$bun" build sum.js --outdir out > /dev/null; "$bun" install --silent; "$bun" -e "console.log(42)"',
    varies: /\[[\d.]+m?s\]/,
  },
  {
    name: 'Deno: check, test, fmt and run',
    needs: ['npm:@deno/linux-x64-glibc'],
    files: { 'a.ts': "const n: number = 40 + 2;\nconsole.log(n);\nDeno.test('sums', () => {\n  if (n !== 42) throw 0;\n});\n" },
    script:
      'deno=$PROGRAMS/node_modules/@deno/linux-x64-glibc/deno; export NO_COLOR=1; "$deno" run a.ts; "$deno" test a.ts 2> /dev/null; "$deno" fmt --quiet a.ts; cat a.ts',
    varies: /\(\d+[mµ]s\)/,
  },
  {
    name: 'TypeScript',
    needs: ['node', 'npm:typescript'],
    files: {
      'a.ts': 'export const n: number = 42\nconsole.log(n)\n',
      'tsconfig.json':
        '{"compilerOptions":{"module":"commonjs","strict":true,"types":[],"incremental":true,"outDir":"out","sourceMap":true}}\n',
    },
    script: `${linked}; "${bin}/tsc" -p .; node out/a.js; echo 'export const s: string = 1' > b.ts; "${bin}/tsc" -p . || echo $?; rm node_modules`,
  },
  {
    name: 'ESLint and Prettier',
    needs: ['node', 'npm:eslint', 'npm:prettier'],
    files: { 'eslint.config.js': "module.exports = [{ rules: { 'no-var': 'error' } }]\n", 'a.js': 'var a  = 1\n' },
    script: `"${bin}/eslint" a.js | grep -c no-var; "${bin}/eslint" --fix --cache a.js; "${bin}/prettier" --write a.js > /dev/null; cat a.js`,
    byName: /^\.eslintcache$/,
  },
  {
    name: 'Jest',
    needs: ['node', 'npm:jest'],
    files: { ...sum, 'a.test.js': "test('sums', () => expect(require('./sum')(40, 2)).toBe(42))\n" },
    script: `${linked}; "${bin}/jest" --ci --coverage --coverageReporters=json-summary 2>&1 | grep '^Tests:'; rm node_modules`,
  },
  {
    name: 'Mocha',
    needs: ['node', 'npm:mocha'],
    files: { ...sum, 'test/a.js': "it('sums', () => { if (require('../sum')(40, 2) !== 42) throw 0 })\n" },
    script: `"${bin}/mocha" --parallel | grep passing`,
    varies: /\(\d+[mµ]s\)/,
  },
  {
    name: 'Vitest',
    needs: ['node', 'npm:vitest'],
    files: { 'a.test.mjs': "import { expect, test } from 'vitest'\ntest('sums', () => expect(40 + 2).toBe(42))\n" },
    script: `${linked}; NO_COLOR=1 "${bin}/vitest" run --cache=false 2>&1 | grep -E '^ *Tests '; rm node_modules`,
  },
  {
    name: 'esbuild',
    needs: ['node', 'npm:esbuild'],
    files: sum,
    script: `"${bin}/esbuild" sum.js --bundle --minify --sourcemap --outfile=out.js --log-level=error; cat out.js`,
  },
  {
    name: 'webpack',
    needs: ['node', 'npm:webpack', 'npm:webpack-cli'],
    files: { ...sum, 'a.js': "console.log(require('./sum')(40, 2))\n" },
    script: `${linked}; "${bin}/webpack" --mode production --entry ./a.js -o out | grep -o 'compiled successfully'; node out/main.js; rm node_modules`,
  },
  {
    name: 'Vite',
    needs: ['node', 'npm:vite'],
    files: { 'index.html': '<script type="module" src="a.js"></script>\n', 'a.js': 'console.log(42)\n' },
    script: `"${bin}/vite" build --logLevel error; ls dist dist/assets`,
  },
]
