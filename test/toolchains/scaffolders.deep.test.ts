import { mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { everyone, inCell, makeStage } from '../support/cli.ts'
import { expectTheSame, skipIfUnavailable } from './table/compare.ts'
import { scaffolders } from './table/scaffolders.ts'

/** The scaffolders that need no npm package. The lab runs all of them. */
const short = scaffolders.filter(({ name }) => /^(?:npm init|cargo:|Django:|git:)/.test(name))

describe.each(everyone)('as %s, in a project without files', (who) => {
  for (const row of short)
    test(`${row.name}: the same in a cell as outside`, async ({ skip }) => {
      skipIfUnavailable(row, skip)
      await expectTheSame(who, row, '')
    })

  test('a cell finds no inert entry of installed tools, and settings that it makes are quarantined at the end if they could run something', async () => {
    using stage = makeStage(who)
    for (const each of ['.vscode', '.cursor', '.claude']) mkdirSync(path.join(stage.home, each))
    stage.own()
    const ran = await inCell(
      stage,
      "ls -A; mkdir .vscode .idea .github; echo '{}' > .vscode/extensions.json; echo > .idea/a.xml; echo > .github/a.yml; ls -A",
    )
    expect(ran).toMatchObject({ code: 0, stdout: '.github\n.idea\n.vscode\n' })
    expect(readdirSync(stage.project, { recursive: true }).sort()).toEqual([
      '.github',
      '.github/a.yml',
      '.idea.quarantined',
      '.idea.quarantined/a.xml',
      '.vscode',
      '.vscode/extensions.json',
    ])
  })
})
