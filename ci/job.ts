import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { exitCodes, messageOf, PaddockError, printedError, redact } from '../src/base/errors.ts'
import { formatDuration } from '../src/base/quantities.ts'
import type { CiSystem } from './ci-system.ts'
import { type ChildEnd, runChild } from './job-child.ts'
import { commandWords, type JobPlaces } from './job-command.ts'
import { canWrite, hideSecrets, jobEnvironment } from './job-environment.ts'
import { type JobInputs, jobInputs } from './job-inputs.ts'
import { paddockProgram } from './job-program.ts'
import { deniedIn, type JobFacts, placeReport, reportJob, takeReport } from './job-report.ts'
import { errorFindings, type Told, toldBy } from './job-result.ts'
import { junit } from './junit.ts'

/** What a job has learnt so far. */
interface Progress {
  inputs: JobInputs | null
  directory: string
  final: string
  log: string | null
  /** False: there is no place for the report. */
  isPlaced: boolean
  readonly notes: string[]
}

/**
 * Runs one job: installs Paddock, fixes the machine, runs the command, and reports. Never asks, and never throws. Returns the exit code of
 * the command; 2 for bad input, 124 if the time was up, 125 if Paddock could not do it, 130 if the job was cancelled.
 */
export async function runJob(system: CiSystem): Promise<number> {
  hideSecrets(system)
  const home = mkdtempSync(path.join(realpathSync(system.temporary), 'paddock-'))
  const staging = path.join(home, 'report')
  mkdirSync(staging)
  const progress: Progress = { inputs: null, directory: system.workspace, final: system.report, log: null, isPlaced: true, notes: [] }
  const stop = new AbortController()
  const onSignal = (): void => stop.abort()
  for (const each of ['SIGINT', 'SIGTERM'] as const) process.on(each, onSignal)
  let end: { readonly code: number; readonly told: Told }
  try {
    end = await work(system, { home, staging }, progress, stop.signal)
  } catch (error) {
    end = failed(error, system, progress)
  }
  try {
    return finish(system, { home, staging }, progress, end)
  } finally {
    // Not before: a runner that cancels a job sends several signals.
    for (const each of ['SIGINT', 'SIGTERM'] as const) process.off(each, onSignal)
  }
}

interface Own {
  readonly home: string
  readonly staging: string
}

async function work(system: CiSystem, own: Own, progress: Progress, signal: AbortSignal): Promise<{ code: number; told: Told }> {
  const inputs = jobInputs((name) => system.input(name))
  progress.inputs = inputs
  const workspace = realpathSync(system.workspace)
  progress.directory = path.resolve(workspace, inputs.directory)
  if (inputs.report !== null) progress.final = path.resolve(workspace, inputs.report)
  refuseReport(progress.final, workspace)
  progress.isPlaced = canWrite(existingParent(progress.final))
  if (!progress.isPlaced) progress.notes.push(`${progress.final} cannot be written, so there is no report.`)
  const isWithout = system.source.isFork && !inputs.forkCredentials
  if (system.source.isFork) progress.notes.push(forkNote(system.source.reason, isWithout))
  const env = jobEnvironment(system, own.home, { isWithout })
  progress.log = path.join(env['PADDOCK_HOME'] ?? '', 'state/audit/audit.jsonl')
  const onLine = (line: string): void => system.print(redact(line))
  const inFold = async <T>(title: string, act: () => Promise<T>): Promise<T> => {
    system.open(title)
    try {
      return await act()
    } finally {
      system.close()
    }
  }
  const program = await inFold('Install Paddock', () =>
    paddockProgram(inputs.from, {
      prefix: path.join(own.home, 'installed'),
      workspace,
      release: system.release,
      own: system.own,
      env,
      onLine,
    }),
  )
  const base = { env, signal, onLine }
  await inFold('Check this machine', () => checkMachine(program, inputs, { ...base, cwd: workspace }))
  const places = { ...writable(progress, inputs, { workspace, home: own.home }), staging: own.staging }
  if (inputs.trust && !isWithout) await inFold('Trust', () => trust(program, inputs, { ...base, cwd: places.directory }))
  else if (inputs.trust) progress.notes.push('The input trust has no effect for a fork without credentials.')
  const words = commandWords(inputs, places, workspace)
  const ended = await inFold(`paddock ${inputs.command}`, () =>
    runPaddock([...program, ...words], {
      ...base,
      cwd: inputs.command === 'run' ? places.directory : workspace,
      // `paddock run` has a limit of its own, after which it still reports.
      timeoutMs: inputs.timeoutMs === null || inputs.command !== 'run' ? inputs.timeoutMs : inputs.timeoutMs + 60_000,
    }),
  )
  return told(ended, inputs, places, system)
}

type Means = Omit<Parameters<typeof runChild>[1], 'onLine'> & { readonly onLine: (line: string) => void }
interface Ended extends ChildEnd {
  /** The error that Paddock printed as JSON on standard error. */
  readonly error: string | null
}

/** Runs a command of Paddock. Its output is kept, and its error is not printed, because the job shows it. */
async function runPaddock(program: readonly string[], means: Means): Promise<Ended> {
  let error: string | null = null
  const end = await runChild(program, {
    ...means,
    keepOutput: true,
    onLine: (line) => {
      if (line.startsWith('{"schemaVersion":1,"error":')) error = line
      else means.onLine(line)
    },
  })
  return { ...end, error }
}

/** @throws PaddockError UNENFORCEABLE with what an administrator can do */
async function checkMachine(program: readonly string[], { fix }: JobInputs, means: Means): Promise<void> {
  const lines: string[] = []
  const { code, output, error } = await runPaddock([...program, 'doctor', ...(fix ? ['--fix', '--yes'] : [])], {
    ...means,
    onLine: (line) => {
      lines.push(line)
      means.onLine(line)
    },
  })
  for (const line of output.trimEnd().split('\n')) means.onLine(line)
  if (code === 0) return
  if (error !== null) throw printedError(error)
  if (means.signal?.aborted === true) throw new PaddockError('CANCELLED', 'The job was cancelled.')
  const causes = output
    .replace(/\n\s+→ /g, '. ')
    .split('\n')
    .filter((each) => /^(?:no |This needs root)|ended with \d/.test(each))
    .map((each) => each.replace(/^no ([^:]*):/, 'Missing: $1,'))
  const [first = 'The log of this step says why'] = causes
  throw new PaddockError('UNENFORCEABLE', `Cells do not work on this runner. ${first.replace(/\.$/, '')}.`, {
    hint: 'See docs/guide/doctor.md, or use a runner with namespaces',
  })
}

async function trust(program: readonly string[], { command, directory }: JobInputs, means: Means): Promise<void> {
  const words = command === 'run' ? ['trust'] : [command, 'trust', '.']
  const { code, output, error } = await runPaddock([...program, ...words], means)
  for (const line of output.trimEnd().split('\n')) means.onLine(line)
  if (code !== 0) throw error === null ? new PaddockError('CELL_FAILED', `${directory} could not be trusted.`) : printedError(error)
}

/** Returns where the command works. A contest or suite in a read-only checkout is copied. */
function writable(
  { directory: given, notes }: Progress,
  { command, directory, base }: JobInputs,
  { workspace, home }: { readonly workspace: string; readonly home: string },
): Omit<JobPlaces, 'staging'> {
  if (command === 'verify') return { directory: given, base: null }
  if (statSync(given, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new PaddockError('NOT_FOUND', `Input directory: ${directory} is not a directory of the checkout.`)
  const from = base === null ? null : path.resolve(workspace, base)
  if (command === 'run' || canWrite(given)) return { directory: given, base: from }
  const copy = path.join(home, 'work', path.basename(given))
  cpSync(given, copy, { recursive: true, verbatimSymlinks: true })
  notes.push(`${directory} is read-only, so the job worked on a copy of it.`)
  return { directory: copy, base: from?.startsWith(`${given}@`) === true ? `${copy}${from.slice(given.length)}` : from }
}

/** The job's own time limit. */
class TimeUp extends PaddockError {
  constructor(ms: number) {
    super('CANCELLED', `The time limit of ${formatDuration(ms)} ended the job.`, { hint: 'Give it more time with the input timeout' })
  }
  override get exitCode(): number {
    return exitCodes.timedOut
  }
}

function told(ended: Ended, inputs: JobInputs, places: JobPlaces, system: CiSystem): { code: number; told: Told } {
  const { command } = inputs
  const { code, output } = ended
  const text = output.trim() === '' ? null : redact(output)
  if (text !== null) writeFileSync(path.join(places.staging, 'result.json'), text)
  const json = parsed(text)
  if (code === exitCodes.timedOut && command !== 'run') throw new TimeUp(inputs.timeoutMs ?? 0)
  if (json === null) {
    if (ended.error !== null) throw printedError(ended.error)
    throw code === exitCodes.cancelled
      ? new PaddockError('CANCELLED', 'The job was cancelled.')
      : new PaddockError('CELL_FAILED', `paddock ${command} ended with exit code ${code} and without a result.`)
  }
  if (command === 'contest' || command === 'suite') takeReport(places.directory, places.staging)
  const what = toldBy(command, json, {
    workspace: realpathSync(system.workspace),
    directory: places.directory,
    report: places.staging,
    code,
  })
  if (what.cases.length > 0) writeFileSync(path.join(places.staging, 'junit.xml'), redact(junit(`paddock ${command}`, what.cases)))
  return { code: what.isCutShort === true && code === 0 ? exitCodes.no : code, told: what }
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}

function failed(error: unknown, system: CiSystem, { directory }: Progress): { code: number; told: Told } {
  const code = error instanceof PaddockError ? error.exitCode : exitCodes.cannot
  const message = messageOf(error)
  const hint = error instanceof PaddockError ? error.hint : undefined
  return {
    code,
    told: {
      headline: message,
      body: hint === undefined ? '' : hint,
      findings: errorFindings(message, hint, { workspace: system.workspace, directory }),
      cases: [],
    },
  }
}

function finish(system: CiSystem, { home, staging }: Own, progress: Progress, { code, told: what }: { code: number; told: Told }): number {
  const { inputs, log, final, notes } = progress
  const command = inputs?.command ?? null
  const facts = (more: readonly string[]): JobFacts => ({
    command,
    code,
    told: what,
    notes: [...notes, ...more],
    denied: log === null || command === 'verify' ? [] : deniedIn(log),
  })
  let end = code
  try {
    if (log !== null && existsSync(log)) cpSync(log, path.join(staging, 'audit.jsonl'))
    reportJob(system, staging, final, facts([]))
    if (progress.isPlaced) placeReport(staging, final)
  } catch (error) {
    system.annotate([{ level: 'error', message: redact(messageOf(error)), file: null, line: null }], staging)
    if (end === exitCodes.done) end = exitCodes.cannot
  }
  rmSync(home, { recursive: true, force: true, maxRetries: 3 })
  return end
}

/** @throws PaddockError BAD_INPUT for a directory whose content the report would replace */
function refuseReport(final: string, workspace: string): void {
  const holds = path.relative(final, workspace)
  const isAbove = holds === '' || !holds.startsWith('..')
  const isOthers =
    existsSync(final) && !existsSync(path.join(final, 'comment.md')) && !(statSync(final).isDirectory() && readdirSync(final).length === 0)
  if (!isAbove && !isOthers) return
  throw new PaddockError('BAD_INPUT', `Input report: ${final} has other content, which the report would replace.`, {
    hint: 'Give a directory that does not exist',
  })
}

function existingParent(file: string): string {
  const parent = path.dirname(file)
  return existsSync(parent) || parent === file ? parent : existingParent(parent)
}

function forkNote(reason: string, isWithout: boolean): string {
  return isWithout
    ? `The code comes from a fork (${reason}), so the job had no credentials.`
    : `The code comes from a fork (${reason}), and the job had its credentials, because fork-credentials is true.`
}
