import { expect, test } from 'vitest'
import { parseConfig } from '../../src/config/read-config.ts'

const read = (text: string) => parseConfig(Buffer.from(text), '.paddock.yaml', 'project', { agents: ['claude'], presets: ['github'] })
test('a project cannot pin a host by way of inspect', () => {
  expect(() => read('schemaVersion: 1\nrun:\n  egress:\n    allow: ["a.example:443=127.0.0.1:22"]\n')).toThrow()
  expect(() => read('schemaVersion: 1\nrun:\n  egress:\n    inspect: ["a.example:443=127.0.0.1:22"]\n')).toThrow()
})

test.each([
  ['inspect: ["a.example:443=127.0.0.1:22"]', 'cannot be pinned'],
  ['ask: ["a.example=127.0.0.1"]', 'an entry that asks cannot have an address'],
  ['rules: ["deny * a.example:80=127.0.0.1:22/**"]', 'cannot be pinned'],
  ['rules: ["allow * a.example/**"]', 'may only deny or ask'],
  ['rules: ["  allow GET a.example/**"]', 'may only deny or ask'],
])('a project cannot say %s', (line, why) => {
  expect(() => read(`schemaVersion: 1\nrun:\n  egress:\n    ${line}\n`)).toThrow(why)
})

test('a project may deny and ask, also about queries', () => {
  expect(() => read('schemaVersion: 1\nrun:\n  egress:\n    rules: ["deny * a.example/x?y=z", "ask POST a.example/**"]\n')).not.toThrow()
})
