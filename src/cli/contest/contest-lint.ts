import { exitCodes } from '../../base/errors.ts'
import { type LintResult, lintContest } from '../../contest/lint/lint.ts'
import type { TriedCheck } from '../../contest/lint/try-checks.ts'
import type { CheckResult } from '../../contest/state/check-result.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { table } from '../terminal/table.ts'
import { say } from '../terminal/terminal-output.ts'
import { onContestHost } from './contest-host.ts'
import { cellsText } from './contest-plan-lines.ts'
import { type Pacing, pacing } from './pace-options.ts'

interface LintOptions extends Pick<Pacing, 'parallel'> {
  readonly quiet?: boolean
  readonly try?: boolean
}

/** `paddock contest lint`: prints errors and advice. Exit code 1 if there is an error. */
export async function contestLint(directory: string, options: LintOptions): Promise<Answer<Result<'contest lint'>>> {
  return await onContestHost(options, async (deps) => {
    const ended = ({ name }: TriedCheck): void => {
      if (options.quiet !== true) say(`tried ${name}`)
    }
    const result = await lintContest(directory, deps, { try: options.try === true, ended, ...pacing(options) })
    const isFaulty = result.findings.some((each) => each.level === 'fault')
    return { data: result, lines: lintLines(result), exitCode: isFaulty ? exitCodes.no : exitCodes.done }
  })
}

function lintLines({ contest, findings, cells, tried }: LintResult): readonly string[] {
  const lines: string[] = []
  if (tried !== null) {
    const header = ['check', 'empty submission', 'one that only ends', 'oracle']
    const row = ({ name, empty, onlyEnds, oracle }: TriedCheck): string[] => [
      name,
      checkWords(empty),
      onlyEndsWords(onlyEnds),
      checkWords(oracle),
    ]
    lines.push(...table(header, tried.map(row)), '')
  }
  lines.push(...findings.map(({ level, key, message }) => `${level}: ${key}: ${message}`))
  lines.push(`a complete run starts ${cellsText(cells)}`)
  if (!findings.some((each) => each.level === 'fault'))
    lines.push(tried === null ? `${contest}: no problem found in the files; --try also runs the checks` : `${contest}: no problem found`)
  return lines
}

/** Returns the result of a check for a submission that only ends. */
export function onlyEndsWords(check: CheckResult | null): string {
  return check === null ? 'not tried' : checkWords(check)
}

/** Returns the result of a check for a trial submission. */
export function checkWords(check: CheckResult | null): string {
  if (check === null) return '–'
  if (check.isFlaky === true) return 'flaky'
  return { passed: 'passes', failed: 'fails', 'could-not-run': 'could not run' }[check.result]
}
