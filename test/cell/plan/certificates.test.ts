import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { trustOf, withTrust } from '../../../src/cell/plan/certificates.ts'
import { userCertificates } from '../../../src/cell/plan/user-certificates.ts'
import { makeIssuer } from '../../../src/egress/inspect/tls/authority.ts'
import { makeStage, type Stage } from '../../support/cli.ts'

const [first, second] = [makeIssuer(['*']).certificate, makeIssuer(['*']).certificate]
const facts = { bundleVariables: ['AGENT_CA'] }

describe('the certificates of a variable', () => {
  let stage: Stage
  beforeEach(() => {
    stage = makeStage('root')
    stage.put('one.pem', `text\r\n${first.replaceAll('\n', '\r\n')}`)
    stage.put('certs/two.crt', second)
    stage.put('certs/readme.txt', 'nothing')
    mkdirSync(path.join(stage.project, 'certs/below'))
    symlinkSync('two.crt', path.join(stage.project, 'certs/0a1b2c3d.0'))
    symlinkSync('nowhere', path.join(stage.project, 'certs/4e5f6a7b.0'))
  })
  afterEach(() => stage[Symbol.dispose]())
  const read = (env: Record<string, string>, mounts: { source: string; target?: string; access: 'ro' }[] = [], hasAuthority = false) =>
    userCertificates({ name: 'test', cwd: stage.project, env, mounts }, facts, hasAuthority)

  test('are those of its file, relative to the working directory, or of the mount that a cell has there', () => {
    expect(read({ SSL_CERT_FILE: 'one.pem', AGENT_CA: 'certs/two.crt', OTHER: 'one.pem' })).toEqual([first, second])
    expect(read({ PIP_CERT: '/in/cell/two.crt' }, [{ source: `${stage.project}/certs`, target: '/in/cell', access: 'ro' }])).toEqual([
      second,
    ])
  })

  test('are those of a directory, each once', () => {
    expect(read({ REQUESTS_CA_BUNDLE: 'certs' })).toEqual([second])
    expect(read({ SSL_CERT_DIR: `missing:certs` })).toEqual([second])
  })

  test('are those of its text', () => {
    expect(read({ NPM_CONFIG_CA: first.replaceAll('\n', '\\n') })).toEqual([first])
    expect(() => read({ npm_config_ca: 'x' })).toThrow('test: npm_config_ca holds no certificate (PEM).')
  })

  test('contain nothing that is inside of the block but not in the certificate', () => {
    const [head, ...rest] = first.split('\n')
    writeFileSync(path.join(stage.project, 'odd.pem'), [head, 'Proc-Type: 4,ENCRYPTED', ...rest].join('\n'))
    expect(() => read({ SSL_CERT_FILE: 'odd.pem' })).toThrow('holds no certificate')
  })

  test("may be the cell's own, if it has an authority", () => {
    expect(read({ SSL_CERT_FILE: '/etc/paddock/ca-bundle.pem' }, [], true)).toEqual([])
    expect(() => read({ SSL_CERT_FILE: '/etc/paddock/ca-bundle.pem' })).toThrow('cannot be read')
  })
})

test('a certificate that the host trusts is not in the bundle twice, but in the file of variables that add', () => {
  const { bundle, own } = trustOf([first, second, first])
  expect(own).toBe(first + second)
  expect(bundle.split(first)).toHaveLength(2)
  const known = `${/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/.exec(bundle)?.[0]}\n`
  const again = trustOf([known, first])
  expect(again.own).toBe(known + first)
  expect(again.bundle.split(known.split('\n')[3] ?? '')).toHaveLength(2)
})

test('variables point to the files of the cell', () => {
  const env = { GIT_SSL_CAPATH: '/certs', AGENT_CA: '/mine', Npm_Config_CaFile: '/mine', HTTPLIB2_CA_CERTS: '', A: 'b' }
  const trusted = withTrust(env, trustOf([first]), facts)
  expect(trusted).toMatchObject({
    AGENT_CA: '/etc/paddock/ca-bundle.pem',
    Npm_Config_CaFile: '/etc/paddock/ca-bundle.pem',
    HTTPLIB2_CA_CERTS: '',
    NODE_EXTRA_CA_CERTS: '/etc/paddock/ca.pem',
    A: 'b',
  })
  expect(trusted).not.toHaveProperty('GIT_SSL_CAPATH')
  expect(withTrust(env, null, facts)).toBe(env)
})
