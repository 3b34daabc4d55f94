import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { configStarts, makeConfigViews, takeConfigViews } from '../../../src/cell/trees/config-views.ts'

let root: string
let view: { config: string; directory: string; view: string }
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'paddock-views-')))
  const directory = path.join(root, 'git/paddock')
  mkdirSync(directory, { recursive: true })
  mkdirSync(path.join(root, 'elsewhere'))
  for (const each of [directory, path.join(root, 'elsewhere')]) writeFileSync(path.join(each, 'config'), `of ${path.basename(each)}`)
  view = { config: path.join(root, 'git/config'), directory, view: path.join(directory, 'one') }
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('a cell starts with the text of the config, and what it changed is returned when the view is removed', async () => {
  const starts = configStarts([view])
  makeConfigViews(starts)
  expect(readFileSync(path.join(view.view, 'config'), 'utf8')).toBe('of paddock')
  writeFileSync(path.join(view.view, 'config'), 'of the cell')
  expect(await takeConfigViews(starts)).toEqual([{ start: starts[0], text: 'of the cell' }])
  expect(readdirSync(view.directory)).toEqual(['config'])
  expect(await takeConfigViews(starts)).toEqual([{ start: starts[0], text: null }])
})

test('nothing is read or written through a link that another cell makes', async () => {
  const starts = configStarts([view])
  rmSync(view.directory, { recursive: true })
  symlinkSync('../elsewhere', view.directory)
  expect(() => configStarts([view])).toThrow('cannot be read')
  expect(() => makeConfigViews(starts)).toThrow()
  mkdirSync(path.join(root, 'elsewhere/one'))
  writeFileSync(path.join(root, 'elsewhere/one/config'), 'a secret')
  expect(await takeConfigViews(starts)).toEqual([{ start: starts[0], text: null }])
  expect(existsSync(path.join(root, 'elsewhere/one/config'))).toBe(true)
})
