import { exitCodes } from '../../base/errors.ts'
import { count } from '../../config/request/limit-texts.ts'
import { type LintedBrief, lintSuite } from '../../contest/suite/lint-suite.ts'
import { onContestHost } from '../contest/contest-host.ts'
import { checkWords, onlyEndsWords } from '../contest/contest-lint.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { table } from '../terminal/table.ts'
import { say } from '../terminal/terminal-output.ts'
import { names } from './suite-names.ts'

interface Flags {
  readonly quiet?: boolean
  readonly try?: boolean
  readonly only?: string
  readonly parallel?: string
}

/** `paddock suite lint`: exit code 1 if there is an error. */
export async function suiteLint(directory: string, flags: Flags): Promise<Answer<Result<'suite lint'>>> {
  return await onContestHost(flags, async (deps, view) => {
    const result = await lintSuite(directory, deps, {
      try: flags.try === true,
      only: names(flags.only),
      ...(flags.parallel === undefined ? {} : { parallel: count('--parallel', flags.parallel) }),
      linted: ({ brief }) => (flags.try === true && flags.quiet !== true ? say(`tried ${brief}`) : undefined),
    })
    view.end()
    return { data: result, lines: linesOf(result.briefs), exitCode: result.briefs.some(isFaulty) ? exitCodes.no : exitCodes.done }
  })
}

function linesOf(briefs: readonly LintedBrief[]): readonly string[] {
  const tried = briefs.flatMap(({ brief, tried: list }) =>
    (list ?? []).map((each) => [brief, each.name, checkWords(each.empty), onlyEndsWords(each.onlyEnds), checkWords(each.oracle)]),
  )
  const faults = briefs.filter(isFaulty).length
  return [
    ...(tried.length === 0 ? [] : [...table(['brief', 'check', 'empty submission', 'one that only ends', 'oracle'], tried), '']),
    ...briefs.flatMap(({ brief, findings }) => findings.map((each) => `${each.level}: ${brief}: ${each.key}: ${each.message}`)),
    faults === 0 ? `no problem found in ${briefs.length} briefs` : `problems found in ${faults} of ${briefs.length} briefs`,
  ]
}

function isFaulty({ findings }: LintedBrief): boolean {
  return findings.some(({ level }) => level === 'fault')
}
