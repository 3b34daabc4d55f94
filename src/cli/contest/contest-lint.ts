import type { CheckResult } from '../../contest/checks/result.ts'
import { type LintResult, lintContest } from '../../contest/lint/lint.ts'
import type { TriedCheck } from '../../contest/lint/try-checks.ts'
import type { ContestDeps } from '../../contest/run/deps.ts'
import { exitCodes } from '../../errors.ts'
import { printable } from '../../text.ts'
import { printJson, say } from '../terminal/output.ts'
import { table } from '../terminal/table.ts'
import { cellsText } from './contest-lines.ts'

export interface LintFlags {
  readonly json?: boolean
  readonly quiet?: boolean
  readonly try?: boolean
}

/** `paddock contest lint`: what is wrong or could be better to standard output; exit code 1 where something is wrong. */
export async function contestLint(
  directory: string,
  flags: LintFlags,
  deps: ContestDeps,
  parallel: { parallel?: number },
): Promise<number> {
  const ended = ({ name }: TriedCheck): void => {
    if (flags.quiet !== true) say(`tried ${name}`)
  }
  const result = await lintContest(directory, deps, { try: flags.try === true, ended, ...parallel })
  if (flags.json === true) printJson(result)
  else for (const line of lintLines(result)) process.stdout.write(`${line}\n`)
  return result.findings.some((each) => each.level === 'fault') ? exitCodes.no : exitCodes.done
}

function lintLines({ contest, findings, cells, tried }: LintResult): readonly string[] {
  const lines: string[] = []
  if (tried !== null) {
    const header = ['check', 'empty submission', 'one that only ends', 'oracle']
    const row = ({ name, empty, onlyEnds, oracle }: TriedCheck): string[] => [
      name,
      checkWords(empty),
      checkWords(onlyEnds),
      checkWords(oracle),
    ]
    lines.push(...table(header, tried.map(row)), '')
  }
  lines.push(...findings.map(({ level, key, message }) => printable(`${level}: ${key}: ${message}`)))
  lines.push(`from its beginning to its report it starts ${cellsText(cells)}`)
  if (!findings.some((each) => each.level === 'fault'))
    lines.push(tried === null ? `${contest}: nothing is wrong in the files; --try runs the checks, too` : `${contest}: nothing is wrong`)
  return lines
}

/** What a check said of a trial. */
export function checkWords(check: CheckResult | null): string {
  if (check === null) return '–'
  if (check.isFlaky === true) return 'flaky'
  return { passed: 'passes', failed: 'fails', 'could-not-run': 'could not run' }[check.result]
}
