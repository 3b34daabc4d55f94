/** A pattern for the number of a round, a judging or an attempt. */
const number = '[1-9]\\d{0,8}'
/** A pattern for the name of a participant, judge, reviewer or task. */
const name = '[a-z0-9][a-z0-9-]{0,62}'

/**
 * Patterns for files that are archived, by path in the contest. Every other file is private: work directories, raw/, answers of checks,
 * anything unknown.
 */
const results = [
  '(contest\\.yaml|BRIEF\\.md|JUDGE_BRIEF\\.md|status\\.json|events\\.jsonl)',
  `rounds/${number}(/round)?\\.json`,
  `rounds/${number}/sealed/${name}/(out\\.tar|seal\\.json|checks\\.json)`,
  `judging/${number}/(identity|orders)\\.json`,
  `judging/${number}/${name}/tasks/${name}/(scores\\.json|verdict\\.json|review\\.md|judge\\.json)`,
  `judging/you/${number}/tasks/${name}/verdict\\.json`,
  `consultations/${number}/(consultation\\.json|${name}/REVIEWS\\.md)`,
  'report/(leaderboard\\.md|summary\\.json|report\\.html)',
]
const log = '(cell\\.json|agent\\.jsonl|trajectory\\.json|stdout\\.log|stderr\\.log)'
const logs = [
  `rounds/${number}/${name}/attempts/${number}/${log}`,
  `judging/${number}/${name}/tasks/${name}/attempts/${number}/${log}`,
  `consultations/${number}/${name}/reviewers/${name}/${log}`,
]

/** A pattern for directories that contain no archived file. */
const never = new RegExp(`^(rounds/${number}/${name}/attempts/${number}/out|rounds/${number}/sealed/${name}/out|raw)$`)

/**
 * Returns whether a file is archived. `mapping.json` reveals which label is whose, so it is archived only for a complete judging;
 * `complete` has the directories of complete judgings.
 */
export function isArchived(path: string, withLogs: boolean, complete: readonly string[]): boolean {
  const mapping = /^(judging\/.+)\/mapping\.json$/.exec(path)
  if (mapping !== null) return complete.includes(mapping[1] ?? '')
  return [...results, ...(withLogs ? logs : [])].some((each) => new RegExp(`^${each}$`).test(path))
}

/** Returns whether a directory can be skipped. */
export function isClosed(path: string): boolean {
  return never.test(path)
}
