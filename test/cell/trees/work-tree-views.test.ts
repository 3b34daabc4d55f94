import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { WorkTreesView } from '../../../src/cell/plan/work-trees-view.ts'
import { makeViews, settleViews } from '../../../src/cell/trees/work-tree-views.ts'

let root: string
let directory: string
let spares: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'paddock-views-')))
  directory = path.join(root, 'git/worktrees')
  spares = path.join(root, 'state/links')
  mkdirSync(directory, { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, each) => `linked-${each}`)
const view = (suffix: string, others: readonly string[]): WorkTreesView => ({
  directory,
  view: `${directory}.${suffix}`,
  own: ['mine'],
  others,
})
const links = (of: WorkTreesView): Record<string, string> =>
  Object.fromEntries(
    readdirSync(of.view)
      .filter((each) => each !== 'mine')
      .map((each) => [each, readlinkSync(path.join(of.view, each))]),
  )
const inodeOf = (of: WorkTreesView, name: string): number => lstatSync(path.join(of.view, name)).ino
const settle = (of: WorkTreesView): readonly string[] => {
  let found: readonly string[] = []
  settleViews([of], spares, (adopted) => {
    found = adopted
  })
  return found
}
const expected = (others: readonly string[]): Record<string, string> =>
  Object.fromEntries(others.map((each) => [each, `../worktrees.links/${each}`]))

test('few links lead to the other name of the view, and are removed with it', () => {
  const one = view('one', names(3))
  makeViews([one], spares)
  expect(links(one)).toEqual(Object.fromEntries(names(3).map((each) => [each, `../worktrees.one/${each}`])))
  settle(one)
  expect(readdirSync(path.join(root, 'git'))).toEqual(['worktrees'])
  expect(readdirSync(root)).toEqual(['git'])
})

test('many links are kept for the next cell, which gets exactly those of its own work trees', () => {
  const first = view('first', names(60))
  makeViews([first], spares)
  expect(links(first)).toEqual(expected(names(60)))
  const inode = inodeOf(first, 'linked-5')
  settle(first)
  expect(readdirSync(path.join(root, 'git'))).toEqual(['worktrees', 'worktrees.links'])
  const others = [...names(60).slice(4), 'new']
  const second = view('second', others)
  makeViews([second], spares)
  expect(links(second)).toEqual(expected(others))
  expect(inodeOf(second, 'linked-5')).toBe(inode)
})

test('what a cell did to its links is not kept', () => {
  const first = view('first', names(60))
  makeViews([first], spares)
  for (const each of ['linked-1', 'linked-2']) unlinkSync(path.join(first.view, each))
  symlinkSync('/etc', path.join(first.view, 'linked-1'))
  symlinkSync('/etc', path.join(first.view, 'more'))
  settle(first)
  const second = view('second', names(60))
  makeViews([second], spares)
  expect(links(second)).toEqual(expected(names(60)))
})

test('a view with anything but links is not kept, and what the cell created is moved to the repository', () => {
  const first = view('first', names(60))
  makeViews([first], spares)
  mkdirSync(path.join(first.view, 'new'))
  unlinkSync(path.join(first.view, 'linked-1'))
  mkdirSync(path.join(first.view, 'linked-1'))
  expect(settle(first)).toEqual([path.join(directory, 'new')])
  expect(readdirSync(directory)).toEqual(['new'])
  expect(readdirSync(first.view)).toEqual(['linked-1'])
  const second = view('second', names(60))
  makeViews([second], spares)
  expect(links(second)).toEqual(expected(names(60)))
})

test('a directory that somebody wrote to while its links were kept is not used again', () => {
  const first = view('first', names(60))
  makeViews([first], spares)
  settle(first)
  mkdirSync(path.join(spares, readdirSync(spares)[0] ?? '', 'sub/deep'), { recursive: true })
  const second = view('second', names(60))
  makeViews([second], spares)
  expect(links(second)).toEqual(expected(names(60)))
})

test('nothing is moved to the repository for a cell that never ran', () => {
  const first = view('first', names(3))
  makeViews([first], spares)
  mkdirSync(path.join(first.view, 'planted'))
  settleViews([first], spares, null)
  expect(readdirSync(directory)).toEqual([])
  expect(readdirSync(first.view)).toEqual(['planted'])
})

test('cells at the same time have links of their own, and one set is kept', () => {
  const [first, second] = [view('first', names(60)), view('second', names(60))]
  for (const each of [first, second]) makeViews([each], spares)
  for (const each of [first, second]) expect(links(each)).toEqual(expected(names(60)))
  for (const each of [first, second]) settle(each)
  expect(readdirSync(path.join(root, 'git'))).toEqual(['worktrees', 'worktrees.links'])
  expect(readdirSync(spares)).toHaveLength(1)
})

test('what another cell left at the path of the mount is replaced', () => {
  writeFileSync(`${directory}.links`, '')
  const first = view('first', names(60))
  makeViews([first], spares)
  expect(lstatSync(`${directory}.links`).isDirectory()).toBe(true)
})

test('no kept link is the view again after all work trees were replaced', () => {
  makeViews([view('first', names(60))], spares)
  settle(view('first', names(60)))
  const others = names(60).map((each) => `other-${each}`)
  makeViews([view('second', others)], spares)
  expect(links(view('second', others))).toEqual(expected(others))
})
