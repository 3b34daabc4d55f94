import { mkdirSync, mkdtempSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { CellReport } from '../../src/cell/report.ts'
import { removeTree } from '../../src/files/remove-tree.ts'
import { pathsBelow, plainSpec, realCells } from '../support/real-cell.ts'

async function inCell(script: string): Promise<CellReport> {
  const root = mkdtempSync('/tmp/paddock-disk-')
  for (const each of ['home', 'project']) mkdirSync(path.join(root, each))
  const limits = { disk: 16 * 1024 ** 2, timeout: 220_000 }
  const cell = await realCells(pathsBelow(root))(plainSpec(path.join(root, 'project'), ['sh', '-c', script], { limits }), { stdin: 'none' })
  cell.stdout.resume()
  cell.stderr.resume()
  return cell.done.finally(() => removeTree(root))
}

const fill = 'for f in 1 2 3; do head -c 10485760 /dev/zero > $f; done; sleep 200'

test.concurrent.each([
  ['whose name is not UTF-8', `d=$(printf 'out-\\377'); mkdir "$d"; cd "$d"; ${fill}`],
  ['as deep as no walk goes at once', `i=0; while [ $i -lt 450 ]; do mkdir d; cd d; i=$((i+1)); done; ${fill}`],
])('data written into a directory %s counts', async (_, script) => {
  expect((await inCell(script)).ending).toEqual({ kind: 'out-of-disk' })
})

test.concurrent('a deep directory with little in it ends no cell', async () => {
  const script = 'i=0; while [ $i -lt 450 ]; do mkdir d; cd d; i=$((i+1)); done; echo x > f; sleep 5'
  expect((await inCell(script)).ending).toEqual({ kind: 'exited', code: 0 })
})

/** Creates entries with little or no content, whose blocks exceed the limit. */
const make = (entry: string): string => `perl -e 'for (1 .. 6000) { ${entry} or die $! }'; sleep 200`

test.concurrent.each([
  ['files', make('open(my $f, ">", "f$_")')],
  ['directories', make('mkdir "d$_"')],
  ['links', make('symlink "x", "l$_"')],
  ['names of one file', make('$_ == 1 ? open(my $f, ">", "n1") : link("n1", "n$_")')],
])('B7: many empty entries count, each as a block: %s', async (_, script) => {
  expect((await inCell(script)).ending).toEqual({ kind: 'out-of-disk' })
})

test.concurrent('B7: few empty entries end no cell', async () => {
  expect((await inCell(`perl -e 'for (1 .. 2000) { open(my $f, ">", "f$_") or die $! }'; sleep 5`)).ending).toEqual({
    kind: 'exited',
    code: 0,
  })
})
