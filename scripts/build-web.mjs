// Bundles web/ into dist/web: one script, one style sheet, and the page that names them.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))

export async function buildWeb() {
  mkdirSync(`${root}/dist/web`, { recursive: true })
  await build({
    cwd: root,
    input: { page: 'web/main.tsx' },
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"production"' }, jsx: { runtime: 'automatic' } },
    output: { dir: `${root}/dist/web`, format: 'esm', minify: true, entryFileNames: '[name].js' },
    logLevel: 'warn',
  })
  const styles = ['tokens', 'icons', 'ui'].map((each) => readFileSync(`${root}/web/styles/${each}.css`, 'utf8'))
  writeFileSync(`${root}/dist/web/page.css`, styles.join('\n'))
  copyFileSync(`${root}/web/index.html`, `${root}/dist/web/index.html`)
}
