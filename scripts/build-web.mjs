// Bundles web/ into dist/web: a script that every view loads, chunks that some views load, the style sheets, and the page that names them.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { add, bundledPackages } from './bundled-packages.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

export async function buildWeb() {
  mkdirSync(`${root}/dist/web`, { recursive: true })
  await build({
    cwd: root,
    input: { page: 'web/main.tsx', theme: 'web/theme.ts' },
    platform: 'browser',
    plugins: [bundledPackages],
    transform: { define: { 'process.env.NODE_ENV': '"production"' }, jsx: { runtime: 'automatic' } },
    output: { dir: `${root}/dist/web`, format: 'esm', minify: true, entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    logLevel: 'warn',
    // `use client` has no meaning in a page without a server side.
    onLog: (level, log, rest) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && rest(level, log),
  })
  const sheet = (name, files) =>
    writeFileSync(`${root}/dist/web/${name}.css`, files.map((each) => readFileSync(`${root}/${each}`, 'utf8')).join('\n'))
  sheet(
    'page',
    ['tokens', 'icons', 'ui', 'more'].map((each) => `web/styles/${each}.css`),
  )
  // Only the chunk of the terminal requests it.
  const ofXterm = 'node_modules/@xterm/xterm/css/xterm.css'
  add(ofXterm)
  sheet('terminal', [ofXterm, 'web/styles/terminal.css'])
  await buildReport()
  // With this hash, an open page notices that the server has another version.
  const hash = createHash('sha256')
  for (const each of readdirSync(`${root}/dist/web`).sort()) hash.update(readFileSync(`${root}/dist/web/${each}`))
  const html = readFileSync(`${root}/web/index.html`, 'utf8')
  writeFileSync(
    `${root}/dist/web/index.html`,
    html.replace('name="paddock-build" content=""', `name="paddock-build" content="${hash.digest('hex').slice(0, 16)}"`),
  )
}

/** Bundles what is written into each report of a contest, and into the judging page: one script and one style sheet. */
async function buildReport() {
  mkdirSync(`${root}/dist/report`, { recursive: true })
  await buildPage('page', 'web/report/report-main.ts', ['tokens', 'ui', 'report'])
  await buildPage('judge', 'web/report/shown-judge.ts', ['tokens', 'ui', 'report', 'judge'])
}

async function buildPage(name, input, styles) {
  const { output } = await build({
    cwd: root,
    input,
    platform: 'browser',
    plugins: [bundledPackages],
    output: { format: 'iife', minify: true, comments: { legal: true } },
    write: false,
    logLevel: 'warn',
  })
  // The script must not end the element that contains it (HTML, "Restrictions for contents of script elements").
  writeFileSync(`${root}/dist/report/${name}.js`, output[0].code.replaceAll(/<(?=\/script|script|!--)/gi, '\\x3c'))
  const style = styles.map((each) => readFileSync(`${root}/web/styles/${each}.css`, 'utf8')).join('\n')
  writeFileSync(`${root}/dist/report/${name}.css`, style)
}
