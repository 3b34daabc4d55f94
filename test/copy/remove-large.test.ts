import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { leftCopies, removeCopy } from '../../src/copy/all-copies.ts'
import { newPlace } from '../../src/copy/copy-record.ts'
import { processesWith } from '../../src/system/process-tree.ts'
import { until } from '../support/processes.ts'

describe('8: a copy', () => {
  let copies: string
  beforeEach(() => {
    copies = mkdtempSync('/tmp/paddock-copies-')
  })
  afterEach(() => rmSync(copies, { recursive: true, force: true }))

  const filled = (manifestBytes: number, files: number) => {
    const place = newPlace(copies)
    mkdirSync(place.tree)
    for (let each = 0; each < files; each++) writeFileSync(path.join(place.tree, `${each}`), 'x')
    writeFileSync(place.base, ' '.repeat(manifestBytes))
    return place
  }

  it('of many files is gone at once, and deleted in the background', async () => {
    const place = filled(2_000_000, 200)
    await removeCopy(place)
    expect(existsSync(place.directory)).toBe(false)
    await until(() => readdirSync(copies).length === 0)
  })

  it('that a program is deleting is not taken for what a killed Paddock has left', async () => {
    const going = path.join(copies, 'abcdef01.going')
    mkdirSync(going)
    const deleting = spawn('sh', ['-c', 'read _', going], { stdio: ['pipe', 'ignore', 'ignore'] })
    const ended = new Promise((resolve) => deleting.once('exit', resolve))
    await until(() => processesWith('cmdline', going).length > 0)
    expect(await leftCopies(copies)).toEqual([])
    deleting.stdin.end()
    await ended
    expect(await leftCopies(copies)).toEqual([going])
  })

  it('of few files is deleted when the command ends', async () => {
    await removeCopy(filled(10, 5))
    expect(readdirSync(copies)).toEqual([])
  })
})
