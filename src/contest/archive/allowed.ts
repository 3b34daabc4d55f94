/** A round, a judging, an attempt. */
const number = '[1-9]\\d{0,8}'
/** A participant, judge or reviewer; a task. */
const name = '[a-z0-9][a-z0-9-]{0,62}'

/** What an archive holds, by path below the contest. Whatever is not named here is private: work directories, raw/, answers of checks, anything unknown. */
const results = [
  '(contest\\.yaml|BRIEF\\.md|JUDGE_BRIEF\\.md|status\\.json|events\\.jsonl)',
  `rounds/${number}/round\\.json`,
  `rounds/${number}/sealed/${name}/(out\\.tar|seal\\.json|checks\\.json)`,
  `judging/${number}/identity\\.json`,
  `judging/${number}/${name}/tasks/${name}/(scores\\.json|verdict\\.json|review\\.md|judge\\.json)`,
  `judging/you/${number}/tasks/${name}/verdict\\.json`,
  `consultations/${number}/(consultation\\.json|${name}/REVIEWS\\.md)`,
  'report/(leaderboard\\.md|summary\\.json|report\\.html)',
]
const log = '(cell\\.json|agent\\.jsonl|stdout\\.log|stderr\\.log)'
const logs = [
  `rounds/${number}/${name}/attempts/${number}/${log}`,
  `judging/${number}/${name}/tasks/${name}/attempts/${number}/${log}`,
  `consultations/${number}/${name}/reviewers/${name}/${log}`,
]

/** Directories below which nothing of an archive is. */
const never = new RegExp(`^(rounds/${number}/${name}/attempts/${number}/out|rounds/${number}/sealed/${name}/out|raw)$`)

/**
 * Returns whether a file is archived. Whose submission has which label is in `mapping.json`; of a judging that is not complete (`complete` has
 * the directories of those that are) nobody may read it.
 */
export function isArchived(path: string, withLogs: boolean, complete: readonly string[]): boolean {
  const mapping = /^(judging\/.+)\/mapping\.json$/.exec(path)
  if (mapping !== null) return complete.includes(mapping[1] ?? '')
  return [...results, ...(withLogs ? logs : [])].some((each) => new RegExp(`^${each}$`).test(path))
}

/** Returns whether a directory need not be looked into. */
export function isClosed(path: string): boolean {
  return never.test(path)
}
