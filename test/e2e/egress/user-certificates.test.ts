import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeIssuer } from '../../../src/egress/inspect/tls/authority.ts'
import { everyone, inCell, makeStage, mountableNode, paddock, type Stage } from '../../support/cli.ts'
import { internet } from '../../support/inspect-lab.ts'

const corporate = makeIssuer(['*'])
const { key } = corporate.issue('corp.example')

describe.each(everyone)('certificates of the user in a cell, as %s,', (who) => {
  let stage: Stage
  let servers: Server[]
  let hosts: { readonly corp: string; readonly public: string }
  let file: string
  beforeEach(async () => {
    stage = makeStage(who)
    const serve = async (name: string, issuer: typeof internet): Promise<{ server: Server; host: string }> => {
      const server = createServer(issuer.issue(name), (_, response) => void response.end(`hello from ${name}\n`)).listen(0, '127.0.0.1')
      await once(server, 'listening')
      return { server, host: `${name}:443=127.0.0.1:${(server.address() as AddressInfo).port}` }
    }
    const [corp, open] = [await serve('corp.example', corporate), await serve('api.example', internet)]
    servers = [corp.server, open.server]
    hosts = { corp: corp.host, public: open.host }
    mkdirSync(path.join(stage.home, 'certs'))
    file = path.join(stage.home, 'certs/corp.pem')
    writeFileSync(file, `# our own authority\n${String(key)}\n${corporate.certificate}`)
    writeFileSync(path.join(stage.root, 'roots.pem'), internet.certificate)
    stage.own()
  })
  afterEach(() => {
    for (const each of servers) each.close()
    stage[Symbol.dispose]()
  })
  const clients = (url: string): string =>
    `curl -sS ${url}; ${mountableNode()} -e 'fetch("${url}").then((r) => r.text()).then((t) => process.stdout.write(t), (e) => console.log(e.cause))'`
  const twice = (name: string): string => `hello from ${name}\n`.repeat(2)
  const noKey = 'grep -rl PRIVATE.KEY /etc/paddock /etc/ssl/certs/ca-certificates.crt "$HOME" 2>/dev/null; :'

  it('are trusted in addition to the authority for inspected hosts, by node and curl', async () => {
    const ran = await inCell(
      stage,
      `${clients('https://api.example/')}; ${clients('https://corp.example/')}; echo $NODE_EXTRA_CA_CERTS $CURL_CA_BUNDLE; ${noKey}`,
      {
        env: { NODE_EXTRA_CA_CERTS: path.join(stage.root, 'roots.pem') },
        args: [
          ...['--inspect', hosts.public, '--allow', hosts.corp, '--ro', mountableNode()],
          ...['--env', 'NODE_EXTRA_CA_CERTS', '--env', `CURL_CA_BUNDLE=${file}`],
        ],
      },
    )
    expect(ran.stderr).toBe('')
    expect(ran.stdout).toBe(`${twice('api.example')}${twice('corp.example')}/etc/paddock/ca.pem /etc/paddock/ca-bundle.pem\n`)
  })

  it.each(['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'npm_config_cafile', 'SSL_CERT_DIR'])(
    'are trusted without inspected hosts, from %s, by node and curl',
    async (name) => {
      const value = name === 'SSL_CERT_DIR' ? `/nonexistent:${path.dirname(file)}` : '../home/certs/corp.pem'
      const ran = await inCell(stage, `${clients('https://corp.example/')}; echo $${name}; ${noKey}`, {
        env: { [name]: value },
        args: ['--allow', hosts.corp, '--ro', mountableNode(), '--env', name],
      })
      expect(ran.stderr).toBe('')
      const named = name === 'SSL_CERT_DIR' ? '' : name === 'NODE_EXTRA_CA_CERTS' ? '/etc/paddock/ca.pem' : '/etc/paddock/ca-bundle.pem'
      expect(ran.stdout).toBe(`${twice('corp.example')}${named}\n`)
    },
  )

  it('are the only part of their file that a dry run shows', async () => {
    const args = ['--env', `PIP_CERT=${file}`, '--allow', hosts.corp]
    const { stdout } = await paddock(stage, ['run', '--dry-run', '--json', ...args, '--', 'true'])
    const plan = JSON.parse(stdout) as { env: Record<string, string>; filesystem: { target?: string; content?: string }[] }
    expect(plan.env).toMatchObject({ PIP_CERT: '/etc/paddock/ca-bundle.pem', SSL_CERT_FILE: '/etc/paddock/ca-bundle.pem' })
    expect(plan.filesystem.find(({ target }) => target === '/etc/paddock/ca.pem')?.content).toBe(corporate.certificate)
    expect(stdout).not.toMatch(/PRIVATE KEY|our own authority/)
  })

  it.each([
    ['a missing file', 'missing.pem', 'which cannot be read'],
    ['a directory without certificates', 'empty', 'which cannot be read'],
    ['a device', '/dev/zero', 'which cannot be read'],
    ['a file without a certificate', 'key.pem', 'which holds no certificate (PEM)'],
    ['a link to a file without a certificate', 'link.pem', 'which holds no certificate (PEM)'],
  ])('are refused with the name of the variable if it names %s', async (_, value, why) => {
    mkdirSync(path.join(stage.project, 'empty'))
    stage.put('key.pem', `${String(key)}\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`)
    symlinkSync('key.pem', path.join(stage.project, 'link.pem'))
    stage.own()
    for (const more of [[], ['--inspect', hosts.public]]) {
      const ran = await paddock(stage, ['run', ...more, '--env', `REQUESTS_CA_BUNDLE=${value}`, '--', 'true'])
      expect(ran.code).toBe(2)
      expect(ran.stderr).toContain(`REQUESTS_CA_BUNDLE names the file ${value}, ${why}.`)
      expect(ran.stderr).toContain('hint: Set REQUESTS_CA_BUNDLE to a readable PEM file with certificates, or leave it out')
      expect(ran.stderr).not.toContain(String(key).split('\n')[1])
    }
  })

  it('replace nothing if a variable is empty or names the file of the cell', async () => {
    const args = ['--inspect', hosts.public, '--env', 'NODE_EXTRA_CA_CERTS=', '--env', 'SSL_CERT_FILE=/etc/paddock/ca-bundle.pem']
    const ran = await inCell(stage, 'echo $NODE_EXTRA_CA_CERTS $SSL_CERT_FILE; grep -c BEGIN /etc/paddock/ca.pem', { args })
    expect(ran.stdout, ran.stderr).toBe('/etc/paddock/ca.pem /etc/paddock/ca-bundle.pem\n1\n')
  })
})
