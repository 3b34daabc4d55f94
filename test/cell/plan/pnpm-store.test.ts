import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pnpmSettings } from '../../../src/cell/plan/pnpm-store.ts'
import { freshDirectory } from '../../support/fresh-directory.ts'

const user = { name: 'ann', uid: 1000, gid: 1000, home: '/home/ann' }

/** Returns the stores in the settings of a cell for a project with these modules of pnpm. */
function storesFor(modules: string | null, path = '/nonexistent'): readonly string[] {
  const project = freshDirectory('/tmp/paddock-pnpm-')
  try {
    mkdirSync(`${project}/node_modules`)
    if (modules !== null) writeFileSync(`${project}/node_modules/.modules.yaml`, modules)
    return pnpmSettings({ project }, { user, env: { PATH: path } }).map((each) => each.content.replace(/^.*?[=:] ?/, '').trim())
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
}

test('without pnpm, a home has no settings of pnpm', () => {
  expect(storesFor(null)).toEqual([])
})

test.each([
  ['the usual store', '{\n  "storeDir": "/home/ann/.local/share/pnpm/store/v11",\n}', '~/.local/share/pnpm/store'],
  ['another one in the home', 'layoutVersion: 5\nstoreDir: /home/ann/.pnpm-store/v3\n', '~/.pnpm-store'],
  ['one that is elsewhere', 'storeDir: /data/store/v3\n', '~/.local/share/pnpm/store'],
  ['one with a way out of the home', 'storeDir: /home/ann/../bob/v3\n', '~/.local/share/pnpm/store'],
  ['one in lines of its own', '"storeDir": "/home/ann/a\\nb=c/v3"\n', '~/.local/share/pnpm/store'],
])('the store of a cell is at the path of %s', (_, modules, store) => {
  expect(storesFor(modules)).toEqual([store, `"${store}"`])
})
