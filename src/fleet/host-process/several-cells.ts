import type { RunSummary } from '../../adapters/output/run-summary.ts'
import type { CellReport, ChangeSummary } from '../../cell/report.ts'

/** Returns the combined summary of two cells that ran one after the other. */
export function joinSummaries(first: RunSummary, second: RunSummary): RunSummary {
  return {
    ...second,
    usage: sumOf(first.usage, second.usage, (a, b) => ({
      input: a.input + b.input,
      output: a.output + b.output,
      cachedInput: a.cachedInput + b.cachedInput,
      model: b.model ?? a.model,
    })),
    costUsd: sumOf(first.costUsd, second.costUsd, (a, b) => a + b),
    conversation: second.conversation ?? first.conversation,
    toolCalls: first.toolCalls + second.toolCalls,
    unknownLines: first.unknownLines + second.unknownLines,
  }
}

/** Returns the report of the second of two cells in one workspace, with the changes of both. */
export function joinReports(first: CellReport, second: CellReport): CellReport {
  return { ...second, changes: sumOf(first.changes, second.changes, joinChanges) }
}

function joinChanges(first: ChangeSummary, second: ChangeSummary): ChangeSummary {
  const created = new Set([...first.created, ...second.created])
  return {
    created: [...created].sort(),
    modified: [...new Set([...first.modified, ...second.modified])].filter((each) => !created.has(each)).sort(),
    runsLater: [...new Map([...first.runsLater, ...second.runsLater].map((each) => [each.path, each])).values()],
    quarantined: [...first.quarantined, ...second.quarantined],
    laundered: [...(first.laundered ?? []), ...(second.laundered ?? [])],
    unsearched: [...new Set([...first.unsearched, ...second.unsearched])],
    truncated: first.truncated || second.truncated,
  }
}

function sumOf<Value>(first: Value | null, second: Value | null, sum: (first: Value, second: Value) => Value): Value | null {
  return first === null ? second : second === null ? first : sum(first, second)
}
