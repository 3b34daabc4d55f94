import { linkSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isHarmless } from '../../../src/cell/trees/editor-settings/harmless.ts'
import { removeTree } from '../../../src/files/remove-tree.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync('/tmp/paddock-editor-settings-')
})
afterEach(() => removeTree(directory))

function put(name: string, content: unknown): void {
  const isText = typeof content === 'string' || content instanceof Uint8Array
  writeFileSync(path.join(directory, name), isText ? content : JSON.stringify(content))
}

async function isHarmlessWith(name: string, content: unknown): Promise<boolean> {
  put(name, content)
  return isHarmless(directory)
}

const task = { label: 'dev', type: 'npm', script: 'dev', isBackground: true, problemMatcher: { owner: 'x', background: {} } }

describe('settings that can run nothing', () => {
  test.each<[string, string, unknown]>([
    ['recommendations', 'extensions.json', { recommendations: ['Vue.volar', 'a-b.c-d'], unwantedRecommendations: [] }],
    ['a comment and a trailing comma', 'extensions.json', '{\n  // See https://example.com\n  "recommendations": ["Vue.volar",],\n}\n'],
    ['tasks', 'tasks.json', { version: '2.0.0', tasks: [task, { label: 'x', type: 'shell', command: 'make', windows: { command: 'x' } }] }],
    ['ways to debug', 'launch.json', { version: '0.2.0', configurations: [{ name: 'a', type: 'node-terminal', command: 'astro dev' }] }],
    ['how files are shown', 'settings.json', { 'explorer.fileNesting.enabled': true, 'explorer.fileNesting.patterns': { a: 'b, c' } }],
    ['languages of files', 'settings.json', { 'files.associations': { '*.css': 'tailwindcss' }, 'files.exclude': { dist: true } }],
    ['indentation', 'settings.json', { 'editor.tabSize': 2, 'editor.rulers': [80], 'editor.quickSuggestions': { strings: 'on' } }],
  ])('are kept: %s', async (_, name, content) => {
    expect(await isHarmlessWith(name, content)).toBe(true)
  })

  test('are kept together', async () => {
    put('extensions.json', { recommendations: ['a.b'] })
    put('settings.json', {})
    expect(await isHarmless(directory)).toBe(true)
    put('keybindings.json', [])
    expect(await isHarmless(directory)).toBe(false)
  })
})

describe('tasks that run without being asked', () => {
  const onOpen = { runOptions: { runOn: 'folderOpen' } }
  test.each<[string, unknown]>([
    ['in a task', { version: '2.0.0', tasks: [{ ...task, ...onOpen }] }],
    ['at the top', { version: '2.0.0', tasks: [task], ...onOpen }],
    ['for one system', { version: '2.0.0', tasks: [{ ...task, linux: onOpen }] }],
    ['deep in a value', { version: '2.0.0', tasks: [{ ...task, options: { x: [[{ runOn: 'folderOpen' }]] } }] }],
    ['by escapes', '{"version":"2.0.0","tasks":[{"label":"a","\\u0072unOptions":{"run\\u004fn":"folderOpen"}}]}'],
    ['in another case', { version: '2.0.0', tasks: [{ ...task, RunOptions: {} }] }],
    ['before a second list', '{"version":"2.0.0","tasks":[{"runOptions":{"runOn":"folderOpen"}}],"tasks":[]}'],
    ['after an empty list', '{"version":"2.0.0","tasks":[],"t\\u0061sks":[]}'],
    ['as the prototype', '{"version":"2.0.0","tasks":[{"__proto__":{"runOptions":{}}}]}'],
    ['by a key that Paddock does not know', { version: '2.0.0', tasks: [{ ...task, autostart: true }] }],
    ['in another version', { version: '0.1.0', tasks: [task] }],
    ['without a version', { tasks: [task] }],
    ['in a comment that another reader does not skip', '{"version":"2.0.0" // \u2028 , "tasks": []\n}'],
    ['after an error', '{"version":"2.0.0"} {"tasks":[]}'],
    ['in a text that ends early', '{"version":"2.0.0"'],
    ['after a byte order mark', '\ufeff{"version":"2.0.0"}'],
    ['in UTF-16', Buffer.from('\ufeff{"version":"2.0.0"}', 'utf16le')],
    ['in bytes that are not UTF-8', Buffer.concat([Buffer.from('{"version":"2.0.0" /*'), Buffer.of(0xff), Buffer.from('*/}')])],
    ['in lists that are too deep to read', `{"version":"2.0.0","tasks":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
    ['in a file that is too large', `{"version":"2.0.0"}${' '.repeat(64 * 1024)}`],
    ['in a list', []],
    ['in no value', ''],
  ])('are not kept: %s', async (_, content) => {
    expect(await isHarmlessWith('tasks.json', content)).toBe(false)
  })
})

describe('settings that could run something', () => {
  test.each<[string, string, unknown]>([
    ['a program', 'settings.json', { 'python.defaultInterpreterPath': './evil' }],
    ['an action on save', 'settings.json', { 'editor.formatOnSave': true }],
    ['a value of another kind', 'settings.json', { 'files.exclude': { dist: { when: '$(basename).ts' } } }],
    ['settings of one language', 'settings.json', { '[python]': { 'editor.tabSize': 2 } }],
    ['a path as an extension', 'extensions.json', { recommendations: ['./evil.vsix'] }],
    ['a text in place of a list', 'extensions.json', { recommendations: 'a.b' }],
    ['something else in recommendations', 'extensions.json', { recommendations: [], install: true }],
    ['a schema that the editor loads', 'launch.json', { $schema: 'https://example.com/x' }],
    ['a launch configuration that an extension starts', 'launch.json', { configurations: [{ name: 'a', auto: true }] }],
    ['an option to run in a launch configuration', 'launch.json', { configurations: [{ runOn: 'folderOpen' }] }],
    ['servers for agents', 'mcp.json', { servers: {} }],
    ['a name in another case', 'Extensions.json', { recommendations: [] }],
  ])('are not kept: %s', async (_, name, content) => {
    expect(await isHarmlessWith(name, content)).toBe(false)
  })
})

describe('a directory is not kept', () => {
  test('if it is empty', async () => {
    expect(await isHarmless(directory)).toBe(false)
  })

  test('if it contains a directory', async () => {
    put('settings.json', {})
    mkdirSync(path.join(directory, 'extensions'))
    expect(await isHarmless(directory)).toBe(false)
  })

  test('if a file in it has another name elsewhere', async () => {
    put('settings.json', {})
    linkSync(path.join(directory, 'settings.json'), `${directory}-other`)
    const found = await isHarmless(directory)
    await removeTree(`${directory}-other`)
    expect(found).toBe(false)
  })

  test('if a file in it is a link', async () => {
    put('settings.json', {})
    symlinkSync('settings.json', path.join(directory, 'launch.json'))
    expect(await isHarmless(directory)).toBe(false)
  })
})
