import { verifyAudit } from '../../audit/verify-log.ts'
import { broken, type Guarantee, held } from '../guarantee.ts'
import { linesOf, rawLog } from '../probe/raw-log.ts'

export const linesNotForged: Guarantee = {
  id: 'lines-not-forged',
  chapter: 'audit',
  claim: 'Whatever names a cell makes up, it cannot add a line of its own or a control character to the audit log.',
  mechanism:
    'Each event is one line of JSON with the hash of its bytes. Quotes, line feeds and control characters in it are escaped (RFC 8259).',
  kind: 'structural',
  why: 'A line feed in a value is written as two characters, so text from a cell cannot leave its value.',
  fails: ['A program displays the values without escaping them. paddock audit escapes them.'],
  probe: async (bench) => {
    const word = bench.secret()
    const forged = `"}}\n{"schemaVersion":1,"seq":1,"time":"","kind":"${word}","cell":"forged","data":{}`
    const { result, report } = await bench.inside(
      async ({ dns, dgram }, given) => {
        const resolver = new dns.promises.Resolver({ timeout: 1000, tries: 1 })
        const names = [given.forged.slice(0, 60), `${given.word}\n`, `${given.word}"`, `${given.word}\u001b[2J`, `${given.word}\\`]
        const asked = await Promise.all(
          names.map((each) =>
            resolver.resolve4(`${each}.example`).then(
              () => 'answered',
              (error: NodeJS.ErrnoException) => error.code ?? '',
            ),
          ),
        )
        const socket = dgram.createSocket('udp4')
        socket.on('error', () => undefined)
        const label = Buffer.from(given.forged.slice(0, 60))
        const query = Buffer.concat([
          Buffer.from([9, 9, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, label.length]),
          label,
          Buffer.from([7, ...Buffer.from('example'), 0, 0, 1, 0, 1]),
        ])
        await new Promise<void>((resolve) => socket.send(query, 53, '127.0.0.53', () => resolve()))
        await new Promise((resolve) => setTimeout(resolve, 50))
        socket.close()
        return asked
      },
      { word, forged },
    )
    const named = await bench.run(['true'], { name: `run ${word}${forged}\u001b[2J\u202e` })
    const raw = rawLog(bench.auditDirectory)
    const text = raw.toString('utf8')
    if (/[\u0000-\u0009\u000b-\u001f\u007f]/.test(text)) return broken('the audit log contains a control character')
    const lines = text.split('\n').filter((each) => each !== '')
    if (lines.some((each) => !each.startsWith('{"schemaVersion":1,"seq":') || (JSON.parse(each) as { kind: string }).kind === word))
      return broken('a forged line of the cell is in the audit log')
    const verdict = verifyAudit(bench.auditDirectory)
    if (!verdict.whole) return broken(`the log is no longer intact: ${verdict.problem?.message}`)
    const own = linesOf(bench.auditDirectory, named.report.cell)
    if (!own.some((each) => JSON.stringify(each.data).includes(word)))
      return broken('the name of the cell is not in the audit log, so the probe is inconclusive')
    return held(
      `${result.length + 1} DNS names and the name of a cell with quotes, line feeds and a forged line: ${linesOf(bench.auditDirectory, report.cell).length + own.length} lines were written, each as Paddock made it`,
    )
  },
}
