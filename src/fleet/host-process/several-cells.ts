import type { RunSummary } from '../../adapters/output/run-summary.ts'
import type { CellReport, ChangeSummary, GitChanges } from '../../cell/report.ts'

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
  const deleted = new Set([...first.deleted, ...second.deleted])
  // A file that the first cell created and the second renamed or deleted is not at its old path.
  const left = new Set([...second.deleted, ...second.renamed.map((each) => each.from)])
  const created = new Set([...first.created.filter((each) => !left.has(each)), ...second.created])
  for (const each of [...second.created, ...second.renamed.map(({ to }) => to)]) deleted.delete(each)
  return {
    created: [...created].sort(),
    modified: [...new Set([...first.modified, ...second.modified])].filter((each) => !created.has(each) && !left.has(each)).sort(),
    deleted: [...deleted].filter((each) => !first.created.includes(each)).sort(),
    renamed: [...first.renamed.filter((each) => !left.has(each.to)), ...second.renamed],
    git: joinGit(first.git, second.git),
    runsLater: [...new Map([...first.runsLater, ...second.runsLater].map((each) => [each.path, each])).values()],
    quarantined: [...first.quarantined, ...second.quarantined],
    ...(first.held === undefined && second.held === undefined ? {} : { held: joinHeld(first.held, second.held) }),
    ...(first.unregistered === undefined && second.unregistered === undefined
      ? {}
      : { unregistered: [...(first.unregistered ?? []), ...(second.unregistered ?? [])] }),
    ...(first.laundered === undefined && second.laundered === undefined
      ? {}
      : { laundered: [...(first.laundered ?? []), ...(second.laundered ?? [])] }),
    ...(first.configs === undefined && second.configs === undefined
      ? {}
      : { configs: [...(first.configs ?? []), ...(second.configs ?? [])] }),
    ...(first.discarded === undefined && second.discarded === undefined
      ? {}
      : { discarded: [...new Set([...(first.discarded ?? []), ...(second.discarded ?? [])])] }),
    ...(first.linksOut === undefined && second.linksOut === undefined
      ? {}
      : { linksOut: [...new Map([...(first.linksOut ?? []), ...(second.linksOut ?? [])].map((each) => [each.path, each])).values()] }),
    unsearched: [...new Set([...first.unsearched, ...second.unsearched])],
    truncated: first.truncated || second.truncated,
  }
}

function joinHeld(first: ChangeSummary['held'], second: ChangeSummary['held']): NonNullable<ChangeSummary['held']> {
  return {
    updated: [...new Set([...(first?.updated ?? []), ...(second?.updated ?? [])])],
    left: [...new Set([...(first?.left ?? []), ...(second?.left ?? [])])],
    untracked: [...new Set([...(first?.untracked ?? []), ...(second?.untracked ?? [])])],
    uncommitted: [...(first?.uncommitted ?? []), ...(second?.uncommitted ?? [])],
    hidden: [...new Set([...(first?.hidden ?? []), ...(second?.hidden ?? [])])],
  }
}

/** Returns the changes of git from the start of the first cell to the end of the second. */
function joinGit(first: readonly GitChanges[], second: readonly GitChanges[]): readonly GitChanges[] {
  const all = new Map(first.map((each) => [each.workTree, each]))
  for (const each of second) {
    const earlier = all.get(each.workTree)
    all.set(each.workTree, earlier === undefined ? each : joined(earlier, each))
  }
  return [...all.values()]
}

function joined(first: GitChanges, second: GitChanges): GitChanges {
  return {
    ...second,
    branchBefore: first.branchBefore,
    headBefore: first.headBefore,
    commits: [...second.commits, ...first.commits],
    commitCount: sumOf(first.commitCount, second.commitCount, (a, b) => a + b),
    stashes: first.stashes + second.stashes,
  }
}

function sumOf<Value>(first: Value | null, second: Value | null, sum: (first: Value, second: Value) => Value): Value | null {
  return first === null ? second : second === null ? first : sum(first, second)
}
