import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { becoming, everyone, isRoot, makeStage, paddock, type Ran, type Stage } from '../support/cli.ts'
import { freshDirectory } from '../support/fresh-directory.ts'
import type { Row } from './table/row.ts'
import { families } from './table/rows.ts'

const packages = fileURLToPath(new URL('programs/node_modules', import.meta.url))
const searchPath = ['/usr/local/bin', '/usr/bin', '/bin']
const isThere = (need: string): boolean =>
  need.startsWith('npm:') ? existsSync(path.join(packages, need.slice(4))) : searchPath.some((each) => existsSync(path.resolve(each, need)))

/** A copy of the npm packages that every user can read, whatever the checkout's permissions. */
let copy = ''
beforeAll(() => {
  copy = freshDirectory('/tmp/paddock-programs-')
  chmodSync(copy, 0o755)
  if (existsSync(packages)) cpSync(packages, path.join(copy, 'node_modules'), { recursive: true, verbatimSymlinks: true })
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

describe.each(everyone)('as %s', (who) => {
  describe.each(Object.entries(families))('%s', (_, rows) => {
    for (const row of rows) {
      const missing = row.needs.filter((each) => !isThere(each))
      test(`${row.name}: the same in a cell as outside`, async ({ skip }) => {
        skip(missing.length > 0, `not installed: ${missing.join(', ')}`)
        using stage = makeStage(who)
        const bare = await produced(stage, row, async () => outside(stage, row))
        expect(bare.code, `outside: ${bare.stdout}${bare.stderr}`).toBe(0)
        const cell = await produced(stage, row, () => inCell(stage, row))
        expect(cell.code, `in a cell: ${cell.stdout}${cell.stderr}`).toBe(0)
        expect(cell.stdout).toBe(bare.stdout)
        const added = cell.tree.filter((each) => row.differs?.adds.test(each) === true)
        expect(added.length > 0, row.differs?.reason).toBe(row.differs !== undefined)
        expect(cell.tree.filter((each) => !added.includes(each))).toEqual(bare.tree)
      })
    }
  })
})

interface Produced extends Ran {
  readonly tree: readonly string[]
}

/** Runs a row in a fresh project, and returns what it printed and what the project contains then. */
async function produced(stage: Stage, row: Row, run: () => Promise<Ran>): Promise<Produced> {
  rmSync(stage.project, { recursive: true, force: true })
  mkdirSync(stage.project)
  for (const [file, content] of Object.entries(row.files ?? {})) stage.put(file, content)
  stage.own()
  const ran = await run()
  const stdout = row.varies === undefined ? ran.stdout : ran.stdout.replaceAll(new RegExp(row.varies, 'gm'), '…')
  return { ...ran, stdout, tree: treeOf(stage.project, row.byName) }
}

function outside(stage: Stage, row: Row): Ran {
  const [program = 'sh', ...rest] = [...named(stage), ...becoming(stage.who), 'sh', '-ec', row.script]
  const env = { ...stage.env, PROGRAMS: copy }
  const ran = spawnSync(program, rest, { cwd: stage.project, env, encoding: 'utf8', input: '' })
  return { code: ran.status, signal: ran.signal, stdout: ran.stdout, stderr: ran.stderr }
}

/** Returns the start of a command line that gives the user of the stage a name, as in a cell. Some programs refuse to start without. */
function named({ who, root, home }: Stage): readonly string[] {
  if (who === 'root' || !isRoot) return []
  const id = becoming(who)[2]
  const users = path.join(root, 'passwd')
  writeFileSync(users, `${readFileSync('/etc/passwd', 'utf8')}agent:x:${id}:${id}::${home}:/bin/sh\n`)
  return ['unshare', '--mount', 'sh', '-c', 'mount --bind "$0" /etc/passwd; exec "$@"', users]
}

function inCell(stage: Stage, row: Row): Promise<Ran> {
  const programs = row.needs.some((each) => each.startsWith('npm:')) ? ['--ro', copy, '--env', `PROGRAMS=${copy}`] : []
  return paddock(stage, ['run', '--egress', 'off', ...programs, '--', 'sh', '-ec', row.script])
}

/** Returns a line for each entry of a directory: mode, path, and a hash of the content. */
function treeOf(root: string, byName?: RegExp): readonly string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const file = path.join(root, name)
      const stat = lstatSync(file)
      return `${stat.mode.toString(8)} ${name} ${byName?.test(name) === true ? '' : contentOf(file)}`
    })
}

function contentOf(file: string): string {
  const stat = lstatSync(file)
  if (stat.isSymbolicLink()) return readlinkSync(file)
  return stat.isFile() ? createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 12) : ''
}
