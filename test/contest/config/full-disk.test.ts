import { execFileSync } from 'node:child_process'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { newContest } from '../../../src/contest/config/new-contest.ts'
import { openJsonLines } from '../../../src/files/append.ts'
import { isRoot } from '../../support/cli.ts'
import { temporary } from '../../support/temporary.ts'

/** Creates a disk of 16 KiB with this much free space. */
async function smallDisk(roomKiB: number) {
  const place = await temporary()
  const disk = place.at('disk')
  await mkdir(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'none', disk])
  await writeFile(path.join(disk, 'filler'), Buffer.alloc((16 - roomKiB) * 1024))
  return {
    disk,
    async [Symbol.asyncDispose]() {
      execFileSync('sh', ['-c', `umount ${disk}`])
      await place[Symbol.asyncDispose]()
    },
  }
}

test.for([0, 4, 8])('6: contest new on a disk with %i KiB left can be done again when there is room', async (room, { skip }) => {
  skip(!isRoot, 'needs root: it mounts a small file system')
  await using place = await smallDisk(room)
  const contest = path.join(place.disk, 'contest')
  await expect(newContest(contest)).rejects.toMatchObject({ code: 'ENOSPC', path: expect.stringMatching(/\/contest\/\w+\.(md|yaml)$/) })
  expect(await readdir(contest)).toHaveLength(1 + room / 4)
  await rm(path.join(place.disk, 'filler'))
  await newContest(contest)
  expect(await readdir(contest)).toEqual(['BRIEF.md', 'JUDGE_BRIEF.md', 'contest.yaml', 'raw'])
})

test('6: an event that does not fit on the disk names its file', async ({ skip }) => {
  skip(!isRoot, 'needs root: it mounts a small file system')
  await using place = await smallDisk(0)
  const file = path.join(place.disk, 'events.jsonl')
  await using events = await openJsonLines(file)
  await expect(events.append({ text: 'x' })).rejects.toMatchObject({ code: 'ENOSPC', path: file })
})
