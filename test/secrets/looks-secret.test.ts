import { expect, test } from 'vitest'
import { looksSecret, maskShapes, vendorPrefix } from '../../src/secrets/looks-secret.ts'

test('the name of a variable or a setting tells whether it holds a secret', () => {
  for (const name of ['GITHUB_TOKEN', 'apiKey', 'DB_PWD', 'db.password', 'SENTRY_DSN', 'AUTHORIZATION', 'AWS_CREDENTIALS', 'CLIENT_SECRET'])
    expect([name, looksSecret(name)]).toEqual([name, true])
  for (const name of ['PWD', 'OLDPWD', 'LANG', 'TERM', 'GIT_AUTHOR_NAME', 'GIT_CONFIG_KEY_0', 'AUTHORS', 'PATH'])
    expect([name, looksSecret(name)]).toEqual([name, false])
})

test('a value with the shape of a token is a secret under any name', () => {
  expect(looksSecret('ANYTHING', 'a1b2c3d4e5f6a7b8c9d0')).toBe(true)
  for (const value of ['', 'short1', 'onlylettersinaverylongword', 'words with 1 blank in between them'])
    expect([value, looksSecret('ANYTHING', value)]).toEqual([value, false])
})

test("the same table of vendors' tokens cuts them out of texts and gives their prefixes", () => {
  const rest = 'Ab3'.repeat(14)
  for (const prefix of [
    'sk-',
    'sk-ant-api03-',
    'sk-proj-',
    'ghp_',
    'github_pat_',
    'glpat-',
    'AIza',
    'ya29.',
    'xai-',
    'gsk_',
    'r8_',
    'hf_',
    'xoxb-',
  ]) {
    expect(maskShapes(`the token ${prefix}${rest} was refused`)).toBe('the token [redacted] was refused')
    expect(vendorPrefix(`${prefix}${rest}`)).toBe(prefix)
  }
  expect(maskShapes('a task-list, a disk-image-of-the-machine and hf_hub_download')).toBe(
    'a task-list, a disk-image-of-the-machine and hf_hub_download',
  )
})

test('a token in place of the name in a URL is masked, and other names are not', () => {
  const token = 'a1b2c3d4e5f6a7b8c9d0'
  for (const [text, shown] of [
    [`https://${token}@a.example/x`, 'https://[redacted]@a.example/x'],
    [`https://${token}:x-oauth-basic@a.example`, 'https://[redacted]:[redacted]@a.example'],
    ['https://short:@a.example', 'https://[redacted]:@a.example'],
    ['https://me:pass@a.example', 'https://me:[redacted]@a.example'],
    ['ssh://git@a.example and https://a.example/x@1.2', 'ssh://git@a.example and https://a.example/x@1.2'],
  ])
    expect(maskShapes(text ?? '')).toBe(shown)
})

test('a token is masked in a field with the name of one, and other values are not', () => {
  const token = 'a1b2c3d4e5f6a7b8c9d0'
  for (const field of ['TOKEN: ', 'PRIVATE-TOKEN:  ', 'x-api-key: ', 'client_secret: ', 'Password:\t'])
    expect(maskShapes(`> ${field}${token}, and more`)).toBe(`> ${field}[redacted], and more`)
  for (const text of ['tokens: 25 of 100', 'token: expired', `keyid: ${token}`, `"token":"${token}"`, 'a password: do not give it'])
    expect(maskShapes(text)).toBe(text)
})
