import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { generator, mutate } from './mutate.ts'
import { type FuzzTarget, targets } from './targets.ts'

const corpus = path.join(import.meta.dirname, 'corpus')
/** The number of inputs for each target. For many more: `FUZZ=100000 npx vitest run test/fuzz`. */
const rounds = Number(process.env['FUZZ'] ?? (process.env['PADDOCK_TEST_TIER'] === 'deep' ? 30_000 : 1_000))

/** Returns inputs that once made a reader fail, here or elsewhere. They are kept forever. */
function kept(target: FuzzTarget): Buffer[] {
  const directory = path.join(corpus, target.name)
  return existsSync(directory) ? readdirSync(directory).map((each) => readFileSync(path.join(directory, each))) : []
}

describe.each(targets)('$name', (target) => {
  test('holds for honest inputs and for the corpus', () => {
    const inputs = [...target.seeds, ...kept(target)]
    expect(inputs.length).toBeGreaterThan(target.seeds.length)
    for (const each of inputs) target.run(each)
  })

  test('holds for changed ones', () => {
    const seed = Math.floor(Math.random() * 2 ** 32)
    const random = generator(seed)
    const inputs = [...target.seeds, ...kept(target)]
    for (let round = 0; round < rounds; round++) {
      const input = mutate(inputs, random)
      try {
        target.run(input)
      } catch (cause) {
        const file = path.join(corpus, target.name, `${createHash('sha256').update(input).digest('hex').slice(0, 12)}.bin`)
        mkdirSync(path.dirname(file), { recursive: true })
        writeFileSync(file, input)
        throw new Error(
          `seed ${seed}: ${path.relative(process.cwd(), file)} holds an input that breaks it: ${JSON.stringify(input.toString('latin1'))}`,
          { cause },
        )
      }
    }
  })
})
