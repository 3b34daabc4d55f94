import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { lab, scanned } from '../lab.ts'

const large = 2.5 * 1024 ** 3

/** Entries that an agent may create in place of a file that git reads. */
const kinds: readonly (readonly [string, (file: string) => void])[] = [
  ['a FIFO', (file) => void execFileSync('mkfifo', [file])],
  [
    'a sparse giant',
    (file) => {
      writeFileSync(file, '')
      truncateSync(file, large)
    },
  ],
  ['a link to a device', (file) => symlinkSync('/dev/zero', file)],
]

function repository(project: string): void {
  execFileSync('git', ['-C', project, 'init', '-q'])
  mkdirSync(path.join(project, 'sub'))
  writeFileSync(path.join(project, '.gitignore'), '*.log\n')
  writeFileSync(path.join(project, 'sub/.gitignore'), 'here\n')
}

describe.each(kinds)('%s in the place of an ignore file', (_, plant) => {
  it('in a copy is not read, and that is reported; the other rules count', async () => {
    await using place = await lab()
    repository(place.project)
    const copy = await place.copy()
    const { tree } = copy.place
    for (const each of ['new', 'x.log', 'sub/here', 'sub/x.log']) writeFileSync(path.join(tree, each), 'x')
    rmSync(path.join(tree, 'sub/.gitignore'))
    plant(path.join(tree, 'sub/.gitignore'))
    const { scan } = await scanned(copy)
    const names = scan.changes.map((each) => each.path).filter((each) => !each.endsWith('.gitignore'))
    expect(names).toEqual(['new', 'sub/here'])
    expect(scan.ignoredCount).toBe(2)
    expect(scan.notes.join()).toContain('sub/.gitignore')
  })

  it.each(['.gitignore', 'sub/.gitignore', '.git/info/exclude'])(
    'in a project (%s) is refused or left out before git is asked',
    async (file) => {
      await using place = await lab()
      repository(place.project)
      rmSync(path.join(place.project, file))
      plant(path.join(place.project, file))
      const made = await place.copy().catch((error: Error) => error)
      if (file.startsWith('.git/')) expect(made).not.toBeInstanceOf(Error)
      else expect(made).toMatchObject({ code: 'NOT_ALLOWED', message: expect.stringContaining(file) as string })
    },
  )
})
