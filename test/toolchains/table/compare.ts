import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, type TestContext } from 'vitest'
import { becoming, isRoot, makeStage, paddock, type Ran, type Stage, type Who } from '../../support/cli.ts'
import type { Row } from './row.ts'

/** The npm packages of test/toolchains/programs. */
export const packages: string = fileURLToPath(new URL('../programs/node_modules', import.meta.url))
const searchPath = ['/usr/local/bin', '/usr/bin', '/bin']
const isThere = (need: string): boolean =>
  need.startsWith('npm:') ? existsSync(path.join(packages, need.slice(4))) : searchPath.some((each) => existsSync(path.resolve(each, need)))

/** Returns true for a row that needs npm packages of test/toolchains/programs. */
export const needsPackages = ({ needs }: Row): boolean => needs.some((each) => each.startsWith('npm:'))

/** Skips the test of a row, and prints the reason, if the row cannot run here. */
export function skipIfUnavailable({ needs, unavailable }: Row, skip: TestContext['skip']): void {
  const missing = needs.filter((each) => !isThere(each))
  skip(unavailable !== undefined, unavailable)
  skip(missing.length > 0, `not installed: ${missing.join(', ')}`)
}

/**
 * Runs a row outside and in a cell, each time in a fresh project. Throws if its exit code, its output or what the project then contains is not
 * the same. `programs`: the directory whose `node_modules` has the npm packages that the row needs.
 */
export async function expectTheSame(who: Who, row: Row, programs: string): Promise<void> {
  using stage = makeStage(who)
  if (row.repository !== undefined) makeRepository(stage, row.repository)
  const bare = await produced(stage, row, async () => outside(stage, row, programs))
  expect(bare.code, `outside: ${bare.stdout}${bare.stderr}`).toBe(0)
  if (row.makesProject === true) expect(bare.tree, `outside: ${bare.stdout}${bare.stderr}`).not.toEqual([])
  const cell = await produced(stage, row, () => inCell(stage, row, programs))
  expect(cell.code, `in a cell: ${cell.stdout}${cell.stderr}`).toBe(0)
  expect(cell.stdout).toBe(bare.stdout)
  const added = cell.tree.filter((each) => row.differs?.adds.test(each) === true)
  expect(added.length > 0, row.differs?.reason).toBe(row.differs !== undefined)
  const kept = cell.tree.filter((each) => !added.includes(each))
  expect(kept.sort()).toEqual(bare.tree.map((each) => quarantinedIn(each, row.quarantined)).sort())
  for (const each of row.quarantined ?? []) expect(cell.stderr).toContain(each)
}

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

/** Returns a line of a tree as it is after these paths were quarantined. */
function quarantinedIn(line: string, paths: readonly string[] = []): string {
  const found = paths.find((each) => [' ', '/'].some((end) => line.includes(` ${each}${end}`)))
  return found === undefined ? line : line.replace(` ${found}`, ` ${found}.quarantined`)
}

function outside(stage: Stage, row: Row, programs: string): Ran {
  const [program = 'sh', ...rest] = [...named(stage), ...becoming(stage.who), 'sh', '-ec', row.script]
  const env = { ...stage.env, PROGRAMS: programs, REPOSITORY: repositoryOf(stage) }
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

function inCell(stage: Stage, row: Row, programs: string): Promise<Ran> {
  const packages = needsPackages(row) ? ['--ro', programs, '--env', `PROGRAMS=${programs}`] : []
  const at = repositoryOf(stage)
  const repository = row.repository === undefined ? [] : ['--ro', at, '--env', `REPOSITORY=${at}`]
  return paddock(stage, ['run', '--egress', 'off', ...packages, ...repository, '--', 'sh', '-ec', row.script])
}

const repositoryOf = ({ root }: Stage): string => path.join(root, 'repository')

/** Makes the repository of a row, with one commit. */
function makeRepository(stage: Stage, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) stage.put(`../repository/${name}`, content)
  stage.own()
  const script = 'git init -q -b main .; git add -A; git -c user.name=x -c user.email=x@example.com commit -qm one'
  const [program = 'sh', ...rest] = [...becoming(stage.who), 'sh', '-ec', script]
  execFileSync(program, rest, { cwd: repositoryOf(stage), env: stage.env })
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

/** Git's index contains inodes and times. Laundering writes a configuration in another form, so the settings are compared. */
function contentOf(file: string): string {
  const stat = lstatSync(file)
  if (stat.isSymbolicLink()) return readlinkSync(file)
  if (!stat.isFile()) return ''
  const isOfGit = existsSync(path.join(path.dirname(file), 'HEAD'))
  if (isOfGit && path.basename(file) === 'index') return ''
  const isConfig = isOfGit && path.basename(file) === 'config'
  const content = isConfig ? execFileSync('git', ['config', '--null', '--list', '--file', file]) : readFileSync(file)
  return createHash('sha256').update(content).digest('hex').slice(0, 12)
}
