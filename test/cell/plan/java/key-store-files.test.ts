import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { javaKeyStore } from '../../../../src/cell/plan/java/key-store.ts'
import { keyStoreFiles } from '../../../../src/cell/plan/java/key-store-files.ts'
import { temporary } from '../../../support/temporary.ts'

const stores: Readonly<Record<string, Buffer>> = {
  JKS: javaKeyStore([]),
  JCEKS: Buffer.from('cececece00000002', 'hex'),
  'PKCS #12': Buffer.from('3082000502010330820000', 'hex'),
  'a short PKCS #12': Buffer.from('30050201033000', 'hex'),
}

test('a Java that leads to another file than a key store changes nothing in a cell', async ({ skip }) => {
  skip(process.platform !== 'linux', 'cells have key stores only on Linux')
  await using directory = await temporary()
  const root = realpathSync(directory.path)
  const found = (java: string): readonly string[] =>
    keyStoreFiles({ env: { JAVA_HOME: java }, pathEntries: [] }, { env: {}, user: { home: root } } as never)
      .map((each) => each.path)
      .filter((each) => each.startsWith(`${root}/`))
  const place = (name: string): string => {
    mkdirSync(path.join(root, name, 'lib/security'), { recursive: true })
    return path.join(root, name, 'lib/security/cacerts')
  }
  for (const [name, bytes] of Object.entries(stores)) {
    writeFileSync(place(name), bytes)
    expect(found(path.join(root, name)), name).toEqual([place(name)])
  }
  for (const [name, bytes] of Object.entries({
    program: '\x7fELF\x02\x01\x01',
    script: '#!/bin/sh\n',
    certificate: '0\x82\x03',
    empty: '',
  })) {
    writeFileSync(path.join(root, `${name}.bin`), bytes, 'latin1')
    symlinkSync(path.join(root, `${name}.bin`), place(name))
    expect(found(path.join(root, name)), name).toEqual([])
  }
})
