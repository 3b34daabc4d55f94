import { readdirSync } from 'node:fs'
import { exitCodes, PaddockError } from '../../base/errors.ts'
import type { Host } from '../../host.ts'
import { thisDistribution } from '../../system/distribution.ts'
import { hostProgram, systemPath } from '../../system/host-program.ts'
import { spawn } from '../../system/start-program.ts'
import { openCliHost } from '../open-host.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { askYes, canTalk, openDialog } from '../terminal/dialog.ts'
import { say } from '../terminal/terminal-output.ts'
import { waitingLine } from '../terminal/waiting-line.ts'
import { commandLine, fixPlan } from './fix-plan.ts'
import { type Diagnosis, diagnose } from './machine-diagnosis.ts'

type Fix = NonNullable<Result<'doctor'>['fix']>

interface FixOptions {
  readonly yes?: boolean
  readonly json?: boolean
  readonly connect?: boolean
}

/** `paddock doctor --fix`: shows the commands that get what is missing, runs them after a yes, and reports what is still missing. */
export async function doctorFixCommand(options: FixOptions): Promise<Answer<Result<'doctor'>>> {
  if (options.connect === true)
    throw new PaddockError('BAD_INPUT', '--connect has no effect with --fix.', { hint: 'Leave one of them out' })
  const host = openCliHost()
  try {
    return await fixMachine(host, options)
  } finally {
    host[Symbol.dispose]()
  }
}

async function fixMachine(host: Host, options: FixOptions): Promise<Answer<Result<'doctor'>>> {
  const before = await look(host)
  const { family, name: distribution } = thisDistribution()
  const { commands, byHand } = fixPlan(before.remedies, { family, hasPackageLists: hasPackageLists() })
  const isRoot = process.getuid?.() === 0
  const sudo = isRoot ? null : hostProgram('sudo', host.env['PATH'] ?? '')
  const lines = commands.map((each) => commandLine(each, sudo !== null))
  const answer = (now: Diagnosis, exits: readonly number[], more: readonly string[], isBrief = false): Answer<Result<'doctor'>> => {
    const fix: Fix = {
      distribution,
      commands: lines.map((command, index) => ({ command, exitCode: exits[index] ?? null })),
      byHand: [...byHand],
    }
    return {
      data: { ...now.data, fix },
      lines: [...more, ...byHand, ...(isBrief ? [] : missingLines(now.data, exits.length > 0))],
      exitCode: now.data.ok ? exitCodes.done : exitCodes.no,
    }
  }
  if (commands.length === 0) return answer(before, [], [])
  if (!isRoot && sudo === null)
    return answer(before, [], [`This needs root, and sudo is not installed. Ask an administrator to run: ${lines.join(' && ')}`], true)
  const shown = [`Commands that change this machine (${distribution}):`, ...lines.map((each) => `  ${each}`)]
  if (options.yes !== true) {
    if (options.json === true || !canTalk()) return answer(before, [], [...shown, 'To run them: paddock doctor --fix --yes'])
    using dialog = openDialog()
    for (const each of shown) dialog.say(each)
    if (!(await askYes(dialog, 'Run them now?', true))) return answer(before, [], [])
  } else for (const each of shown) say(each)
  const exits: number[] = []
  for (const words of commands) {
    const exit = await runAsRoot(words, sudo, host.env)
    exits.push(exit)
    if (exit === 0) continue
    const failed = `${commandLine(words, sudo !== null)} ended with ${exit}, so the commands after it were not run.`
    return answer(await look(host), exits, [failed])
  }
  return answer(await look(host), exits, [])
}

async function look(host: Host): Promise<Diagnosis> {
  using _line = waitingLine('checking this machine')
  return await diagnose(host, 'none')
}

/** Returns what is missing, and whether cells work. `isStill`: after a change. */
function missingLines({ ok, checks }: Diagnosis['data'], isStill: boolean): readonly string[] {
  const missing = checks.filter((each) => !each.ok)
  const title = isStill ? 'Still missing:' : 'Missing:'
  const lines = missing.flatMap(({ name, detail, hint }) => [`no ${name}: ${detail}`, ...(hint === undefined ? [] : [`   → ${hint}`])])
  const works = ok ? 'Cells work here.' : 'Cells do not work here.'
  return lines.length === 0 ? [works, 'Nothing is missing.'] : [title, ...lines, works]
}

/** Returns false if apt has no lists of packages, so that it finds none. */
function hasPackageLists(): boolean {
  try {
    return readdirSync('/var/lib/apt/lists').some((each) => /_Packages(?:\.|$)/.test(each))
  } catch {
    return false
  }
}

/**
 * Runs a command with its output on standard error, and returns its exit code. sudo may ask for a password in the terminal. The command finds
 * only programs of the system, because sudo searches the PATH of its caller if sudoers(5) has no secure_path, and a project may be in it.
 */
function runAsRoot(words: readonly string[], sudo: string | null, env: NodeJS.ProcessEnv): Promise<number> {
  const [name = '', ...rest] = words
  const program = sudo ?? hostProgram(name, env['PATH'] ?? '')
  if (program === null)
    throw new PaddockError('UNENFORCEABLE', `${name} is not installed, so this machine cannot be changed.`, {
      hint: `Run it where it is installed: ${commandLine(words, false)}`,
    })
  return new Promise((resolve) => {
    const own = { ...env, PATH: systemPath, LC_ALL: 'C' }
    const child = spawn(program, sudo === null ? rest : words, { stdio: ['inherit', 2, 2], env: own })
    child.once('error', () => resolve(exitCodes.notRunnable))
    child.once('exit', (code) => resolve(code ?? exitCodes.cannot))
  })
}
