import { expect, test } from 'vitest'
import { everyone, paddock } from '../../support/cli.ts'
import { makeShimStage, runByName } from '../../support/shim-stage.ts'

test.each(everyone)(
  '50 programs start the same shim at once, and each gets its own cell and answer, as %s',
  { timeout: 300_000 },
  async (who) => {
    using stage = await makeShimStage(who, 'read -r line; echo "$1 $line"; exit "$1"')
    const ran = await Promise.all(
      Array.from({ length: 50 }, (_, index) => runByName(stage, 'claude', [String(index)], { input: `line ${index}\n` })),
    )
    expect(ran).toEqual(ran.map((_, index) => ({ code: index, signal: null, stdout: `${index} line ${index}\n`, stderr: '' })))
    const { stdout } = await paddock(stage, ['audit', 'tail', '-n', '1000', '--json'])
    const lines = stdout.trim().split('\n')
    const cells = lines.map((each) => JSON.parse(each)).filter(({ kind }) => kind === 'cell.launch')
    expect(cells.length).toBe(50)
    expect(new Set(cells.map(({ cell }) => cell)).size).toBe(50)
  },
)
