import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { everyone, makeStage, paddock } from '../../support/cli.ts'

/** Records, when the process exits, which files and which builtin modules of Node it has loaded. */
const watcher = `
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
const files = []
registerHooks({ load(url, context, next) { files.push(url); return next(url, context) } })
process.once('exit', () => appendFileSync(process.env.LOADED, JSON.stringify({ files, own: process.moduleLoadList }) + '\\n'))
`

test('a run of a bare command loads nothing that it does not need', async () => {
  using stage = makeStage(everyone[0] ?? 'user')
  const [script, list] = [path.join(stage.root, 'watcher.mjs'), path.join(stage.root, 'loaded')]
  writeFileSync(script, watcher)
  const env = { NODE_OPTIONS: `--import=${pathToFileURL(script).href}`, LOADED: list }
  const { code, stderr } = await paddock(stage, ['run', '--quiet', '--egress', 'off', '--', 'true'], { env })
  expect([code, stderr]).toEqual([0, ''])
  const loaded = JSON.parse(readFileSync(list, 'utf8')) as { files: string[]; own: string[] }
  const texts = loaded.files.filter((each) => each.startsWith('file:')).map((each) => readFileSync(new URL(each), 'utf8'))
  expect(texts.some((each) => each.includes('bubblewrap'))).toBe(true)
  const heavy = ['ZodError', 'parseDocument', 'age-encryption.org', 'gen_ai.', 'in-toto.io']
  expect(heavy.filter((word) => texts.some((each) => each.includes(word)))).toEqual([])
  expect(loaded.own.filter((each) => ['NativeModule tls', 'NativeModule http2'].includes(each))).toEqual([])
})
