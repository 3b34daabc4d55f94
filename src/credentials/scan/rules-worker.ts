/**
 * The program of the thread that runs the rules. It receives a text and returns the findings as ranges in it. The rules have their own
 * thread, so that a text that keeps a pattern busy forever blocks a thread and not the process. The messages of the rules contain the
 * secret, so they never leave the thread.
 */
import { parentPort } from 'node:worker_threads'
import { lintSource } from '@secretlint/core'
import { secretLintProfiler } from '@secretlint/profiler'
import { creator } from '@secretlint/secretlint-rule-preset-recommend'
import { ownHits, type RuleHit } from './own-rules.ts'

const config = { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator, options: {} }] }
const mostHits = 200
// Otherwise the profiler would record and keep every step of every text.
secretLintProfiler.setEnabled(false)

async function hitsIn(path: string, text: string): Promise<readonly RuleHit[]> {
  const own = ownHits(path, text)
  const name = path.slice(path.lastIndexOf('/') + 1)
  const source = {
    content: text,
    filePath: `/${name}`,
    ext: name.includes('.') ? name.slice(name.lastIndexOf('.')) : '',
    contentType: 'text' as const,
  }
  const { messages } = await lintSource({ source, options: { config, noPhysicFilePath: true } })
  const ready = messages.slice(0, mostHits).map((each) => {
    const rule = each.ruleId.replace(/^@secretlint\/secretlint-rule-/, '')
    return { rule, what: words(each.messageId), ...placeOf(each.message, each.range, text) }
  })
  const all = [...ready]
  for (const each of own) if (!ready.some((one) => one.start < each.end && each.start < one.end)) all.push(each)
  return all.sort((a, b) => a.start - b.start)
}

/**
 * Returns the range of the secret at the end of a message. The range of some rules (aws) starts at the name of the variable but is only
 * as long as the value, so most of the value is after its end.
 */
function placeOf(message: string, [start, end]: readonly [number, number], text: string): { readonly start: number; readonly end: number } {
  const secret = message.slice(message.indexOf(': ') + 2)
  const at = secret === '' ? -1 : text.indexOf(secret, start)
  return at >= start && at < end ? { start: at, end: at + secret.length } : { start, end }
}

/** Splits the rules' identifier for a kind of secret, such as `GITHUB_TOKEN` or `PrivateKeyJSON`, into words. */
function words(id: string): string {
  return id
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
}

parentPort?.postMessage('ready')
parentPort?.on('message', ({ path, text }: { path: string; text: string }) => {
  hitsIn(path, text).then(
    (hits) => parentPort?.postMessage({ hits }),
    () => parentPort?.postMessage({ hits: null }),
  )
})
