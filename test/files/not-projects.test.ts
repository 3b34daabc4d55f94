import { expect, test } from 'vitest'
import { refuseAsProject } from '../../src/files/not-projects.ts'

const homes = ['/home/me', '/data/me']

test.each([
  '.ssh',
  '.ssh/keys',
  '.config',
  '.config/gh',
  '.local',
  '.local/share',
  '.local/bin',
  '.aws/x',
  '.claude',
  '.config/systemd/user',
])('~/%s is not a project', (name) => {
  for (const home of homes)
    expect(() => refuseAsProject(`${home}/${name}`, homes)).toThrow('has credentials, or files that run by themselves.')
})

test.each(['work', '.sshfs', '.config/mine', '.local/share/paddock/copies/c/tree', 'dotfiles/.ssh', '.ssh-backup'])(
  '~/%s is one',
  (name) => {
    expect(() => refuseAsProject(`/home/me/${name}`, homes)).not.toThrow()
  },
)

test('below ~/.config and ~/.local nothing can be named over the API', () => {
  for (const each of ['.config/mine', '.local/src/x', '.local/share/paddock'])
    expect(() => refuseAsProject(`/home/me/${each}`, homes, true)).toThrow('cannot be a project')
  expect(() => refuseAsProject('/home/me/work', homes, true)).not.toThrow()
})
