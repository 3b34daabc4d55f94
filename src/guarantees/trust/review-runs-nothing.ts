import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readManifest } from '../../copy/copy-record.ts'
import { scanCopy } from '../../copy/reviewing/scan.ts'
import { createCopy } from '../../copy/taking/create.ts'
import { ownUmask } from '../../files/umask.ts'
import { hostProgram } from '../../system/host-program.ts'
import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'
import type { ProbeBench } from '../probe/bench.ts'
import { outputOfProgram } from '../probe/host-program-end.ts'

/** The programs that Paddock itself may start while it reviews and applies copies. */
const ownPrograms = ['sync', 'git', 'ps', 'prlimit']

const searchPath = '/usr/local/bin:/usr/bin:/bin'

export const reviewRunsNothing: Guarantee = {
  id: 'review-runs-nothing',
  chapter: 'trust',
  claim:
    'Looking at a copy (paddock review, paddock apply) runs nothing that is in it: no git hook, filter, monitor or setting that an agent planted, and no program that it put into a directory of your PATH.',
  mechanism:
    "Paddock compares the files itself. It uses git only to find ignored files, with a separate git directory that was in no cell. It starts system programs from the system's own directories, not from PATH.",
  kind: 'structural',
  why: "Git takes commands from the git directory that it is given and from the user's own settings. The copy's .git is neither.",
  fails: ["You run git or an editor in the copy's directory yourself.", 'paddock apply --commit runs your own hooks, in your project.'],
  probe: async (bench) => {
    const git = hostProgram('git', searchPath)
    if (git === null) return unenforceable('git is not installed, so no git settings could be planted')
    const project = await bench.project({ '.gitignore': 'ignored\n' })
    const env = { PATH: searchPath, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }
    const runGit = (cwd: string, ...args: readonly string[]): Promise<unknown> => outputOfProgram(git, args, { cwd, env })
    await runGit(project, 'init', '-q')
    await runGit(project, 'add', '.')
    await runGit(project, '-c', 'user.name=a', '-c', 'user.email=a@example', 'commit', '-qm', 'x')
    const wish = { project, ignored: false, copies: await bench.directory(), searchPath, excludes: null, refused: [] }
    const { place, record } = await createCopy(wish)
    const traps = await bench.directory()
    const [mark, trap] = [path.join(traps, 'ran'), path.join(traps, 'trap')]
    writeFileSync(trap, `#!/bin/sh\n: > ${mark}\ncat\n`)
    chmodSync(trap, 0o755)
    await bench.inside(
      ({ fs }) => {
        fs.writeFileSync('.gitattributes', '* filter=trap diff=trap\n')
        fs.writeFileSync('new', 'new\n')
        fs.writeFileSync('README', 'changed\n')
      },
      null,
      { project, projectCopy: place.tree },
    )
    // The state that a cell would leave if it bypassed the mechanism that keeps these files read-only in it.
    const settings = `[core]\n\tfsmonitor = ${trap}\n[filter "trap"]\n\tclean = ${trap}\n\tsmudge = ${trap}\n[diff "trap"]\n\ttextconv = ${trap}\n\tcommand = ${trap}\n`
    appendFileSync(path.join(place.tree, '.git/config'), settings)
    await runGit(place.tree, 'status')
    const isSprung = existsSync(mark)
    rmSync(mark, { force: true })
    const scan = await scanCopy(place, record, await readManifest(place), {
      marks: { path: () => null, link: () => null },
      searchPath,
      excludes: null,
      inertPaths: new Set(),
      umask: ownUmask(),
    })
    if (existsSync(mark)) return broken('looking at a copy ran a program that its own git settings name')
    const seen = scan.changes.map((each) => each.path).sort()
    if (!isSprung) return broken('git itself does not run the planted programs, so the probe is inconclusive')
    if (!seen.includes('new') || !seen.includes('README'))
      return broken(`the review of the copy did not find what changed (${seen.join(', ')})`)
    const byPath = await ranByPath(bench)
    if (byPath === null) return unenforceable('the probe cannot start another Paddock from here, so none applied a copy')
    if (byPath !== '') return broken(byPath)
    return held(
      `a copy with filters, a file monitor and a text converter that git ran in it: a review found ${seen.join(', ')} and ran none of them; a copy with programs for a directory of PATH: an apply accepted them and ran none`,
    )
  },
}

/** Applies a copy with programs for `bin`, the first directory in PATH. Returns the fault as text. Null if Paddock cannot be started. */
async function ranByPath(bench: ProbeBench): Promise<string | null> {
  const root = await bench.directory()
  const mark = path.join(await bench.directory(), 'ran')
  mkdirSync(path.join(root, 'home'))
  const project = await bench.project({ 'bin/there': '' })
  const { place } = await createCopy({
    project,
    ignored: false,
    copies: path.join(root, 'state/copies'),
    searchPath,
    excludes: null,
    refused: [],
  })
  // The programs are also in the project, so a second look-up of the name would find them there in any case.
  for (const bin of [path.join(project, 'bin'), path.join(place.tree, 'bin')])
    for (const each of ownPrograms) {
      writeFileSync(path.join(bin, each), `#!/bin/sh\necho ${each} >> ${mark}\n`)
      chmodSync(path.join(bin, each), 0o755)
    }
  writeFileSync(path.join(place.tree, 'new'), 'new\n')
  const where = { root, cwd: project, firstInPath: path.join(project, 'bin') }
  const child = bench.startPaddock(['apply', '--run-later', place.id], where)
  if (child === null) return null
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += String(chunk)))
  await new Promise((resolve) => child.once('close', resolve))
  if (existsSync(mark)) return `an apply ran ${readFileSync(mark, 'utf8').trim().split('\n').join(', ')} of the project, through PATH`
  return existsSync(path.join(project, 'new'))
    ? ''
    : `a copy could not be applied, so the probe is inconclusive: ${said.trim().slice(0, 200)}`
}
