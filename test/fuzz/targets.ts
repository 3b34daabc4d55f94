import { strict as assert } from 'node:assert'
import { isIP } from 'node:net'
import { decode } from 'dns-packet'
import { readLine } from '../../src/audit/line.ts'
import { PaddockError } from '../../src/base/errors.ts'
import { HelloReader, type HelloResult } from '../../src/egress/connection/sni.ts'
import { answer } from '../../src/egress/dns/dns.ts'
import { readRequestHead } from '../../src/egress/http/http-head.ts'
import { HttpStream } from '../../src/egress/http/http-stream.ts'
import { classifyAddress } from '../../src/egress/policy/addresses.ts'
import { parseAllow } from '../../src/egress/policy/allow.ts'
import { parseBlock } from '../../src/egress/policy/block.ts'
import { matchesPattern, wireName } from '../../src/egress/policy/host-pattern.ts'
import { canonicalTarget } from '../../src/egress/requests/path.ts'
import { judgeOf } from '../../src/egress/requests/request-rules.ts'
import { parseRule } from '../../src/egress/requests/rule-text.ts'
import { ExecFrames } from '../../src/programs/exec-frames.ts'

/** A reader of hostile bytes, and what must be true for any input. `run` throws if it is not. */
export interface FuzzTarget {
  readonly name: string
  /** Valid inputs, to mutate. */
  readonly seeds: readonly Buffer[]
  readonly run: (input: Buffer) => void
}

const text = (...lines: readonly string[]): Buffer => Buffer.from(lines.join('\r\n'), 'latin1')
const hex = (digits: string): Buffer => Buffer.from(digits.replaceAll(/\s/g, ''), 'hex')
const destination = { host: 'a.example', port: 80 }
const inTwo = (input: Buffer): readonly [Buffer, Buffer] => {
  const at = input.length === 0 ? 0 : (input[0] ?? 0) % (input.length + 1)
  return [input.subarray(0, at), input.subarray(at)]
}
/** A reader of user input may only throw a `PaddockError`. */
function refusedOr<T>(read: () => T, then: (value: T) => void): void {
  let value: T
  try {
    value = read()
  } catch (error) {
    if (error instanceof PaddockError) return
    throw error
  }
  then(value)
}

export const targets: readonly FuzzTarget[] = [
  {
    name: 'exec-frames',
    seeds: [Buffer.from('ready\nout 1 6869\nerr 2 0a\nexit 1 0 0\nfailed 2 4e6f\n')],
    run: (input) => {
      const [first, second] = inTwo(input)
      const reader = new ExecFrames()
      const inParts = [...reader.read(first), ...reader.read(second)]
      assert.deepEqual(inParts, new ExecFrames().read(input), 'the parts do not matter')
      for (const each of inParts) {
        if (each.type !== 'ready') assert.match(each.id, /^\d+$/)
        if (each.type === 'exit') assert.ok(each.code <= 999 && each.signal <= 999)
      }
    },
  },
  {
    name: 'dns',
    seeds: [
      hex('1234 0100 0001 0000 0000 0000 0161 0765 78616d70 6c65 00 0001 0001'),
      hex('1234 0120 0001 0000 0000 0001 0161 0765 78616d70 6c65 00 001c 0001 00 0029 04d0 0000 0000 0000'),
    ],
    run: (input) => {
      const asked: (string | null)[] = []
      const response = answer(input, (name) => {
        asked.push(name)
        return name === 'a.example' ? '198.18.0.1' : null
      })
      for (const name of asked) if (name !== null) assert.match(name, /^[a-z0-9_.-]*$/)
      if (response === null) return
      assert.ok(input.length >= 12 && response.readUInt16BE(0) === input.readUInt16BE(0), 'the id is the query’s')
      assert.ok((response.readUInt16BE(2) & 0x8000) !== 0, 'it is a response')
      assert.ok(response.length <= input.length + 200, 'it does not amplify')
      decode(response)
    },
  },
  {
    name: 'tls-hello',
    seeds: [
      hex(`16 0301 0041 01 00003d 0303 ${'11'.repeat(32)} 00 0002 1301 01 00 0012 0000 000e 000c 00 0009 612e6578616d706c65`),
      hex(`16 0301 002b 01 000027 0303 ${'22'.repeat(32)} 00 0002 1301 01 00`),
    ],
    run: (input) => {
      const whole = new HelloReader().push(input)
      const reader = new HelloReader()
      const [first, second] = inTwo(input)
      const early = reader.push(first)
      const split: HelloResult = early.kind === 'need-more' ? reader.push(second) : early
      // Input that is not TLS may be detected sooner or later. A hello is the same however it was split.
      if (whole.kind === 'hello' || split.kind === 'hello') assert.deepEqual(split, whole)
      if (whole.kind === 'hello' && whole.hello.serverName !== null) assert.equal(wireName(whole.hello.serverName), whole.hello.serverName)
    },
  },
  {
    name: 'http-head',
    seeds: [
      text('GET /a?b=c HTTP/1.1', 'Host: a.example', 'Accept: */*', '', ''),
      text('POST http://a.example/ HTTP/1.1', 'Host: a.example:80', 'Content-Length: 3', '', 'abc'),
    ],
    run: (input) => {
      const result = readRequestHead(input)
      if (result.kind !== 'head') return
      // An accepted head has one reading: none of its bytes starts another line for a lenient reader.
      const head = input.subarray(0, input.indexOf('\r\n\r\n') + 4).toString('latin1')
      assert.ok(!/[\0\v\f]/.test(head), 'no control characters')
      assert.ok(!/\n[ \t]/.test(head), 'no folded lines')
      assert.ok(!/[^\r]\n|\r[^\n]/.test(head), 'no bare line ends')
      assert.ok(!/^[^\r\n:]*[ \t]:/m.test(head.slice(head.indexOf('\n') + 1)), 'no space before a colon')
    },
  },
  {
    name: 'http-stream',
    seeds: [
      text('GET / HTTP/1.1', 'Host: a.example', '', 'GET /2 HTTP/1.1', 'Host: a.example', '', ''),
      text(
        'POST / HTTP/1.1',
        'Host: a.example',
        'Transfer-Encoding: chunked',
        '',
        '3',
        'abc',
        '0',
        '',
        'GET /2 HTTP/1.1',
        'Host: a.example',
        '',
        '',
      ),
    ],
    run: (input) => {
      const whole = new HttpStream(destination).feed(input)
      const forwarded = Buffer.concat([...whole.forward])
      assert.ok(input.subarray(0, forwarded.length).equals(forwarded), 'what goes on is the start of what came')
      const stream = new HttpStream(destination)
      const [first, second] = inTwo(input)
      const one = stream.feed(first)
      const two = one.refusal === null && !one.upgrade ? stream.feed(second) : null
      const split = Buffer.concat([...one.forward, ...(two?.forward ?? [])])
      if (!whole.upgrade) assert.ok(split.equals(forwarded), 'cuts do not matter')
      // Forwarded bytes are accepted again: there is no second reading of them.
      assert.equal(new HttpStream(destination).feed(forwarded).refusal, null)
    },
  },
  {
    name: 'host-pattern',
    seeds: ['a.example', '*.a.example:443,8443', 'db.example:5432=127.0.0.1:5432', 'bücher.example', 'db.example=[fd00::5]:1'].map((each) =>
      Buffer.from(each),
    ),
    run: (input) =>
      refusedOr(
        () => parseAllow(input.toString('utf8')),
        ({ host, ports, pin }) => {
          assert.match(host, /^(?:\*\.)?[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/)
          assert.ok(ports.length > 0 && ports.every((port) => Number.isInteger(port) && port > 0 && port < 65_536))
          if (pin !== undefined) assert.notEqual(isIP(pin.address), 0)
          if (!host.startsWith('*')) assert.ok(matchesPattern(host, host))
          assert.ok(!matchesPattern(host, `evil-${host.replace('*.', '')}`), 'a longer name beside it does not match')
        },
      ),
  },
  {
    name: 'address',
    seeds: ['10.1.2.3', '::ffff:10.1.2.3', '64:ff9b::a01:203', 'fe80::1%eth0', '0x7f.1', '2002:a01:203::1', '93.184.216.34'].map((each) =>
      Buffer.from(each),
    ),
    run: (input) => {
      const address = input.toString('latin1')
      const { internal, kind } = classifyAddress(address)
      if (isIP(address) === 0) assert.deepEqual([internal, kind], [true, 'unreadable'])
      if (!internal) assert.equal(kind, 'public')
      refusedOr(
        () => parseBlock(address),
        (range) => assert.match(range, /^[0-9a-f.:]+\/\d+$/),
      )
    },
  },
  {
    name: 'request-path',
    seeds: ['/secret/x', '/repos/a/b/../c?d=e', '/%73ecret/x', '//secret//x', '/a/%2e%2e/secret/', '/secret%2Fx'].map((each) =>
      Buffer.from(each),
    ),
    run: (input) => {
      const target = canonicalTarget(input.toString('latin1'))
      if (target === null) return
      const again = canonicalTarget(target.path + target.query)
      assert.deepEqual(again, target, 'the canonical spelling is its own')
      const deny = judgeOf({ rules: [{ action: 'deny', methods: [], path: '/secret/**', source: 'fuzz' }], otherwise: 'allow' })
      const { action } = deny({ methods: ['GET'], target })
      // Two other readers of the same bytes: the WHATWG URL parser, and one that decodes everything first.
      const other = URL.parse(`http://a.example${target.path}`)?.pathname ?? ''
      const decoded = safely(() => decodeURIComponent(target.path)) ?? target.path
      for (const reading of [other, decoded])
        if (/^\/secret\//.test(URL.parse(`http://a.example${encodeURI(reading)}`)?.pathname ?? '')) assert.equal(action, 'deny', reading)
    },
  },
  {
    name: 'rule',
    seeds: ['deny POST,PUT api.example.com/repos/**', 'ask * a.example/x?service=git-receive-pack', 'allow GET *.a.example/**'].map(
      (each) => Buffer.from(each),
    ),
    run: (input) =>
      refusedOr(
        () => parseRule(input.toString('utf8'), '--rule'),
        (rule) => assert.ok(rule !== null),
      ),
  },
  {
    name: 'audit-line',
    seeds: [
      Buffer.from(
        `{"schemaVersion":1,"seq":1,"time":"2026-01-01T00:00:00.000Z","kind":"k","data":{},"prev":"${'0'.repeat(64)}","hash":"${'0'.repeat(64)}"}`,
      ),
    ],
    run: (input) => void readLine(input),
  },
]

function safely<T>(act: () => T): T | null {
  try {
    return act()
  } catch {
    return null
  }
}
