import { expect, test } from 'vitest'
import { lateMounts, noLateMounts, startMounter } from '../../src/cell/backends/make-mounts.ts'
import type { FsEntry } from '../../src/cell/plan/filesystem.ts'

const sources = {
  of: (file: string) => file,
  file: (index: number | 'empty') => `/run/files/${index}`,
  copy: () => '',
  below: () => null,
  overlay: () => '',
}
const targetsOf = (filesystem: readonly FsEntry[]): readonly string[] => lateMounts(filesystem, sources).mounts.map((each) => each.target)
const file = (target: string): FsEntry => ({ kind: 'file', target, content: '' })
const bound = (target: string): FsEntry => ({ kind: 'bind', source: '/tmp', target, access: 'ro', reason: 'user' })

test('settings in /etc and files of the cell are mounted late, unless the user mounts something there', () => {
  const system: FsEntry = { kind: 'system', path: '/etc/alternatives' }
  const all = [system, file('/etc/hosts'), file('/proc/keys'), file('/home/a/.x'), { kind: 'system', path: '/usr' } as const]
  expect(targetsOf(all)).toEqual(['/etc/alternatives', '/etc/hosts', '/proc/keys'])
  expect(targetsOf([...all, bound('/etc/hosts')])).toEqual(['/etc/alternatives', '/proc/keys'])
  expect(targetsOf([...all, bound('/etc/alternatives/awk')])).toEqual(['/etc/hosts', '/proc/keys'])
  expect(lateMounts([bound('/x')], sources)).toBe(noLateMounts)
})

test('a program that ends early does not keep a cell waiting', async () => {
  const mounter = startMounter('/bin/false')
  await new Promise((resolve) => setTimeout(resolve, 200))
  await expect(mounter.make(process.pid, noLateMounts, [])).rejects.toThrow('The cell could not be built: Perl ended without an answer.')
})

test('a program that ends before it renews anything loses the protection, and says so', async () => {
  const mounter = startMounter('/bin/false')
  await new Promise((resolve) => setTimeout(resolve, 200))
  const lost: string[] = []
  const end = mounter.keep([{ target: '/a', access: 'ro' }], { renewed: () => undefined, lost: (target) => lost.push(target) })
  await expect.poll(() => lost, { timeout: 20_000 }).toEqual(['/a'])
  end()
})
