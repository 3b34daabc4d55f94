#!/usr/bin/env node
// An import of these modules would make Node read, and so make, everything that they export (see scripts/builtins.mjs).
const builtin = async (name) => process.getBuiltinModule?.(name) ?? (await import(name)).default
const { existsSync, mkdirSync, readFileSync } = await builtin('node:fs')
const path = await builtin('node:path')
const { fileURLToPath } = await builtin('node:url')

const here = path.dirname(fileURLToPath(import.meta.url))

if (Number.parseInt(process.versions.node, 10) < 24) {
  // In a checkout the right Node is among the development dependencies.
  const own = path.join(here, '../node_modules/node/bin/node')
  if (!existsSync(own) || process.env.PADDOCK_LAUNCHER) {
    const inCheckout = existsSync(path.join(here, '../src'))
    const hint = inCheckout
      ? 'install Node 24, or run "npm install" in the checkout'
      : 'install Node 24, or the package of Paddock with Node inside'
    process.stderr.write(`paddock: Node 24 or newer is needed, this is ${process.versions.node}.\n  hint: ${hint}.\n`)
    process.exit(125)
  }
  const { runUnder } = await import('./run-under.mjs')
  runUnder(own)
} else if (process.argv.length === 3 && ['--version', '-V'].includes(process.argv[2])) {
  process.stdout.write(`${JSON.parse(readFileSync(path.join(here, '../package.json'), 'utf8')).version}\n`)
} else await start(path.join(here, '../dist/main.js'))

/** One by one: what makes them all at once (mkdir -p in Node, and enableCompileCache) never returns for a path below /proc. */
function makeDirectory(directory) {
  if (existsSync(directory)) return
  makeDirectory(path.dirname(directory))
  mkdirSync(directory, { mode: 0o700 })
}

async function start(bundle) {
  const module = await builtin('node:module')
  const { homedir } = await builtin('node:os')
  if (!existsSync(bundle)) {
    process.stderr.write('paddock: it is not built yet.\n  hint: npm run build\n')
    process.exit(125)
  }
  // The user's own cache directory: the default one lies in the temporary directory that all users share.
  const cache = () =>
    process.env.PADDOCK_HOME
      ? path.join(process.env.PADDOCK_HOME, 'cache')
      : path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'paddock')
  try {
    const compiled = path.join(cache(), 'compile')
    if (path.isAbsolute(compiled)) {
      makeDirectory(compiled)
      module.enableCompileCache?.(compiled)
    }
  } catch {
    // A user without a home directory: every start takes a little longer.
  }
  module.createRequire(import.meta.url)(bundle)
}
