import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { makeIssuer } from '../../../src/egress/inspect/tls/authority.ts'
import { addedCertificates } from '../../../src/egress/upstream/added-certificates.ts'
import { freshDirectory } from '../../support/fresh-directory.ts'

const directory = freshDirectory(path.join(tmpdir(), 'paddock-test-'))
afterAll(() => rmSync(directory, { recursive: true }))
const nothing = () => ({ text: '', places: [] })

function file(name: string, ...parts: readonly string[]): string {
  const at = path.join(directory, name)
  writeFileSync(at, parts.join('\n'))
  return at
}

describe('certificates that the user trusts', () => {
  const [one, two] = [makeIssuer(['*']), makeIssuer(['*'])]

  it('are those of their files without anything else in these, and once each', () => {
    const key = String(one.issue('a.example').key)
    const value = file('two.pem', '# ours', key, one.certificate, two.certificate)
    const again = file('again.pem', two.certificate)
    const { certificates, files, problems } = addedCertificates(
      [
        { value, place: 'egress.upstream.ca' },
        { value: again, place: 'NODE_EXTRA_CA_CERTS' },
      ],
      Date.now(),
      nothing,
    )
    expect(certificates).toEqual([one.certificate, two.certificate])
    expect(files).toEqual([{ file: value, place: 'egress.upstream.ca', count: 2 }])
    expect(problems).toEqual([])
  })

  it('are left out if the system has them', () => {
    const value = file('known.pem', one.certificate, two.certificate)
    const system = () => ({ text: `${one.certificate.replaceAll('\n', '\r\n')}`, places: [] })
    expect(addedCertificates([{ value, place: 'SSL_CERT_FILE' }], Date.now(), system).certificates).toEqual([two.certificate])
    expect(addedCertificates([{ value, place: 'SSL_CERT_FILE' }], Date.now(), () => ({ text: '', places: [value] })).certificates).toEqual(
      [],
    )
  })

  it('are left out and named if they have expired or cannot be parsed', () => {
    const value = file('mixed.pem', one.certificate, '-----BEGIN CERTIFICATE-----', 'AAAA', '-----END CERTIFICATE-----')
    const later = Date.now() + 20 * 365 * 86_400_000
    expect(addedCertificates([{ value, place: 'x' }], Date.now(), nothing)).toMatchObject({
      certificates: [one.certificate],
      problems: [`${value}: certificate 2 of 2 cannot be parsed, so it is not trusted`],
    })
    expect(addedCertificates([{ value, place: 'x' }], later, nothing)).toMatchObject({
      certificates: [],
      problems: [expect.stringMatching(/certificate 1 of 2 expired on \d{4}-\d\d-\d\d, so it is not trusted$/), expect.any(String)],
    })
  })

  it('may be hundreds', () => {
    const many = Array.from({ length: 300 }, (_, index) => makeIssuer([`h${index}.example`]).certificate)
    const { certificates, problems } = addedCertificates([{ value: file('many.pem', ...many), place: 'x' }], Date.now(), nothing)
    expect([certificates.length, problems]).toEqual([300, []])
  })

  it.each(['missing.pem', 'empty.pem'])(
    'of a file %s that is of no use stop what the configuration names, and not what a variable names',
    (name) => {
      file('empty.pem', 'no certificate')
      const value = path.join(directory, name)
      expect(() => addedCertificates([{ value, place: 'egress.upstream.ca' }])).toThrow(
        `egress.upstream.ca names ${value}, which is not a readable file with certificates (PEM).`,
      )
      expect(addedCertificates([{ value, place: 'SSL_CERT_FILE' }]).problems).toEqual([
        `SSL_CERT_FILE names ${value}, which is not a readable file with certificates (PEM)`,
      ])
    },
  )
})
