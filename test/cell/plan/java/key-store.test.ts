import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { certificatesOf, javaKeyStore, trustedIn } from '../../../../src/cell/plan/java/key-store.ts'
import { makeIssuer } from '../../../../src/egress/inspect/tls/authority.ts'
import { hostProgram } from '../../../../src/system/host-program.ts'
import { temporary } from '../../../support/temporary.ts'

const [first, second] = [makeIssuer(['*']).certificate, makeIssuer(['*']).certificate]
const [one, two] = [new X509Certificate(first).raw, new X509Certificate(second).raw]
const keytool = hostProgram('keytool', '/usr/bin:/bin')

describe('a key store for Java', () => {
  test('has each authority once, and nothing of a bundle that is not a certificate', () => {
    const bundle = `# text\n${first}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n${second}${first.replaceAll('\n', '\r\n')}`
    expect(certificatesOf(bundle)).toEqual([one, two, one])
    const store = javaKeyStore(certificatesOf(bundle))
    expect(store.subarray(0, 12).toString('hex')).toBe('feedfeed0000000200000002')
    expect(trustedIn(store)).toEqual([one, two])
    expect(javaKeyStore([one, two])).toEqual(store)
  })

  test.each([
    ['nothing', ''],
    ['text', 'not a key store'],
    ['a cut store', javaKeyStore([one, two]).subarray(0, -60)],
    [
      'a store that counts more than it has',
      Buffer.concat([Buffer.from('feedfeed00000002ffffffff', 'hex'), javaKeyStore([one]).subarray(12)]),
    ],
    ['lengths beyond the end', Buffer.from(`feedfeed0000000200000001${'ff'.repeat(80)}`, 'hex')],
    ['a cut bag of PKCS #12', Buffer.from('060a2a864886f70d01091601a084ffffffff0484', 'hex')],
  ])('that is %s is read as far as it goes', (_, bytes) => {
    expect([[], [one]]).toContainEqual(trustedIn(Buffer.from(bytes)))
  })

  test('is read by keytool, and those of keytool are read', async ({ skip }) => {
    if (keytool === null) return skip('needs keytool')
    await using directory = await temporary()
    const { at } = directory
    const run = (...args: string[]): string =>
      execFileSync(keytool, [...args, '-storepass', 'changeit', '-noprompt'], { stdio: ['ignore', 'pipe', 'ignore'] }).toString()
    writeFileSync(at('cacerts'), javaKeyStore([one, two]))
    const listed = run('-list', '-rfc', '-keystore', at('cacerts'))
    expect(certificatesOf(listed)).toEqual([one, two])
    expect(listed.match(/trustedCertEntry/g)).toHaveLength(2)
    writeFileSync(at('one.pem'), first)
    const open = ['cert', 'mac'].map((each) => `-J-Dkeystore.pkcs12.${each === 'mac' ? 'macAlgorithm' : 'certProtectionAlgorithm'}=NONE`)
    for (const [type, more] of [
      ['jks', []],
      ['pkcs12', open],
    ] as const) {
      const store = ['-storetype', type, '-keystore', at(`by-keytool.${type}`), ...more]
      run('-genkeypair', '-alias', 'key', '-keyalg', 'EC', '-dname', 'CN=own key', '-keypass', 'changeit', ...store)
      run('-importcert', '-alias', 'authority', '-file', at('one.pem'), ...store)
      expect(trustedIn(readFileSync(at(`by-keytool.${type}`))), type).toEqual([one])
    }
    run('-importcert', '-alias', 'a', '-file', at('one.pem'), '-storetype', 'pkcs12', '-keystore', at('encrypted'))
    expect(trustedIn(readFileSync(at('encrypted')))).toEqual([])
  })

  test('of this machine is read', ({ skip }) => {
    const file = '/etc/ssl/certs/java/cacerts'
    skip(!existsSync(file), `needs ${file}`)
    expect(trustedIn(readFileSync(file)).length).toBeGreaterThan(50)
  })
})
