import { expect, test } from 'vitest'
import type { FsEntry } from '../../../src/cell/plan/filesystem.ts'
import { masked } from '../../../src/cell/plan/masks.ts'

const bind = (source: string, target = source, access: 'ro' | 'rw' = 'rw'): FsEntry => ({
  kind: 'bind',
  source,
  target,
  access,
  reason: 'user',
})
const shown = (entries: readonly FsEntry[]): string[] =>
  entries.map(
    (each) =>
      `${each.kind}${each.kind === 'bind' && each.reason === 'guard' ? ' guard' : ''} ${'target' in each ? each.target : each.path}`,
  )

test('a mask covers every place that shows it, and only there', () => {
  const entries = [bind('/p'), bind('/p', '/again', 'ro'), bind('/p/sub', '/part', 'ro'), bind('/other', '/again/sub', 'ro')]
  expect(shown(masked(entries, [{ source: '/p/sub/.env', kind: 'file' }]))).toEqual([
    'bind /p',
    'bind /again',
    'bind /part',
    'bind /again/sub',
    'bind guard /p/sub',
    'mask /part/.env',
    'mask /p/sub/.env',
  ])
})

test('nothing is left below a masked directory, nor a mask within one', () => {
  const entries: FsEntry[] = [
    bind('/p'),
    bind('/p/.vscode', '/p/.vscode', 'ro'),
    { kind: 'inert', target: '/p/vault/.envrc', type: 'file', content: '' },
    bind('/p/vault/deep'),
  ]
  const masks = ['/p/vault', '/p/.vscode'].map((source) => ({ source, kind: 'directory' as const }))
  expect(shown(masked(entries, [...masks, { source: '/p/vault/deep/x', kind: 'file' }]))).toEqual([
    'bind /p',
    'mask /p/vault',
    'mask /p/.vscode',
  ])
})

test('in a copy it is at the project’s path; a file of the system can be masked; paths that the cell does not see need no mask', () => {
  const entries: FsEntry[] = [{ kind: 'system', path: '/opt' }, bind('/state/tree', '/p')]
  const masks = ['/state/tree/a/.env', '/opt/tool/token', '/elsewhere/.env'].map((source) => ({ source, kind: 'file' as const }))
  expect(shown(masked(entries, masks))).toEqual(['system /opt', 'bind /p', 'bind guard /p/a', 'mask /p/a/.env', 'mask /opt/tool/token'])
})

test('a mask in a directory that an overlay hides covers only where it is mounted', () => {
  const entries: FsEntry[] = [
    { kind: 'overlay', path: '/home/me', access: 'rw', sizeBytes: 1, hidden: ['/home/me/contest'] },
    bind('/home/me/contest/raw', '/contest/raw', 'ro'),
  ]
  expect(shown(masked(entries, [{ source: '/home/me/contest/raw/right', kind: 'file' }]))).toEqual([
    'overlay /home/me',
    'bind /contest/raw',
    'mask /contest/raw/right',
  ])
})
