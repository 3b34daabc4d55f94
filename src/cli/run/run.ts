import path from 'node:path'
import { isatty } from 'node:tty'
import { requireBackend } from '../../base/cell-place.ts'
import { exitCodes, PaddockError } from '../../base/errors.ts'
import { checkedOut } from '../../cell/plan/git-facts.ts'
import type { CellPlan } from '../../cell/plan/plan.ts'
import type { CellSpec } from '../../cell/plan/spec.ts'
import { reachOf, trifectaRating } from '../../cell/plan/trifecta/trifecta.ts'
import type { CellReport } from '../../cell/report.ts'
import { hasRepository } from '../../git/project.ts'
import type { Host } from '../../host.ts'
import { type PreparedRun, prepare } from '../../run/prepare-run.ts'
import { privateHome } from '../../run/private-home.ts'
import type { TrifectaRemedy } from '../../run/trifecta/trifecta-remedy.ts'
import { openCliHost } from '../open-host.ts'
import type { Result } from '../results.ts'
import { rerunHint } from '../run-command-text.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { askYes, canTalk, openDialog } from '../terminal/dialog.ts'
import { OutputGate } from '../terminal/output-gate.ts'
import { SharedScreen } from '../terminal/shared-screen.ts'
import { endBySignal, onEndSignal } from '../terminal/signals.ts'
import { say } from '../terminal/terminal-output.ts'
import { waitingLine } from '../terminal/waiting-line.ts'
import { callersInput } from './attach.ts'
import { egressNotices, noticesBeyond } from './egress-notices.ts'
import { signalThatEnded } from './end-on-signals.ts'
import { askingOf, follow } from './follow-cell.ts'
import { markForSigning } from './mark-for-signing.ts'
import type { IsGiven, RunOptions } from './options.ts'
import { planLines } from './plan-lines.ts'
import { conversationOf, promptOf } from './prompt.ts'
import { publishPorts } from './publish.ts'
import { openReportFile } from './report-file.ts'
import { asked, beforeStart, copyOf, placeOfRun, setUpOf, startOr, worktreeLines } from './request-with-config.ts'
import { resumeLines } from './resume-line.ts'
import { endLines, startLine } from './run-lines.ts'
import { refuseWithoutEffect } from './without-effect.ts'

/** `paddock run`: exits with the exit code of the program. */
export async function runCommand(words: readonly string[], options: RunOptions, isGiven: IsGiven): Promise<Answer<Result<'run'>>> {
  const wish = await readWish(words, options, isGiven)
  const { isCommand, prompt, conversation, terminal, wanted, shown } = wish
  const place = await placeOfRun(wanted, options)
  const { project, cwd, worktree } = place
  for (const each of worktree?.notes ?? []) shown(each)
  const gate = new OutputGate()
  const screen = terminal
    ? new SharedScreen(isCommand, (line, isOnOwnLine) => {
        if (!isOnOwnLine && options.quiet !== true) process.stderr.write('\n')
        shown(line)
      })
    : null
  let hasHome = false
  const given = process.argv.slice(process.argv.indexOf('run') + 1, -words.length)
  const rerun = (remedy: TrifectaRemedy): string =>
    isCommand ? rerunHint(given.slice(0, -1), ['--', ...words], remedy) : rerunHint(given, words, remedy)
  let waiting: Disposable | null = null
  using host: Host = openCliHost({
    ...(canTalk()
      ? {
          askStart: async (question) => {
            waiting?.[Symbol.dispose]()
            using dialog = openDialog()
            return await askYes(dialog, question, false)
          },
        }
      : {}),
    onPlan: (plan) => {
      hasHome = plan.filesystem.some((each) => each.kind === 'bind' && each.reason === 'home')
      beforeStart(plan, isCommand, shown)
    },
    onNotice: egressNotices((line) => (screen === null ? shown(line) : screen.say(line))),
    asking: () => askingOf(terminal, prompt !== null, options.quiet === true, gate),
  })
  await using machine =
    options.on === undefined ? null : await (await import('./on-machine.ts')).openMachine(options.on, options.keep, host, shown)
  if (machine === null) requireBackend(host.backendsOfRun, wanted.request, wanted.placeOrigins)
  const run = await prepare(
    wanted.request,
    { cwd, project, place: '', now: Date.now(), needsCredential: false, mayShowLogin: true, conversation, rerun },
    machine?.host ?? host,
  )
  const { adapter } = run
  const prepared = await run.forCell({
    name: `run ${isCommand ? path.basename(words[0] ?? '') : adapter.name}`,
    home: options.ephemeral === true || machine !== null ? null : privateHome(project, adapter.name, host.paths.state),
    ...(options.keepHome === true ? { othersInHome: 'keep' } : {}),
    ...(conversation !== null ? { needsHome: true } : {}),
  })
  const spec = worktree === null ? prepared.spec : { ...prepared.spec, taskTree: true }
  try {
    if (options.dryRun === true)
      return dryRun(
        // A copy has no names elsewhere.
        await host.plan(wish.isCopy ? { ...spec, deps: 'rw' } : spec),
        wish.isCopy ? project : undefined,
      )
    refuseWithoutTerminal(wish, adapter.name)
    for (const each of [...run.notes, ...prepared.notes]) shown(each)
    const lived = await live(wish, spec, run, {
      host: machine?.host ?? host,
      project,
      worktree,
      gate,
      screen,
      onWaiting: (line) => (waiting = line),
    })
    return await answerOf(lived, wish, {
      ...place,
      beyond: (endings) => noticesBeyond(endings, screen?.held() ?? []),
      toGoOn: terminal && hasHome ? resumeLines(adapter, spec, lived.report.startedAt, given) : [],
    })
  } finally {
    await prepared.end()
  }
}

/** Returns what the command line and the configuration ask for. Throws if it contradicts itself. */
async function readWish(words: readonly string[], options: RunOptions, isGiven: IsGiven) {
  if (words.length === 0)
    throw new PaddockError('BAD_INPUT', 'paddock run needs an agent, or -- and a command.', {
      hint: 'paddock run claude    or    paddock run -- make test',
    })
  const isCommand = process.argv.at(-words.length - 1) === '--'
  refuseWithoutEffect(words, isCommand, options)
  const elsewhere = options.on === undefined && options.keep === undefined ? null : await import('./on-machine.ts')
  elsewhere?.refuseElsewhere(options)
  const prompt = promptOf(options)
  const conversation = conversationOf(options, prompt)
  // Not process.stdin, because its first use starts to read.
  const terminal = prompt === null && isatty(0) && process.stdout.isTTY === true
  const wanted = await asked(words, isCommand, options, isGiven, terminal)
  if (options.worktree !== undefined && wanted.copy && isGiven('copy'))
    throw new PaddockError('BAD_INPUT', '--copy and --worktree cannot be combined.', { hint: 'Leave one of them out' })
  if (options.ephemeral === true && options.keepHome === true)
    throw new PaddockError('BAD_INPUT', '--ephemeral and --keep-home cannot be combined.', { hint: 'Leave one of them out' })
  if (options.ephemeral === true && conversation !== null)
    throw new PaddockError('BAD_INPUT', '--continue requires the private home, which has the conversation.', {
      hint: 'Leave --ephemeral out',
    })
  if (options.trajectory !== undefined && (isCommand || prompt === null))
    throw new PaddockError('BAD_INPUT', '--trajectory requires an agent and a prompt.', {
      hint: 'Name an agent, and give it a prompt with --prompt TEXT or --prompt-file FILE',
    })
  elsewhere?.refuseRequestElsewhere(wanted.request)
  const isCopy = options.on !== undefined || (wanted.copy && options.worktree === undefined)
  if (wanted.request.posture === 'L0' && (isCopy || options.ephemeral === true))
    throw new PaddockError('UNENFORCEABLE', `${isCopy ? '--copy' : '--ephemeral'} has no effect at L0, on the bare host.`, {
      hint: isCopy ? 'Use --no-copy, or --worktree NAME' : 'Leave it out',
    })
  if (wanted.copyIgnored && !isCopy)
    throw new PaddockError('BAD_INPUT', '--copy-ignored requires --copy.', { hint: 'paddock run --copy --copy-ignored …' })
  const shown = options.quiet === true ? () => undefined : say
  return { isCommand, prompt, conversation, terminal, wanted, isCopy, options, shown }
}

type RunWish = Awaited<ReturnType<typeof readWish>>

function refuseWithoutTerminal({ isCommand, prompt, terminal, options }: RunWish, agent: string): void {
  if (options.json === true && terminal)
    throw new PaddockError('BAD_INPUT', '--json cannot be used while the program has the terminal.', {
      hint: 'Give it a prompt with --prompt TEXT, send standard output elsewhere, or use --report FILE',
    })
  if (!isCommand && options.asIs !== true && !terminal && prompt === null && isatty(0))
    throw new PaddockError('BAD_INPUT', `${agent} needs a terminal or a prompt.`, {
      hint: 'Give it one with --prompt TEXT or --prompt-file FILE',
    })
}

/** Starts the cell and follows it to its end. Returns its report, and what was done with the files it left. */
async function live(
  { prompt, terminal, wanted, isCopy, options, shown }: RunWish,
  spec: CellSpec,
  { adapter, version, request: { model } }: PreparedRun,
  { host, project, worktree, gate, screen, onWaiting }: RunMeans,
) {
  // An agent reads its prompt, given or piped, from standard input. A bare command gets the caller's standard input.
  const stdin = prompt !== null ? Buffer.from(prompt) : terminal ? 'pipe' : await callersInput()
  const reportFile = options.report === undefined ? null : openReportFile(options.report, { option: '--report', what: 'the report' })
  await using trajectory =
    options.trajectory === undefined
      ? null
      : await (await import('./run-trajectory.ts')).openRunTrajectory(options.trajectory, {
          prompt: prompt ?? '',
          agent: { name: adapter.name, version, model },
        })
  const ended = new AbortController()
  const unlisten = onEndSignal((by) => {
    if (options.asIs === true) endBySignal(by)
    if (ended.signal.aborted) process.exit(exitCodes.cancelled)
    ended.abort(new PaddockError('CANCELLED', 'The run was interrupted before its cell had started.'))
  })
  try {
    const size = { columns: process.stdout.columns ?? 80, rows: process.stdout.rows ?? 24 }
    const { signal } = ended
    const setUp = setUpOf(wanted, host, { say: shown, signal })
    if (worktree !== null) await setUp?.(project)
    const copying = { ignored: wanted.copyIgnored, quiet: options.quiet === true, signal, setUp }
    const copy = isCopy ? await copyOf(spec, copying, host) : null
    for (const each of copy?.notes ?? []) shown(each)
    if (options.quiet !== true && options.private !== true && reachOf(spec.egress) !== null)
      for (const each of await (await import('./run-secrets-ahead.ts')).secretsAhead(copy?.spec ?? spec)) shown(each)
    const hadRepository = !isCopy && hasRepository(project)
    const head = hadRepository ? checkedOut(project) : null
    const cell = await startOr(async () => {
      using line = options.quiet === true ? null : waitingLine('starting the cell')
      onWaiting(line)
      return await host.startCell(copy?.spec ?? spec, { stdin, size }, signal)
    }, copy)
    for (const each of cell.notes ?? []) shown(`${each}; to use it: --keep-home`)
    screen?.follow(cell.stdout)
    const unpublish = await publishPorts.open(options.publish, cell, shown)
    const followed = await follow(cell, adapter, { terminal, prompted: prompt !== null, options, gate, trajectory })
    const { report, outcome, used } = followed
    unpublish()
    if (hadRepository)
      await markForSigning(project, host.paths.state, {
        startedAt: Date.parse(report.startedAt),
        endedAt: Date.parse(report.endedAt),
        heads: head === null ? [] : [head],
      })
    const notReported = (await reportFile?.write(`${JSON.stringify(report, null, 2)}\n`)) ?? null
    const unwritten = [notReported, followed.unwritten].filter((each) => each !== null)
    return { report, outcome, used, unwritten, copied: (await copy?.end(report)) ?? null, hadRepository }
  } finally {
    unlisten()
  }
}

interface RunMeans extends Pick<RunPlace, 'project' | 'worktree'> {
  readonly host: Host
  readonly gate: OutputGate
  readonly screen: SharedScreen | null
  /** Called with the line that shows how long the start takes, which a question must end. */
  readonly onWaiting: (line: Disposable | null) => void
}

type RunPlace = Awaited<ReturnType<typeof placeOfRun>>

/** Prints the last lines, and returns the answer. `beyond`: returns notices that the last lines do not repeat. */
async function answerOf(
  { report, outcome, used, unwritten, copied, hadRepository }: Awaited<ReturnType<typeof live>>,
  { options, shown }: RunWish,
  {
    project,
    worktree,
    beyond,
    toGoOn,
  }: RunPlace & {
    readonly beyond: (endings: readonly string[]) => readonly string[]
    readonly toGoOn: readonly string[]
  },
): Promise<Answer<Result<'run'>>> {
  const toldReport = copied?.report ?? report
  const endings = [
    ...endLines(toldReport, copied !== null, outcome),
    ...(hadRepository && !hasRepository(project) ? [`git no longer finds a repository in ${project}: files in its .git are gone`] : []),
  ]
  const copyLines = copied === null ? [] : (await import('../copy/copy-end-lines.ts')).copyEndLines(copied)
  const treeLines = worktree === null || options.quiet === true ? [] : await worktreeLines(worktree)
  for (const each of [...used, ...beyond(endings), ...endings, ...copyLines, ...treeLines, ...toGoOn]) shown(each)
  for (const each of unwritten) say(each)
  const signal = options.asIs === true ? signalThatEnded(report) : null
  if (signal !== null) endBySignal(signal)
  return {
    data: {
      ...toldReport,
      ...(copied === null ? {} : { copy: copied.copy }),
      ...(worktree === null ? {} : { worktree: worktree.record.directory }),
    },
    exitCode: exitCodeOf(report) || (unwritten.length === 0 ? exitCodes.done : exitCodes.cannot),
  }
}

function dryRun(plan: CellPlan, toCopy: string | undefined): Answer<Result<'run'>> {
  return {
    data: { ...plan, trifecta: trifectaRating(plan, toCopy) },
    lines: [startLine(plan, toCopy), '', ...planLines(plan, toCopy)],
  }
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
