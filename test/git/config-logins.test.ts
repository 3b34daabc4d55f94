import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { configLogins, withoutLogins } from '../../src/git/config-logins.ts'
import { readGitConfig } from '../../src/git/config-syntax.ts'

const secret = 'hunter2hunter2'
const basic = Buffer.from(`x-access-token:${secret}`).toString('base64')

describe('a login in a git configuration', () => {
  test.each([
    ['a password in the address of a remote', `[remote "o"]\n\turl = https://me:${secret}@h.example/x.git\n`],
    ['a token as the user', '[remote "o"]\n\turl = https://0123456789abcdef0123456789abcdef01234567@h.example/x.git\n'],
    ['a token as the user with a password that is none', `[remote "o"]\n\turl = "https://${secret}:x-oauth-basic@h.example/x" # mine\n`],
    ['an @ in the password', `[remote "o"]\n\tpushurl = https://me:a@${secret}@h.example/x\n`],
    ['an address that is quoted in parts', `[remote "o"]\n\turl = https://me:"${secret}"@h.example/x\n`],
    ['a value that goes on in the next line', `[remote "o"]\n\turl = https://me:\\\n${secret}@h.example/x\n`],
    ['an address that replaces another', `[url "https://oauth2:${secret}@h.example/"]\n\tinsteadOf = https://h.example/\n`],
    ['a submodule', `[submodule "a"]\n\turl = https://me:${secret}@h.example/a\n`],
    ['a proxy', `[http]\n\tproxy = http://me:${secret}@proxy.example:3128\n`],
    ['another scheme', `[remote "o"]\n\turl = ftps://me:${secret}@h.example/x\n`],
    ['a header of a host', `[http "https://h.example/"]\n\textraheader = AUTHORIZATION: basic ${basic}\n`],
    ['a header of every host', `[http]\n\textraHeader = PRIVATE-TOKEN: \\\n  ${secret}\n`],
    ['a section and a value in one line', `[http] extraheader = "Authorization: Bearer ${secret}" ; x\n`],
    ['a password of a mail server', `[sendemail]\n\tsmtpUser = me\n\tsmtpPass = ${secret}\n`],
    ['a token of a program', `[github]\n\ttoken = ${secret}\n`],
    ['a helper that has it', `[credential]\n\thelper = "!f() { echo username=me; echo password=${secret}; }; f"\n`],
    ['a helper that puts it together', `[credential]\n\thelper = "!printf 'username=me\\\\npassword%s${secret}' ="\n`],
    ['a helper with it as an argument', `[credential]\n\thelper = !helper --pat ${secret}\n`],
    ['a header in an alias', `[alias]\n\tpr = "!curl -H 'Authorization: token ${secret}' https://h.example"\n`],
    ['a parameter of an address', `[remote "o"]\n\turl = https://h.example/x?a=b&private_token=${secret}\n`],
    ['a proxy without a scheme', `[http]\n\tproxy = me:${secret}@proxy.example:3128\n`],
    ['a proxy of a remote without a scheme', `[remote "o"]\n\tproxy = me:${secret}@proxy.example:3128\n`],
    [
      'a setting of a program with a short name',
      `[hub]\n\toauth = ${secret}\n[gitlab]\n\tpat = ${secret}\n\tapi-key = ${secret}\n\tkey = ${secret}\n`,
    ],
    ['a token of a known form in an alias', '[alias]\n\tpr = !curl -H ghp_0123456789abcdefghijABCDEFGHIJ x\n'],
    ['a token of a known form in a comment', '[a]\n# ghp_0123456789abcdefghijABCDEFGHIJ\n\tx = y\n'],
    ['a CR LF file', `[remote "o"]\r\n\turl = https://me:${secret}@h.example/x\r\n[http]\r\n\textraheader = X: ${secret}\r\n`],
    ['the last line without a break', `\ufeff[http]\n\textraheader = X: ${secret}`],
  ])('is not in the text without logins: %s', (_, text) => {
    const shown = withoutLogins(text)
    for (const each of [secret, basic, '0123456789abcdef']) expect(shown).not.toContain(each)
    expect(readGitConfig(shown).badLine).toBeNull()
    const keys = readGitConfig(text).entries.map((each) => each.key.replace(/\/\/.*@/, '//'))
    expect(keys).toEqual(expect.arrayContaining(readGitConfig(shown).entries.map((each) => each.key)))
  })

  test('has its address and the other settings left', () => {
    const text = `[core]\n\tbare = false\n[remote "o"]\n\turl = https://me:${secret}@h.example:8443/x?y#z\n\tfetch = +refs/heads/*:refs/remotes/o/*\n`
    expect(withoutLogins(text)).toBe(text.replace(`me:${secret}@`, ''))
  })

  test.each([
    '[remote "o"]\n\turl = git@h.example:x/y.git\n',
    '[remote "o"]\n\turl = ssh://git@h.example/x/y.git\n',
    '[remote "o"]\n\turl = https://organisation@h.example/organisation/_git/x\n',
    '[user]\n\tsigningKey = 0123456789ABCDEF0123\n\temail = me@h.example\n',
    '[core]\n\taskPass = /usr/bin/ksshaskpass\n[http]\n\tsslCertPasswordProtected = true\n',
    '[http]\n\tproxy = proxy.example:3128\n\tsslKey = /etc/ssl/key.pem\n[credential]\n\thelper = !gh auth git-credential\n',
    '[credential "https://h.example"]\n\thelper = store\n\tusername = me\n',
    '[branch "token"]\n\tmerge = refs/heads/token\n\tdescription = see https://h.example/@me\n',
    '\ufeff[a]\r\n\tb = "c" ; d\r\n[broken\n[e]\n\tf',
  ])('is not found in a text without one: %j', (text) => expect(withoutLogins(text)).toBe(text))

  test('is read with its host, as git would use it', () => {
    const text = `[remote "a"]\n\turl = https://me:p%40ss@h.example:8443/x\n[remote "b"]\n\turl = https://ghp_0123456789abcdefghijABCDEFGHIJ@github.com/x/y
[url "https://oauth2:${secret}@gitlab.example/"]\n\tinsteadOf = https://gitlab.example/\n[http "https://ci.example/"]\n\textraheader = AUTHORIZATION: basic ${basic}
[http]\n\textraheader = Authorization: Bearer ${secret}\n[remote "c"]\n\turl = ssh://git@h.example/x\n[remote "d"]\n\turl = ftp://me:${secret}@h.example/x\n`
    const found = configLogins(text)
    expect(found).toEqual([
      { host: 'h.example:8443', user: 'me', password: 'p@ss' },
      { host: 'github.com', user: '', password: 'ghp_0123456789abcdefghijABCDEFGHIJ' },
      { host: 'gitlab.example', user: 'oauth2', password: secret },
      { host: 'ci.example', user: 'x-access-token', password: secret },
      { host: null, user: '', password: secret },
    ])
    const input = 'url=https://me:p%40ss@h.example:8443/x\n\n'
    const filled = execFileSync('git', ['credential', 'fill'], { input, encoding: 'utf8', env: { PATH: '/usr/bin:/bin' } })
    expect(filled).toContain('username=me\npassword=p@ss\n')
  })

  test('no value of any text keeps the password of an address', () => {
    const piece = fc.constantFrom(
      '[a]',
      '[url "',
      '"]',
      'http://',
      'me:',
      'pw@',
      'h/',
      '\n',
      '\r\n',
      '\\',
      '"',
      ' = ',
      'extraheader',
      'x',
      '#',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const once = withoutLogins(pieces.join(''))
        for (const { value } of readGitConfig(once).entries) expect(value ?? '').not.toMatch(/:\/\/[^/\s"?#]*:[^/\s"?#]*@/)
      }),
    )
  })
})
