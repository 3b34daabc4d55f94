import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { GitWrites } from '../../../src/cell/run/git-writes.ts'
import { temporary } from '../../support/temporary.ts'

test('a git that wrote the index while another one was looked at is not taken for the state that the one before it left', async () => {
  await using directory = await temporary()
  const git = directory.at('.git')
  mkdirSync(git)
  writeFileSync(directory.at('.envrc'), 'base\n')
  const write = (act: () => void = () => undefined): void => {
    writeFileSync(`${git}/index.lock`, '')
    act()
    renameSync(`${git}/index.lock`, `${git}/index`)
  }
  const told: { readonly written: readonly string[]; isKept?: boolean }[] = []
  const writes = new GitWrites(git, directory.path, ['.envrc'], (written) => {
    const one: (typeof told)[number] = { written }
    told.push(one)
    // While this process looks, git on the host writes the file, and then git in the cell the index.
    if (told.length === 1) {
      write(() => {
        rmSync(directory.at('.envrc'))
        writeFileSync(directory.at('.envrc'), 'feat\n')
      })
      write()
    }
    return (isKept) => {
      one.isKept = isKept
    }
  })
  try {
    write()
    await expect.poll(() => told.at(1)?.isKept).toBeDefined()
    await writes.reported()
    expect(told[1]).toEqual({ written: ['.envrc'], isKept: false })
  } finally {
    writes.close()
  }
})
