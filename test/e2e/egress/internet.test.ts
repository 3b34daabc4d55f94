import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { command, everyone, isRoot, makeStage, needsRoot, nodeInCell, type Ran, type Stage } from '../../support/cli.ts'
import { hosts, type Lab, openInternetLab } from '../../support/lab/lab.ts'

let lab: Lab
beforeAll(async () => {
  if (isRoot) lab = await openInternetLab()
})
afterAll(async () => {
  if (isRoot) await lab[Symbol.asyncDispose]()
})

/** Fetches each address in turn, as `[METHOD ]URL`, and prints the results: the text, the status or the error. */
const script = `
  const told = []
  for (const each of process.argv.slice(1)) {
    const [url, method = 'GET'] = each.split(' ').reverse()
    told.push(await fetch(url, { method, redirect: 'manual', signal: AbortSignal.timeout(5000) }).then(
      async (answer) => answer.status + ' ' + (await answer.text()).trim(), (error) => String(error.cause?.code ?? error.name)))
  }
  console.log(JSON.stringify(told)); process.exit(0)`

/** Runs the script in a cell on a host that trusts the lab's root, like a machine with a private CA. */
async function fetched(
  stage: Stage,
  args: readonly string[],
  urls: readonly string[],
): Promise<{ told: string[]; ran: Ran; arrived: string[] }> {
  const root = path.join(stage.root, 'root.pem')
  writeFileSync(root, lab.certificate)
  stage.own()
  stage.env['NODE_EXTRA_CA_CERTS'] = root
  const before = lab.arrivals.length
  const extra = args.some((each) => each.startsWith('--rule') || each === '--inspect')
    ? []
    : ['--ro', root, '--env', `NODE_EXTRA_CA_CERTS=${root}`]
  const ran = await lab.paddock(stage, ['run', ...args, ...extra, ...nodeInCell(script, urls)])
  const told = ran.stdout === '' ? [] : (JSON.parse(ran.stdout) as string[])
  return { told, ran, arrived: lab.arrivals.slice(before).map((each) => `${each.kind} ${each.name ?? each.at}`) }
}

describe.each(everyone)('on the internet of the lab, as %s', (who) => {
  needsRoot('the lab is made of network namespaces and devices of its own')
  test('an allowlist reaches only its names, and no denied name is resolved', async () => {
    using stage = makeStage(who)
    const { told, arrived } = await fetched(
      stage,
      ['--quiet', '--allow', 'public.example:443,80', '--allow', 'redirect.example:80'],
      [
        'https://public.example/one',
        'http://public.example/two',
        'https://shop.example/',
        'http://redirect.example/http://10.1.2.3/',
        'http://10.1.2.3/',
        `http://${hosts.shop}/`,
        'https://public.example:8443/',
      ],
    )
    expect(told[0]).toMatch(/^200 lab \S+ \/one$/)
    expect(told[1]).toMatch(/^200 lab \S+ \/two$/)
    expect(told[2]).toBe('ENOTFOUND')
    expect(told[3]).toMatch(/^302/)
    expect(told.slice(4).join()).toMatch(/^(ENETUNREACH|ECONNREFUSED),(ENETUNREACH|ECONNREFUSED),ECONNREFUSED$/)
    expect(arrived.filter((each) => /shop|10\.1/.test(each))).toEqual([])
  })

  test('names that mean internal addresses, or turn to them, are refused', async () => {
    using stage = makeStage(who)
    const names = ['private', 'shared', 'metadata', 'loopback', 'overlay', 'mapped', 'carried']
    const { told, ran } = await fetched(
      stage,
      [...[...names, 'rebind', 'mixed'].flatMap((each) => ['--allow', `${each}.example:80`])],
      [
        ...names.map((each) => `http://${each}.example/`),
        'http://mixed.example/',
        ...[1, 2, 3].map((each) => `http://rebind.example/${each}`),
      ],
    )
    for (const [index, name] of names.entries())
      expect(told[index]).toBe(
        `403 paddock: denied (internal-address): ${name}.example:80: the name means an internal address, and is not pinned`,
      )
    expect(told[names.length]).toBe(`200 lab ${hosts.public} /`)
    expect(told.slice(names.length + 1).join()).not.toContain(hosts.private)
    expect(ran.stderr).toMatch(/ · denied private\.example:80, shared\.example:80, metadata\.example:80/)
  })

  test('5: an allowed name that means an internal address is reported before the cell tries it, with the pin that allows it', async () => {
    using stage = makeStage(who)
    const run = command(stage.who, ['run', '--allow', 'private.example', '--allow', 'metadata.example:80', '--', 'cat'])
    // The cell reads until both lines were printed.
    const script = `mkfifo in; ("$@" <in 2>told) & exec 3>in
      until grep -q private.example.means told && grep -q metadata.example.means told; do sleep 0.02; done; exec 3>&-; wait; cat told`
    const { stdout } = await lab.run(['sh', '-c', script, 'sh', ...run], { cwd: stage.project, env: stage.env })
    expect(stdout).toContain(
      'paddock: private.example means 10.1.2.3, an address of your own network; to allow it: --allow private.example:443=10.1.2.3:443\n',
    )
    expect(stdout).toContain(
      'paddock: metadata.example means 169.254.169.254, an internal address (metadata), so the cell cannot reach it\n',
    )
  })

  test.each(['allowlist', 'public'])('under %s, an inspected host is judged by request, and its certificate is checked', async (egress) => {
    using stage = makeStage(who)
    const { told, ran, arrived } = await fetched(
      stage,
      [
        ...['--egress', egress],
        '--rule',
        'deny POST,DELETE public.example/api/**',
        '--inspect',
        'wrong.example',
        '--inspect',
        'private.example',
      ],
      [
        'https://public.example/api/x',
        'POST https://public.example/api/x',
        'DELETE https://public.example//api/%78',
        'https://wrong.example/',
        'https://private.example/',
      ],
    )
    expect(told[0], ran.stderr).toMatch(/^200 lab \S+ \/api\/x$/)
    expect(told[1]).toMatch(/^403 .*denied by rule/)
    expect(told[2]).toMatch(/^403 /)
    expect(told[3]).toMatch(/^502 /)
    expect(told[4]).toMatch(/^403 paddock: denied \(internal-address\)/)
    expect(arrived.filter((each) => each.startsWith('http'))).toEqual(['https public.example'])
  })
})
