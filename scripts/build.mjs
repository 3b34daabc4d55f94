// Bundles src/cli/main.ts and src/index.ts into dist/: the command and the package's API, a chunk for each lazily loaded command, the
// thread that searches for secrets, the manual pages, and the small programs in JavaScript and Perl that run beside a cell.
import { copyFileSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { buildTypes } from './build-types.mjs'
import { buildWeb } from './build-web.mjs'
import { builtins } from './builtins.mjs'
import { bundledPackages, writePackages } from './bundled-packages.mjs'
import { writeManual } from './manual.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { dependencies } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))
// @discordjs/ws has no option for the connection of its WebSocket.
const outWebSocket = {
  name: 'out-websocket',
  resolveId: (source, importer = '') =>
    source === 'ws' && importer.includes('/@discordjs/ws/') ? `${root}/src/fleet/discord/out-websocket.ts` : null,
}
mkdirSync(`${root}/dist`, { recursive: true })
// The packages are of another command, and their install.sh also removes what it installed.
for (const each of readdirSync(`${root}/dist`)) if (each !== 'packages') rmSync(`${root}/dist/${each}`, { recursive: true })
await build({
  cwd: root,
  input: { main: 'src/cli/main.ts', index: 'src/index.ts', 'rules-worker': 'src/credentials/scan/rules-worker.ts' },
  platform: 'node',
  plugins: [builtins, bundledPackages, outWebSocket],
  // What the package depends on; all else is bundled. zlib-sync is an alternative to Node's zlib that @discordjs/ws would use if it were
  // installed.
  external: [...Object.keys(dependencies), 'zlib-sync'],
  // Its main module takes its parts from a function that a bundler cannot see through.
  resolve: { alias: { 'jsonc-parser': `${root}/node_modules/jsonc-parser/lib/esm/main.js` } },
  output: {
    dir: `${root}/dist`,
    format: 'esm',
    chunkFileNames: '[name]-[hash].js',
    comments: { legal: true, annotation: false, jsdoc: false },
    // Names that appear in the stack of an error are kept.
    minify: { compress: true, mangle: { keepNames: true }, codegen: true },
    // The code of `paddock run` is one file: opening forty small ones takes longer than building its cell. main.ts is not part of it,
    // because other programs use that code (src/index.ts), and nor are the errors, which are all that an import of the package loads.
    codeSplitting: {
      groups: [
        { name: 'errors', test: /\/src\/base\/errors\.ts$/, priority: 1 },
        { name: 'core', test: /\/src\/cli\/(?:program|run\/run)\.ts$/ },
      ],
    },
  },
  logLevel: 'warn',
  checks: { ineffectiveDynamicImport: false },
})
// The program that runs the tools of a model is mounted into its cell, so it is one file.
await build({
  cwd: root,
  input: 'src/fleet/model/runner/runner-main.ts',
  platform: 'node',
  plugins: [bundledPackages],
  output: {
    file: `${root}/dist/model-runner.mjs`,
    format: 'esm',
    comments: false,
    minify: { compress: true, mangle: { keepNames: true } },
    codeSplitting: false,
  },
  logLevel: 'warn',
})
// The same for the program that talks to an agent over ACP.
await build({
  cwd: root,
  input: 'src/adapters/acp/bridge/bridge-main.ts',
  platform: 'node',
  plugins: [bundledPackages],
  output: {
    file: `${root}/dist/acp-bridge.mjs`,
    format: 'esm',
    comments: false,
    minify: { compress: true, mangle: { keepNames: true } },
    codeSplitting: false,
  },
  logLevel: 'warn',
})
// The job of GitLab's component, which has no checkout of these sources.
await build({
  cwd: root,
  input: 'ci/start-gitlab.ts',
  platform: 'node',
  output: { file: `${root}/dist/ci-gitlab.mjs`, format: 'esm', comments: false, codeSplitting: false },
  logLevel: 'warn',
})
// V8 needs half the memory for a program in ASCII. Strings, patterns and names mean the same with escapes, and so do
// tagged templates from which patterns are made; there are no others.
for (const each of globSync(`${root}/dist/*.js`)) {
  const text = readFileSync(each, 'utf8')
  writeFileSync(
    each,
    text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )
}
for (const each of globSync('src/**/*.{mjs,pl,py,sh}', { cwd: root }))
  copyFileSync(`${root}/${each}`, `${root}/dist/${path.basename(each)}`)
await writeManual(`${root}/dist/man`)
await buildWeb()
buildTypes()
writePackages(`${root}/dist`)
