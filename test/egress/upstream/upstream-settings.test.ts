import { describe, expect, it } from 'vitest'
import { readUpstream } from '../../../src/egress/upstream/upstream-settings.ts'

describe('the way out of the environment', () => {
  it.each([
    [{ HTTPS_PROXY: 'http://a.example:3128', HTTP_PROXY: 'http://b.example' }, 'http://a.example:3128', 'HTTPS_PROXY'],
    [{ HTTPS_PROXY: 'http://a.example:3128', https_proxy: 'http://c.example:1' }, 'http://c.example:1', 'https_proxy'],
    [{ HTTP_PROXY: 'http://b.example', ALL_PROXY: 'https://d.example' }, 'https://d.example:443', 'ALL_PROXY'],
    [{ HTTP_PROXY: 'http://b.example' }, 'http://b.example:80', 'HTTP_PROXY'],
    [{ HTTPS_PROXY: 'proxy.example:3128' }, 'http://proxy.example:3128', 'HTTPS_PROXY'],
    [{ HTTPS_PROXY: 'http://[2001:db8::1]:3128' }, 'http://[2001:db8::1]:3128', 'HTTPS_PROXY'],
    [{ HTTPS_PROXY: '', HTTP_PROXY: 'http://b.example:8' }, 'http://b.example:8', 'HTTP_PROXY'],
  ])('%j', (env, shown, place) => {
    const { proxy, unused } = readUpstream({}, env)
    expect([proxy?.value.shown, proxy?.place, unused]).toEqual([shown, place, []])
  })

  it('is direct without a proxy', () => {
    expect(readUpstream({}, { NO_PROXY: 'a.example' })).toMatchObject({ proxy: null, ca: [], unused: [] })
  })

  it('names what it does not use, without a login', () => {
    const { proxy, unused } = readUpstream(
      {},
      { ALL_PROXY: 'socks5h://me:hunter2@s.example:1080', HTTP_PROXY: 'http://p.example', NO_PROXY: '::1/200' },
    )
    expect(proxy?.value.shown).toBe('http://p.example:80')
    expect(unused).toEqual([
      'ALL_PROXY names a proxy of socks5h, which Paddock does not support.',
      'NO_PROXY: ::1/200 is not a host, an address or a range, so it matches nothing.',
    ])
    expect(readUpstream({}, { HTTPS_PROXY: 'http://me:hunter2@:1' }).unused).toEqual(['HTTPS_PROXY is not the URL of a proxy.'])
  })

  it('reads a login, with its escapes', () => {
    expect(readUpstream({}, { HTTPS_PROXY: 'http://corp%5Cme:p%40ss:word@p.example' }).proxy?.value).toMatchObject({
      login: 'corp\\me:p@ss:word',
      shown: 'http://p.example:80',
    })
  })
})

describe('the way out of the configuration', () => {
  const env = { HTTPS_PROXY: 'http://env.example', NO_PROXY: 'env.example', NODE_EXTRA_CA_CERTS: '/env.pem', SSL_CERT_FILE: '/ssl.pem' }

  it('replaces the variable for the same thing only', () => {
    const configured = readUpstream({ proxy: 'https://p.example:8443' }, env)
    expect(configured.proxy).toMatchObject({ place: 'egress.upstream.proxy', value: { tls: true, host: 'p.example', port: 8443 } })
    expect(configured.noProxy).toMatchObject({ text: 'env.example', place: 'NO_PROXY' })
    expect(configured.ca.map((each) => each.value)).toEqual(['/env.pem', '/ssl.pem'])
    expect(readUpstream({ noProxy: ['a', 'b'], ca: ['/corp.pem'] }, env)).toMatchObject({
      proxy: { place: 'HTTPS_PROXY' },
      noProxy: { text: 'a,b', place: 'egress.upstream.noProxy' },
      ca: [{ value: '/corp.pem', place: 'egress.upstream.ca' }],
    })
  })

  it('may say that there is no proxy', () => {
    expect(readUpstream({ proxy: 'none' }, env).proxy).toBeNull()
  })

  it.each(['socks5://p.example', 'p.example:3128', 'ftp://p.example', 'http://'])('refuses the proxy %s', (proxy) => {
    expect(() => readUpstream({ proxy }, {})).toThrow(/^egress\.upstream\.proxy /)
  })
})
