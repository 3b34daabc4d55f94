import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { isLab } from '../support/cli.ts'
import { type ConsoleBlock, consoleBlocks } from './console-block.ts'
import { commandsOf } from './console-command.ts'
import { type Prepared, setups } from './example-setups.ts'
import { type ExampleStage, makeExampleStage } from './example-stage.ts'
import { printsAsPromised } from './promised-output.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const pages = ['README.md', ...globSync('docs/guide/*.md', { cwd: root }).sort()]
/** Pages whose suites take long; the lab runs their examples. */
const long = ['docs/guide/compare.md', 'docs/guide/suites.md']
const found = pages.map((page) => ({ page, ...consoleBlocks(readFileSync(path.join(root, page), 'utf8')) }))
const runs = (block: ConsoleBlock): boolean => block.notRun === null && block.runBy === null
const onPath = (program: string): boolean =>
  globSync(['/usr/local/bin', '/usr/bin', '/bin'].map((directory) => `${directory}/${program}`)).length > 0
/** System programs that examples use and a machine may lack. */
const borrowed = ['curl', 'npm', 'make']

it('10: some blocks run, and those that do not say why', () => {
  expect(found.flatMap(({ page, problems }) => problems.map((each) => `${page}, ${each}`))).toEqual([])
  const names = found.flatMap(({ page, blocks }) => blocks.flatMap((block) => block.setups.map((name) => [page, name] as const)))
  expect(names.filter(([, name]) => setups[name] === undefined)).toEqual([])
  const all = found.flatMap((each) => each.blocks)
  for (const { page, blocks } of found)
    for (const { runBy } of blocks) if (runBy !== null) expect(readFileSync(path.join(root, runBy), 'utf8')).toContain(page)
  expect(all.filter((each) => each.notRun === null).length).toBeGreaterThanOrEqual(all.length / 2)
})

for (const { page, blocks } of found.filter((each) => each.blocks.some(runs) && (isLab || !long.includes(each.page))))
  describe(`10: ${page}`, () => {
    const text = readFileSync(path.join(root, page), 'utf8')
    let on: ExampleStage | undefined
    afterAll(() => on?.[Symbol.dispose]())

    for (const block of blocks.filter(runs))
      it(title(block), async ({ skip }) => {
        if (block.fresh) on?.[Symbol.dispose]()
        if (block.fresh || on === undefined) on = await makeExampleStage()
        const stage = on
        const missing = borrowed.filter((program) => !onPath(program) && block.lines.some((line) => line.includes(program)))
        skip(missing.length > 0, `not installed: ${missing.join(', ')}`)
        const prepared: Prepared[] = []
        try {
          for (const name of block.setups) prepared.push((await setups[name]?.(stage, text)) ?? {})
          const reason = prepared.find((each) => each.skip !== undefined)?.skip
          skip(reason !== undefined, reason)
          const commands = commandsOf(block)
          expect(commands).not.toEqual([])
          const ran = await stage.run(commands, Object.assign({}, ...prepared))
          for (const [index, { text: command, code, printed }] of ran.entries()) {
            const promised = commands[index]?.promised ?? []
            if (promised.length === 0) expect({ command, code, printed }).toEqual({ command, code: 0, printed })
            else if (!printsAsPromised(promised, printed)) expect({ command, printed }).toEqual({ command, printed: promised })
          }
        } finally {
          for (const each of prepared) each.close?.()
        }
      })
  })

/** Returns the first command of a block on one line. */
function title(block: ConsoleBlock): string {
  return (commandsOf(block)[0]?.text ?? `line ${block.line}`).replace(/\s+/g, ' ').slice(0, 80)
}
