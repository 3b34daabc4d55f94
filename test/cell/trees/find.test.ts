import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { foundBy } from '../../../src/cell/trees/shared/run-find.ts'
import { temporary } from '../../support/temporary.ts'

test('a search that finds too much is ended, and its output does not grow on', async () => {
  await using directory = await temporary()
  const endless = directory.at('find')
  writeFileSync(endless, '#!/bin/sh\nwhile head -c 65536 /dev/zero; do :; done\n', { mode: 0o755 })
  expect(await foundBy(endless, [directory.path], [], 1024 ** 2)).toBeNull()
})
