import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, constants, existsSync, mkdirSync, openSync, readSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { inBadPlace, served, stacked, withoutAtRoot } from '../../support/bad-places.ts'
import { becoming, everyone, inCell, makeStage, needsRoot, type Stage } from '../../support/cli.ts'

const l1 = ['--posture', 'L1']
const shell = (script: string, more: readonly string[] = []): readonly string[] => [
  'run',
  '--quiet',
  ...l1,
  ...more,
  '--',
  'sh',
  '-c',
  script,
]

/** Creates files in the home of a stage. */
function inHome(stage: Stage, files: Readonly<Record<string, string>>): void {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(stage.home, file)), { recursive: true })
    writeFileSync(path.join(stage.home, file), content)
  }
}

describe.each(everyone)('at L1, as %s,', (who) => {
  test('links of a home lead where they lead outside, and none shows a credential', async () => {
    using stage = makeStage(who)
    const elsewhere = path.join(stage.root, 'elsewhere')
    mkdirSync(path.join(elsewhere, 'keys'), { recursive: true })
    writeFileSync(path.join(elsewhere, 'keys/id_ed25519'), 'a-real-secret\n')
    inHome(stage, { 'notes/plan': 'a plan\n', 'real/aws/credentials': 'a-real-secret\n' })
    const links = {
      'to-plan': 'notes/plan',
      absolute: path.join(stage.home, 'notes'),
      'to-system': '/etc/hostname',
      '.ssh': path.join(elsewhere, 'keys'),
      '.aws': 'real/aws',
      loop: 'loop',
      dangling: 'nowhere/at/all',
      'to-project': stage.project,
      'to-home': '.',
    }
    for (const [name, to] of Object.entries(links)) symlinkSync(to, path.join(stage.home, name))
    stage.put('mine', 'of the project\n')
    stage.own()
    const script =
      'cat ~/to-plan ~/absolute/plan ~/to-project/mine ~/to-home/to-home/to-plan; grep -rs a-real-secret ~ ~/.ssh/ ~/.aws/; echo > ~/to-project/new; echo end'
    const ran = await inCell(stage, script, { args: l1 })
    expect([ran.stdout, ran.stderr]).toEqual(['a plan\na plan\nof the project\na plan\nend\n', ''])
    expect(stage.read('new')).toBe('\n')
  })

  test('a home with 100,000 entries is read and written', async () => {
    using stage = makeStage(who)
    stage.own()
    // By the user of the stage, because giving each of them to the user afterwards takes longer.
    const make =
      'mkdir many; cd many; for n in $(seq 99); do mkdir $n; cd $n; seq 999 | xargs touch; cd ..; done; seq -f file-%g 999 | xargs touch'
    const [program = '', ...words] = [...becoming(who), 'sh', '-c', make]
    execFileSync(program, words, { cwd: stage.home })
    const script = 'find ~/many | wc -l; rm -r ~/many/5; touch ~/many/6/new; find ~/many | wc -l'
    const ran = await inCell(stage, script, { args: l1 })
    expect([ran.stdout, ran.stderr]).toEqual(['100000\n99001\n', ''])
    expect(existsSync(path.join(stage.home, 'many/5'))).toBe(true)
  })

  describe('with mounts,', () => {
    needsRoot('mounts')

    // The kernel of a test machine may have no NFS. FUSE is alike in what matters here: the kernel has no idmapped mounts for it, and asks a
    // program for each file.
    test('a home that another program serves is read, and written only in memory', async () => {
      using stage = makeStage(who)
      inHome(stage, { 'notes/plan': 'a plan\n', '.ssh/id_ed25519': 'a-real-secret\n' })
      stage.own()
      const ran = await inBadPlace(
        stage,
        served(stage.home),
        shell('cat ~/notes/plan; test -e ~/.ssh; echo $?; echo new > ~/new && cat ~/new'),
      )
      if (who === 'user') expect([ran.stdout, ran.stderr, ran.code]).toEqual(['a plan\n1\nnew\n', '', 0])
      else {
        expect(ran.stderr).toContain(`The cell could not be built: the kernel makes no idmapped mount of ${stage.home}, which cells need`)
        expect([ran.stdout, ran.code]).toEqual(['', 125])
      }
    })

    test('a home with a mount below it is refused with the name of the mount', async () => {
      using stage = makeStage(who)
      mkdirSync(path.join(stage.home, 'shares/a b'), { recursive: true })
      stage.own()
      const ran = await inBadPlace(stage, { prepare: `mount -t tmpfs none '${stage.home}/shares/a b'` }, shell('true'))
      expect(ran.stderr).toBe(
        `paddock: UNENFORCEABLE: ${stage.home}/shares/a b is mounted below your home, so no cell of L1 can be built here.\n` +
          '  hint: Unmount it, or use --posture L2\n',
      )
      expect(ran.code).toBe(125)
    })

    test('a machine without /opt and /srv has cells of L1', async () => {
      using stage = makeStage(who)
      stage.own()
      const ran = await inBadPlace(stage, withoutAtRoot(stage, ['opt', 'srv']), shell('ls -d /opt /srv /usr; touch done'))
      expect(ran.stdout, ran.stderr).toBe('/usr\n')
      expect(ran.code).toBe(0)
      expect(existsSync(path.join(stage.project, 'done'))).toBe(true)
    })

    test('an overlay that the kernel refuses is named in one sentence, and nothing starts', async () => {
      using stage = makeStage(who)
      stage.own()
      const ran = await inBadPlace(stage, stacked(stage, stage.home), ['run', ...l1, '--', 'touch', 'started'])
      // As root, an overlay cannot have idmapped mounts either.
      const what = who === 'user' ? 'overlay' : 'idmapped mount'
      expect(ran.stderr).toContain(`CELL_FAILED: The cell could not be built: the kernel makes no ${what} of ${stage.home}, which cells `)
      expect([ran.code, existsSync(path.join(stage.project, 'started'))]).toEqual([125, false])
      const other = await inBadPlace(stage, stacked(stage, stage.home), ['run', '--quiet', '--posture', 'L2', '--', 'touch', 'started'])
      expect([other.stderr, other.code]).toEqual(['', 0])
    })

    // The mounts make /var and /usr be shown by their entries.
    test('sockets and FIFOs anywhere on the host lead nowhere', async () => {
      using stage = makeStage(who)
      const places = ['/opt', '/srv', '/usr/local', '/var/lib', '/etc/opt']
      const servers = await Promise.all(
        places.map(async (_, n) => {
          const at = path.join(stage.root, `place-${n}`)
          mkdirSync(path.join(at, 'deep'), { recursive: true })
          execFileSync('mkfifo', [path.join(at, 'deep/fifo')])
          const reader = openSync(path.join(at, 'deep/fifo'), constants.O_RDWR | constants.O_NONBLOCK)
          let connections = 0
          const server = createServer(() => connections++)
          await new Promise<void>((resolve) => server.listen(path.join(at, 'deep/socket'), resolve))
          return { at, reader, server, connections: () => connections }
        }),
      )
      stage.own()
      for (const { at } of servers) for (const each of ['fifo', 'socket']) chmodSync(path.join(at, 'deep', each), 0o777)
      const prepare = places.map((each, n) => `mount --bind ${servers[n]?.at} ${each}`).join('\n')
      const connect = 'socket(S, PF_UNIX, SOCK_STREAM, 0); connect(S, pack_sockaddr_un($ARGV[0])) and print "connected\\n" or print "$!\\n"'
      const script = places
        .map(
          (each) =>
            `ls ${each}/deep | wc -l; perl -MSocket -e '${connect}' ${each}/deep/socket; timeout 1 sh -c 'echo x > ${each}/deep/fifo'; echo $?`,
        )
        .join('; ')
      const ran = await inBadPlace(stage, { prepare }, shell(script))
      const read = servers.map(({ reader }) => {
        try {
          return readSync(reader, Buffer.alloc(9))
        } catch (error) {
          return (error as NodeJS.ErrnoException).code
        }
      })
      for (const { reader, server } of servers) {
        closeSync(reader)
        server.close()
      }
      expect(ran.stdout, ran.stderr).toBe(places.map(() => '2\nConnection refused\n124\n').join(''))
      expect(servers.map(({ connections }) => connections())).toEqual(places.map(() => 0))
      expect(read).toEqual(places.map(() => 'EAGAIN'))
    })
  })
})
