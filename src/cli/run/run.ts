import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { isatty } from 'node:tty'
import type { AgentAdapter } from '../../adapters/adapter.ts'
import type { Cell } from '../../cell/cell.ts'
import type { CellPlan } from '../../cell/plan/plan.ts'
import { planFor } from '../../cell/plan/plan-for.ts'
import type { CellSpec } from '../../cell/plan/spec.ts'
import { reachOf } from '../../cell/plan/trifecta.ts'
import type { CellReport } from '../../cell/report.ts'
import type { RunCopy } from '../../copy/for-run.ts'
import type { ApprovalsOptions } from '../../egress/approvals/approver.ts'
import { exitCodes, PaddockError } from '../../errors.ts'
import { hasRepository, projectAround } from '../../git/project.ts'
import { type Host, openCells } from '../../host.ts'
import { resolvePaths } from '../../paths.ts'
import type { RunOutcome } from '../../run/outcome.ts'
import { prepare } from '../../run/prepare.ts'
import { privateHome } from '../../run/private-home.ts'
import { loadConfig, refuseUntrusted } from '../config/configured.ts'
import { openCliHost } from '../open-host.ts'
import { printJson, say, writeReadable } from '../terminal/output.ts'
import { OutputGate } from '../terminal/output-gate.ts'
import { onEndSignal } from '../terminal/signals.ts'
import { workingDirectory } from '../working-directory.ts'
import { attachPipes, attachTerminal, callersInput } from './attach.ts'
import type { IsGiven, RunOptions } from './options.ts'
import { planLines } from './plan-lines.ts'
import { conversationOf, promptOf } from './prompt.ts'
import { publishPorts } from './publish.ts'
import { openReportFile } from './report-file.ts'
import { askedBy } from './request.ts'
import { resumeLines } from './resume-line.ts'
import { endLines, hasNoRepository, startLine } from './run-lines.ts'
import { noticesBeyond, unresolvableNotice } from './unresolvable.ts'
import { refuseWithoutEffect } from './without-effect.ts'

/** `paddock run`: returns the exit code of the agent. */
export async function runCommand(words: readonly string[], options: RunOptions, isGiven: IsGiven): Promise<number> {
  if (words.length === 0)
    throw new PaddockError('BAD_INPUT', 'paddock run needs an agent, or -- and a command.', {
      hint: 'paddock run claude    or    paddock run -- make test',
    })
  const isCommand = process.argv.at(-words.length - 1) === '--'
  refuseWithoutEffect(words, isCommand, options)
  const prompt = promptOf(options)
  const conversation = conversationOf(options, prompt)
  // Not process.stdin, which would begin to read.
  const terminal = prompt === null && isatty(0) && process.stdout.isTTY === true
  const { request, copy: isCopy, copyIgnored, project, cwd } = await asked(words, isCommand, options, isGiven, terminal)
  if (copyIgnored && !isCopy)
    throw new PaddockError('BAD_INPUT', '--copy-ignored requires --copy.', { hint: 'paddock run --copy --copy-ignored …' })
  const shown = options.quiet === true ? () => undefined : say
  const gate = new OutputGate()
  /** Lines that would be written over what a cell with the terminal shows there. */
  const atEnd: string[] = []
  using host: Host = openCliHost({
    onPlan: (plan) => beforeStart(plan, host.backend, isCommand, shown),
    onUnresolvable: unresolvableNotice((line) => (terminal ? void atEnd.push(line) : shown(line))),
    asking: () => askingOf(terminal, prompt !== null, options.quiet === true, gate),
  })
  const run = await prepare(request, { cwd, project, place: '', now: Date.now(), needsCredential: false, conversation }, host)
  const { adapter } = run
  const prepared = await run.forCell({
    name: `run ${isCommand ? path.basename(words[0] ?? '') : adapter.name}`,
    home: privateHome(project, adapter.name, host.paths.state),
  })
  const { spec } = prepared
  let unlisten = (): void => {}
  try {
    if (options.dryRun === true)
      return dryRun(
        planFor(spec, host.machine, openCells(host.paths, host.env).inertEntries).planned,
        host.backend,
        options,
        isCopy ? project : undefined,
      )
    if (options.json === true && terminal)
      throw new PaddockError('BAD_INPUT', '--json cannot be used while the program has the terminal.', {
        hint: 'Give it a prompt with --prompt TEXT, send standard output elsewhere, or use --report FILE',
      })
    if (!isCommand && !terminal && prompt === null && isatty(0))
      throw new PaddockError('BAD_INPUT', `${adapter.name} needs a terminal or a prompt.`, {
        hint: 'Give it one with --prompt TEXT or --prompt-file FILE.',
      })
    for (const each of [...run.notes, ...prepared.notes]) shown(each)
    // An agent takes its prompt from standard input, given or piped; a bare command has the caller's own.
    const stdin = prompt !== null ? Buffer.from(prompt) : terminal ? 'pipe' : await callersInput()
    const reportFile = options.report === undefined ? null : openReportFile(options.report)
    const ended = new AbortController()
    unlisten = onEndSignal(() => {
      if (ended.signal.aborted) process.exit(exitCodes.cancelled)
      ended.abort(new PaddockError('CANCELLED', 'The run was interrupted before its cell had started.'))
    })
    const size = { columns: process.stdout.columns ?? 80, rows: process.stdout.rows ?? 24 }
    const copy = isCopy ? await copyOf(spec, { ignored: copyIgnored, quiet: options.quiet === true, signal: ended.signal }, host) : null
    for (const each of copy?.notes ?? []) shown(each)
    if (options.quiet !== true && options.private !== true && reachOf(spec.egress) !== null)
      for (const each of await (await import('./secrets-ahead.ts')).secretsAhead(copy?.spec ?? spec)) shown(each)
    const hadRepository = !isCopy && hasRepository(project)
    const cell = await startOr(() => host.startCell(copy?.spec ?? spec, { stdin, size }, ended.signal), copy)
    const unpublish = await publishPorts.open(options.publish, cell, shown)
    const { report, outcome, used } = await follow(cell, adapter, { terminal, prompted: prompt !== null, options, gate })
    unpublish()
    const unwritten = reportFile?.write(report) ?? null
    const end = (await copy?.end(report)) ?? null
    const toldReport = end?.report ?? report
    const copyLines = end === null ? [] : (await import('../copy/copy-end-lines.ts')).copyEndLines(end)
    const toGoOn = terminal ? resumeLines(adapter, spec, report.startedAt, process.argv.at(-words.length - 1) !== 'run') : []
    const endings = [
      ...endLines(toldReport, copy !== null, outcome),
      ...(hadRepository && !hasRepository(project) ? [`git no longer finds a repository in ${project}: files in its .git are gone`] : []),
    ]
    for (const each of [...used, ...noticesBeyond(endings, atEnd), ...endings, ...copyLines, ...toGoOn]) shown(each)
    if (unwritten !== null) say(unwritten)
    if (options.json === true) printJson(end === null ? toldReport : { ...toldReport, copy: end.copy })
    return exitCodeOf(report) || (unwritten === null ? exitCodes.done : exitCodes.cannot)
  } finally {
    unlisten()
    await prepared.end()
  }
}

/** Passes on what goes in and out until the cell is gone. An agent with a prompt reports events, of which the outcome tells more. */
async function follow(
  cell: Cell,
  adapter: AgentAdapter,
  by: { readonly terminal: boolean; readonly prompted: boolean; readonly options: RunOptions; readonly gate: OutputGate },
): Promise<{ readonly report: CellReport; readonly outcome: RunOutcome | null; readonly used: readonly string[] }> {
  const { terminal, prompted, options, gate } = by
  const out = options.json === true ? process.stderr : process.stdout
  if (terminal || !prompted || adapter.name === 'command') {
    const detach = terminal ? attachTerminal(cell) : attachPipes(cell, gate, { out })
    return { report: await cell.done.finally(detach), outcome: null, used: [] }
  }
  const [{ attachHeadless }, { runOutcome }, { usageText }] = await Promise.all([
    import('./attach-headless.ts'),
    import('../../run/outcome.ts'),
    import('./event-lines.ts'),
  ])
  const readable = options.raw !== true && out.isTTY === true
  const { report, summary } = await attachHeadless(cell, adapter, gate, { out, readable })
  const used = readable ? usageText(summary.usage, summary.costUsd) : null
  return { report, outcome: runOutcome(report, summary, adapter.name), used: used === null ? [] : [`${adapter.name} used ${used}`] }
}

/** Where what the cell asks is put to the user: at this terminal where it is free for that, else in one line that names the command. */
async function askingOf(
  terminal: boolean,
  prompted: boolean,
  quiet: boolean,
  gate: OutputGate,
): Promise<Pick<ApprovalsOptions, 'terminal' | 'notice'>> {
  const { approvalNotice, terminalPrompt } = await import('../audit/approval-prompt.ts')
  if (prompted && process.stdin.isTTY === true && process.stderr.isTTY === true)
    return { terminal: terminalPrompt(process.stdin, process.stderr, () => gate.hold()) }
  return quiet ? {} : { notice: approvalNotice(terminal, writeReadable) }
}

/** The request of the command line, with what the user's configuration, and the project's if it is trusted, add to it. */
async function asked(words: readonly string[], isCommand: boolean, options: RunOptions, isGiven: IsGiven, terminal: boolean) {
  const paths = resolvePaths(process.env)
  const cwd = workingDirectory()
  const project = projectAround(cwd, paths.userHome)
  const loaded = await loadConfig(project, paths, { projectFile: options.projectFile })
  refuseUntrusted(loaded)
  return { ...askedBy({ words, isCommand, terminal }, options, isGiven, loaded, paths), project, cwd }
}

/** A copy that the cell works on in place of the project. */
async function copyOf(
  spec: CellSpec,
  by: { readonly ignored: boolean; readonly quiet: boolean; readonly signal: AbortSignal },
  host: Host,
): Promise<RunCopy> {
  const [{ copyForRun }, { cliCopyHost }] = await Promise.all([import('../../copy/for-run.ts'), import('../copy/copy-host.ts')])
  return copyForRun(spec, { ignored: by.ignored, signal: by.signal }, { ...cliCopyHost({ quiet: by.quiet }), machine: host.machine })
}

/** Starts a cell; where that fails, nothing is left of the copy that was made for it. */
async function startOr(start: () => Promise<Cell>, copy: RunCopy | null): Promise<Cell> {
  try {
    return await start()
  } catch (error) {
    await copy?.discard()
    throw error
  }
}

function beforeStart(plan: CellPlan, backend: Host['backend'], isCommand: boolean, shown: (line: string) => void): void {
  for (const each of plan.filesystem)
    if (each.kind === 'bind' && each.reason === 'home') mkdirSync(each.source, { recursive: true, mode: 0o700 })
  shown(startLine(plan, backend))
  // Agents like to begin with one.
  if (!isCommand && hasNoRepository(plan))
    shown('this directory has no .git, and git init fails in the cell; if you want a repository, run git init before')
}

function dryRun(plan: CellPlan, backend: Host['backend'], options: RunOptions, toCopy: string | undefined): number {
  if (options.json === true) printJson({ ...plan, posture: backend.posture, backend: backend.name })
  else for (const line of [startLine(plan, backend, toCopy), '', ...planLines(plan, toCopy)]) process.stdout.write(`${line}\n`)
  return exitCodes.done
}

function exitCodeOf(report: CellReport): number {
  const { ending } = report
  switch (ending.kind) {
    case 'exited':
      return ending.code
    case 'out-of-memory':
      return 137
    case 'out-of-time':
    case 'silent':
      return exitCodes.timedOut
    case 'cancelled':
      return exitCodes.cancelled
    default:
      return exitCodes.cannot
  }
}
