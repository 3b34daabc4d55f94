import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import { sealSubmission } from '../src/contest/seal/seal.ts'
import { type Figure, inTurn, median, time } from './measure.ts'

/** Measures sealing many small files, compared to `cp -r` and sync of the same tree, and one large file. */
export async function sealing(directory: string): Promise<Figure[]> {
  const many = path.join(directory, 'many')
  mkdirSync(many)
  for (let n = 0; n < 10_000; n++) {
    if (n % 100 === 0) mkdirSync(path.join(many, `d${n / 100}`))
    writeFileSync(path.join(many, `d${Math.floor(n / 100)}`, `f${n}`), Buffer.alloc(4096, n % 251))
  }
  let round = 0
  const seal = (source: string): Promise<unknown> => {
    const target = path.join(directory, `sealed-${round++}`)
    return sealSubmission(
      source,
      { directory: target, archive: path.join(target, 'out.tar'), seal: path.join(target, 'seal.json') },
      { maxFiles: 20_000, maxBytes: 4 * 1024 ** 3 },
      { attempt: 1, now: new Date(), scratch: path.join(directory, 'scratch') },
    )
  }
  const copy = async (): Promise<void> => {
    const target = path.join(directory, `copied-${round++}`)
    spawnSync('sh', ['-c', 'cp -r "$1" "$2" && sync -f "$2"', 'sh', many, target])
  }
  const found = await inTurn(5, { sealed: () => time(() => seal(many)), copied: () => time(copy) })
  const [sealed, copied] = [median(found.sealed), median(found.copied)]

  const large = path.join(directory, 'large')
  mkdirSync(large)
  const file = openSync(path.join(large, 'file'), 'w')
  for (let n = 0; n < 1024; n++) writeSync(file, Buffer.alloc(1024 ** 2, n % 251))
  closeSync(file)
  const before = process.memoryUsage.rss()
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 5)
  await seal(large)
  clearInterval(watch)
  rmSync(directory, { recursive: true, force: true })
  const grown = (most - before) / 1024 ** 2
  return [
    {
      name: 'sealing 10,000 files of 4 KB',
      value: `${sealed.toFixed(0)} ms, cp -r and sync ${copied.toFixed(0)} ms: ${(sealed / copied).toFixed(2)}`,
      bar: 'under 3,000 ms',
      met: sealed < 3000,
    },
    {
      name: 'memory that sealing a file of 1 GB takes',
      value: `${grown.toFixed(0)} MB more at most`,
      bar: 'constant (under 64 MB)',
      met: grown < 64,
    },
  ]
}
