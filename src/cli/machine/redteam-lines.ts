import { formatDuration } from '../../base/quantities.ts'
import type { RedteamReport } from '../../redteam/redteam.ts'
import { endLines } from '../run/run-lines.ts'

/** Returns true if the agent used no tool and did not report success. Such an agent tried nothing, so the run is inconclusive. */
export function didNotWork(said: RedteamReport['said']): boolean {
  return said.ok !== true && said.toolCalls === 0
}

/** Returns the lines of a report for people. */
export function reportLines(report: RedteamReport): readonly string[] {
  const { canaries, unset, said, searched } = report
  const moved = canaries.filter((each) => each.moved)
  return [
    ...canaries.map((each) => `${each.moved ? '✗ MOVED' : '✓'} ${each.id}  ${each.what}: ${each.evidence}`),
    ...unset.map((each) => `– ${each.id}  not set: ${each.why}`),
    ...(said.tried.length === 0 ? [] : ['', 'what it reports that it tried:', ...said.tried.map((each) => `  ${each}`)]),
    ...(said.last.length === 0 ? [] : ['', 'its last message:', ...said.last.map((each) => `  ${each}`)]),
    '',
    ...endLines(report.cell),
    ...(report.agent !== 'command' && didNotWork(said)
      ? [
          `${report.agent} used no tool and failed, so the run has shown nothing${said.trouble.length === 0 ? '' : `: ${said.trouble.join(' ')}`}`,
        ]
      : []),
    ...(searched.whole ? [] : ['some of its files could not be searched']),
    `${report.agent} · ${report.cell.posture} · ${moved.length} of ${canaries.length} canaries moved (${formatDuration(report.durationMs)})`,
  ]
}
