import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Figure, inTurn, median, time } from './measure.ts'
import { bin, finished } from './start.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const library = fileURLToPath(new URL('../dist/index.js', import.meta.url))

/** Measures the archive with Node inside: its installation and first cell, and its command compared to that of this checkout. */
export async function installed(directory: string, given: Record<string, string>): Promise<Figure[]> {
  const [packages, home, project] = ['packages', 'installed-home', 'installed-project'].map((each) => path.join(directory, each)) as [
    string,
    string,
    string,
  ]
  for (const each of [home, project]) mkdirSync(each)
  const env = { PATH: given['PATH'] ?? '', HOME: home }
  await finished('npm', ['run', '--silent', 'package', '--', '--here', '--to', packages], root, {
    ...env,
    HOME: process.env['HOME'] ?? home,
  })
  const install = await time(() => finished('sh', [path.join(packages, 'install.sh')], project, env))
  const command = path.join(home, '.local/bin/paddock')
  const cell = ['run', '--quiet', '--egress', 'off', '--', 'true']
  const first = await time(() => finished(command, cell, project, env))
  const found = await inTurn(20, {
    node: () => time(() => finished(process.execPath, ['-e', '0'], project, env)),
    version: () => time(() => finished(process.execPath, [bin, '--version'], project, env)),
    library: () => time(() => finished(process.execPath, ['-e', `import(${JSON.stringify(library)})`], project, env)),
    installed: () => time(() => finished(command, cell, project, env)),
    checkout: () => time(() => finished(process.execPath, [bin, ...cell], project, env)),
  })
  const ms = (of: keyof typeof found): number => median(found[of])
  const [asInstalled, fromCheckout] = [ms('installed'), ms('checkout')]
  return [
    {
      name: 'from the archive to the end of the first cell',
      value: `${(install / 1000).toFixed(1)} s, then ${first.toFixed(0)} ms`,
      bar: 'under 30 s together',
      met: install + first < 30_000,
    },
    {
      name: 'paddock --version, whole process',
      value: `${ms('version').toFixed(0)} ms, node -e 0 ${ms('node').toFixed(0)} ms`,
      bar: 'under 60 ms',
      met: ms('version') < 60,
    },
    {
      name: "import 'paddock', whole process",
      value: `${ms('library').toFixed(0)} ms, node -e 0 ${ms('node').toFixed(0)} ms`,
      bar: 'under 100 ms',
      met: ms('library') < 100,
    },
    {
      name: 'an installed paddock run --egress off -- true, whole process',
      value: `${asInstalled.toFixed(0)} ms, from the checkout ${fromCheckout.toFixed(0)} ms: ${(asInstalled / fromCheckout).toFixed(2)}`,
      bar: 'at most 1.05 of the checkout',
      met: asInstalled / fromCheckout <= 1.05,
    },
  ]
}
