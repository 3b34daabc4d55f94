// Bundles src/cli/main.ts into dist/: one entry, a chunk for each lazily loaded command, the thread that looks for
// secrets, and the two small programs that run inside a cell's network namespace.
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
rmSync(`${root}/dist`, { recursive: true, force: true })
mkdirSync(`${root}/dist`)
await build({
  absWorkingDir: root,
  entryPoints: { main: 'src/cli/main.ts', 'rules-worker': 'src/credentials/scan/rules-worker.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  chunkNames: '[name]-[hash]',
  external: ['@lydell/node-pty', 'tldts', '@azure/identity', '@azure/keyvault-secrets'],
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'linked',
  logLevel: 'warning',
  // CommonJS dependencies ask for Node's own modules by require.
  banner: { js: "import { createRequire as paddockRequire } from 'node:module';const require = paddockRequire(import.meta.url);" },
})
for (const each of ['holder.mjs', 'connector.mjs']) copyFileSync(`${root}/src/cell/backends/bubblewrap/${each}`, `${root}/dist/${each}`)
