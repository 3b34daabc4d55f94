import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createSecureServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, test } from 'vitest'
import { everyone, inCell, makeStage, mountableNode } from '../../support/cli.ts'
import { internet } from '../../support/inspect-lab.ts'

/** Sends a chunked request with the same trailer field twice, and another request after its answer. */
const say = `
const tls = require('node:tls')
const options = { host: 'forge.example', port: 443, servername: 'forge.example', ALPNProtocols: ['http/1.1'] }
const ask = (text, then) => tls.connect(options, function () { this.write(text) }).on('error', () => {}).once('data', then).once('close', then)
ask('POST /x HTTP/1.1\\r\\nHost: forge.example\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n1\\r\\nx\\r\\n0\\r\\nETag: a\\r\\nETag: b\\r\\n\\r\\n', () => {
  ask('GET /y HTTP/1.1\\r\\nHost: forge.example\\r\\n\\r\\n', (answer) => { console.log(String(answer).slice(0, 15)); process.exit(0) })
})
`
test.each(everyone)('trailers of a cell do not end Paddock, as %s', async (who) => {
  using stage = makeStage(who)
  const server = createSecureServer({ ...internet.issue('forge.example'), allowHTTP1: true }, (request, response) => {
    request.resume().on('end', () => response.end('ok'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const roots = path.join(stage.root, 'roots.pem')
  writeFileSync(roots, internet.certificate)
  writeFileSync(path.join(stage.project, 'say.js'), say)
  stage.own()
  const inspect = `forge.example:443=127.0.0.1:${(server.address() as AddressInfo).port}`
  const args = ['--inspect', inspect, '--ro', mountableNode()]
  const ran = await inCell(stage, `${mountableNode()} say.js`, { env: { NODE_EXTRA_CA_CERTS: roots }, args })
  server.close()
  expect([ran.code, ran.stdout, ran.stderr]).toEqual([0, 'HTTP/1.1 200 OK\n', ''])
})
