import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import type { AgentAdapter } from '../../adapters/adapter.ts'
import { searchDirectories } from '../../adapters/agent-facts.ts'
import { vendorAdapters } from '../../adapters/find-adapter.ts'
import { shimAgent } from '../../adapters/shim-mark.ts'
import { codeOf, PaddockError } from '../../base/errors.ts'
import { nearest } from '../../base/nearest.ts'
import { type Paths, resolvePaths } from '../../base/paths.ts'
import { programRules } from '../../config/program-rules.ts'
import { writeAtomic } from '../../files/atomic.ts'
import { pathsTo } from '../../system/paths-to.ts'
import { findProgram } from '../../system/program-in-path.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { currentDirectory, workingDirectory } from '../working-directory.ts'
import { leftOutOf } from './not-in-cell.ts'
import { paddockProgram } from './paddock-program.ts'
import { paddockOf, shimFile, shimText } from './shim-file.ts'

interface ShimOptions {
  readonly directory?: string
}

type Shim = Result<'shim install'>['shims'][number]

/** `paddock shim install` */
export async function installCommand(names: readonly string[], options: ShimOptions): Promise<Answer<Result<'shim install'>>> {
  const { paths, own, directory, searchPath } = place(options)
  if (directory !== own) refuseWritable(directory, paths)
  const agents = [...new Set(names)].map(agentNamed)
  const search = searchDirectories(searchPath, paths.userHome)
  for (const each of agents) {
    if ((await each.locate(search)) === null)
      throw new PaddockError('AGENT_NOT_INSTALLED', `${each.name} is not installed on this machine.`, { hint: each.installHint })
    const file = shimFile(directory, each.program)
    if (textOf(file) !== null && shimIn(file) === null)
      throw new PaddockError('CONFLICT', `${file} exists and is not a shim.`, { hint: 'Use another directory: --directory DIRECTORY' })
  }
  const program = paddockProgram(searchPath, refusalOf(paths, currentDirectory()))
  mkdirSync(directory, { recursive: true })
  for (const each of agents) await writeAtomic(shimFile(directory, each.program), shimText(each.name, program), { mode: 0o755 })
  const shims = await Promise.all(agents.map((each) => look(each, shimFile(directory, each.program), { search, searchPath })))
  const inPath = shims.every((each) => each.first)
  return {
    data: { schemaVersion: 1, directory, inPath, shims },
    lines: shims.map((each) => `${each.agent}: ${each.file} starts ${each.program} in a cell`),
    notes: [
      ...(inPath ? [] : [`PATH does not lead to ${shims.length === 1 ? 'it' : 'all of them'} yet; run: export PATH="${directory}:$PATH"`]),
      'to see what an agent in a cell does not have, run: paddock shim list',
    ],
  }
}

/** `paddock shim list` */
export async function listCommand(options: ShimOptions): Promise<Answer<Result<'shim list'>>> {
  const { paths, directory, searchPath } = place(options)
  const search = searchDirectories(searchPath, paths.userHome)
  const shims: Result<'shim list'>['shims'][number][] = []
  for (const adapter of vendorAdapters)
    for (const file of filesOf(adapter, directory, searchPath))
      if (shimIn(file) === adapter.name)
        shims.push({ ...(await look(adapter, file, { search, searchPath })), leftOut: [...leftOutOf(adapter)] })
  return {
    data: { schemaVersion: 1, shims },
    ...(shims.length === 0
      ? { notes: ['there are no shims; to make one, run: paddock shim install claude'] }
      : { lines: shims.flatMap(linesOf) }),
  }
}

/** `paddock shim remove` */
export function removeCommand(names: readonly string[], options: ShimOptions): Answer<Result<'shim remove'>> {
  const { directory, searchPath } = place(options)
  const files = [...new Set(names)].map(agentNamed).flatMap((adapter) => {
    const all = options.directory === undefined ? filesOf(adapter, directory, searchPath) : [shimFile(directory, adapter.program)]
    const found = all.filter((each) => shimIn(each) === adapter.name)
    if (found.length > 0) return found
    throw new PaddockError('NOT_FOUND', `${adapter.name} has no shim${options.directory === undefined ? '' : ` in ${directory}`}.`, {
      hint: 'Run: paddock shim list',
    })
  })
  for (const each of files) rmSync(each)
  return { data: { schemaVersion: 1, removed: files }, lines: files.map((each) => `removed ${each}`) }
}

function place({ directory }: ShimOptions) {
  const paths = resolvePaths(process.env)
  const own = path.join(paths.data, 'shims')
  return {
    paths,
    own,
    directory: directory === undefined ? own : path.resolve(workingDirectory(), directory),
    searchPath: process.env['PATH'] ?? '',
  }
}

function agentNamed(name: string): AgentAdapter {
  const known = vendorAdapters.map((each) => each.name)
  const found = vendorAdapters.find((each) => each.name === name)
  if (found !== undefined) return found
  const near = nearest(name, known)
  throw new PaddockError('BAD_INPUT', `There is no agent "${name.slice(0, 100)}".`, {
    hint: `${near === null ? '' : `Did you mean ${near}? `}The agents are ${known.join(', ')}`,
  })
}

/** Returns a check of a file and of the links on the way to it: the reason why an agent could have put it there, or null. */
function refusalOf(paths: Paths, cwd: string | null): (file: string) => string | null {
  const refuse = programRules(paths, cwd, []).refusals()
  return (file) =>
    pathsTo(file)
      .map(refuse)
      .find((each) => each !== null) ?? null
}

/** Throws for a directory in which a cell could replace a shim, which then runs on this machine. */
function refuseWritable(directory: string, paths: Paths): void {
  const why = refusalOf(paths, null)(path.join(directory, 'shim'))
  if (why === null) return
  throw new PaddockError('NOT_ALLOWED', `${directory} is not safe for shims: ${why}.`, { hint: 'Leave --directory out' })
}

/** Returns the places of an agent's shim: Paddock's own directory, and those of PATH. */
function filesOf({ program }: AgentAdapter, directory: string, searchPath: string): readonly string[] {
  const directories = [directory, ...searchPath.split(path.delimiter).filter((each) => path.isAbsolute(each))]
  return [...new Set(directories.map((each) => path.join(each, program)))]
}

async function look(
  adapter: AgentAdapter,
  file: string,
  { search, searchPath }: { readonly search: readonly string[]; readonly searchPath: string },
): Promise<Shim> {
  const program = (await adapter.locate(search))?.program ?? null
  const paddock = paddockOf(textOf(file) ?? '')
  const isGone = paddock === null || statSync(paddock, { throwIfNoEntry: false }) === undefined
  return {
    agent: adapter.name,
    file,
    program,
    first: findProgram(adapter.program, searchPath) === file,
    problem: isGone
      ? `the Paddock that made it is gone; run: paddock shim install ${adapter.name}`
      : program === null
        ? `${adapter.name} is not installed; ${adapter.installHint}`
        : null,
  }
}

function linesOf({ agent, file, program, first, problem, leftOut }: Result<'shim list'>['shims'][number]): readonly string[] {
  return [
    `${agent}: ${file}${program === null ? '' : ` starts ${program} in a cell`}${first ? '' : '; PATH does not lead to it'}`,
    ...(problem === null ? [] : [`  problem: ${problem}`]),
    '  an agent in a cell does not have, unless your settings give it:',
    ...leftOut.map(({ what, setting }) => `  - ${what} (${setting})`),
  ]
}

/** Returns the agent of the shim in this file; null: it is not a shim. */
function shimIn(file: string): string | null {
  const text = textOf(file)
  return text === null ? null : shimAgent(text)
}

/** Returns the beginning of a file as text; null: there is no file. */
function textOf(file: string): string | null {
  try {
    const found = statSync(file)
    // Reading a named pipe would wait for its writer.
    return !found.isFile() || found.size > 100_000 ? '' : readFileSync(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null
    return ''
  }
}
