// Shared by all judges: the labels, a way to run a submission, and the answer file.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const root = '/contest/submissions'

export const labels = readdirSync(root).toSorted()

/**
 * Runs a submission's program. This is safe only because nobody here wants to cheat: a program that runs next to a judge can write the
 * judge's answer. Other contests leave that to checks. Resolves to its answer (null: not readable) and the seconds it took.
 */
export function run(label, input) {
  const start = performance.now()
  const { stdout, status } = spawnSync(`${root}/${label}/summarise`, { input, encoding: 'utf8', timeout: 20_000 })
  const seconds = (performance.now() - start) / 1000
  if (status !== 0) return { answer: null, seconds }
  try {
    return { answer: JSON.parse(stdout), seconds }
  } catch {
    return { answer: null, seconds }
  }
}

/** All files of a submission as text, by name. */
export function files(label) {
  const names = readdirSync(`${root}/${label}`, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
  return Object.fromEntries(names.map((each) => [each.name, readFileSync(`${each.parentPath}/${each.name}`, 'utf8')]))
}

/** Returns a score from 10 (as fast as needed) down to 0, by the power of ten. */
export function speedScore(seconds) {
  if (seconds < 0.3) return 10
  if (seconds < 1) return 8
  if (seconds < 3) return 5
  return seconds < 10 ? 3 : 0
}

export function answer(judgements, comment) {
  const scores = Object.fromEntries(labels.map((label) => [label, judgements[label].scores]))
  const reviews = Object.fromEntries(labels.map((label) => [label, judgements[label].review]))
  writeFileSync('/contest/outbox/scores.json', JSON.stringify({ scores, reviews, comment }, null, 2))
  writeFileSync('/contest/outbox/review.md', labels.map((label) => `## ${label}\n\n${judgements[label].review}\n`).join('\n'))
}
