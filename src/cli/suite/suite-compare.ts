import { exitCodes } from '../../base/errors.ts'
import { printable } from '../../base/text.ts'
import { count, dollars } from '../../config/request/limit-texts.ts'
import { terminalTable } from '../../contest/report/draw-tables.ts'
import { gateOf } from '../../contest/suite/compare/compare-gates.ts'
import {
  type CompareOptions,
  type ComparePlan,
  type ComparisonResult,
  compareSuites,
  planComparison,
} from '../../contest/suite/compare/compare-suites.ts'
import { gateWords, measureColumns, measureRows } from '../../contest/suite/compare/comparison-columns.ts'
import { here } from '../contest/contest.ts'
import { onHost } from '../contest/contest-host.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { table } from '../terminal/table.ts'
import { names } from './suite-names.ts'
import { suiteProgress } from './suite-progress.ts'

interface Flags {
  readonly failIf: readonly string[]
  readonly surely?: boolean
  readonly asJudged?: boolean
  readonly participants?: string
  readonly only?: string
  readonly retry?: boolean
  readonly dryRun?: boolean
  readonly budget?: string
  readonly parallel?: string
  readonly out?: string
  readonly quiet?: boolean
}

/** `paddock suite compare`: exit code 1 if a gate fails or cannot be tested. */
export async function suiteCompare(base: string, others: readonly string[], flags: Flags): Promise<Answer<Result<'suite compare'>>> {
  const labels = [base, ...others]
  const options = optionsOf(flags)
  const view = suiteProgress(process.stderr, flags.quiet === true)
  return await onHost(view, 'paddock suite compare', async (host) => {
    if (flags.dryRun === true) {
      const plan = await planComparison(labels, options)
      return { data: plan, lines: planLines(plan) }
    }
    const result = await compareSuites(labels, { ...host, progress: view.event }, options)
    view.end()
    return { data: result.comparison, lines: resultLines(result), exitCode: result.comparison.isFailed ? exitCodes.no : exitCodes.done }
  })
}

function optionsOf(flags: Flags): CompareOptions {
  const { failIf, parallel, budget, out } = flags
  return {
    only: names(flags.only),
    participants: names(flags.participants),
    gates: failIf.map(gateOf),
    surely: flags.surely === true,
    asJudged: flags.asJudged === true,
    retry: flags.retry === true,
    ...(parallel === undefined ? {} : { parallel: count('--parallel', parallel) }),
    ...(budget === undefined ? {} : { budget: dollars('--budget', budget) }),
    ...(out === undefined ? {} : { out }),
  }
}

function planLines({ suite, briefs, pairs, judged: { contests, open, judges } }: ComparePlan): string[] {
  return [
    `${printable(suite)}: ${briefs} briefs and ${pairs} pairs of attempts can be compared`,
    contests === 0 ? 'no judge is asked' : `${open} of ${contests} pairs of works are not judged yet: ${judges} judges to ask`,
  ]
}

function resultLines({ comparison, files }: ComparisonResult): string[] {
  const { sentences, gates, leftOut, notes } = comparison
  return [
    ...sentences,
    '',
    ...table(...terminalTable(measureColumns, measureRows(comparison))),
    ...(gates.length === 0 ? [] : ['', ...gates.map((each) => gateWords(each, comparison))]),
    ...(leftOut.length + notes.length === 0 ? [] : ['']),
    ...leftOut.map(({ brief, why }) => `${brief} is left out: ${why}`),
    ...notes,
    '',
    `report ${here(files.html)}`,
  ]
}
