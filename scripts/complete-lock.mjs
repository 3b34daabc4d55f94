// Adds to a lock file the optional packages of other platforms that the registry did not serve when it was
// written: `npm ci` compares names and versions of all of them, including those that it will not install.
//   node scripts/complete-lock.mjs [package-lock.json]
import { readFileSync, writeFileSync } from 'node:fs'

const file = process.argv[2] ?? 'package-lock.json'
const lock = JSON.parse(readFileSync(file, 'utf8'))
const systems = {
  android: 'android',
  darwin: 'darwin',
  freebsd: 'freebsd',
  linux: 'linux',
  openbsd: 'openbsd',
  netbsd: 'netbsd',
  sunos: 'sunos',
  aix: 'aix',
  win32: 'win32',
  windows: 'win32',
  openharmony: 'openharmony',
  wasm32: null,
}
const processors = ['arm64', 'x64', 'ia32', 'arm', 'ppc64', 'riscv64', 's390x', 'loong64', 'mips64el', 'wasm32']

let added = 0
for (const owner of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(owner.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`
    if (lock.packages[key] !== undefined || !/^\d/.test(version)) continue
    const system = Object.keys(systems).find((each) => name.includes(each))
    const processor = processors.find((each) => name.includes(each))
    lock.packages[key] = {
      version,
      ...(processor === undefined ? {} : { cpu: [processor] }),
      ...(owner.dev === true ? { dev: true } : {}),
      optional: true,
      ...(system === undefined || systems[system] === null ? {} : { os: [systems[system]] }),
    }
    added++
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
process.stdout.write(`${file}: ${added} packages of other platforms added\n`)
