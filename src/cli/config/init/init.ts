import { readFile, realpath, stat } from 'node:fs/promises'
import { messageOf, PaddockError } from '../../../base/errors.ts'
import type { Config } from '../../../config/config-schema.ts'
import { knownNames } from '../../../config/known-names.ts'
import { settingsOf } from '../../../config/layers.ts'
import { userConfigFile } from '../../../config/machine-settings.ts'
import { parseConfig } from '../../../config/read-config.ts'
import { parseAllow } from '../../../egress/policy/allow.ts'
import type { AllowEntry } from '../../../egress/policy/egress-policy.ts'
import { isRegistryTool, presetEntries } from '../../../egress/policy/presets.ts'
import { writeAtomic } from '../../../files/atomic.ts'
import type { Host } from '../../../host.ts'
import { openCliHost } from '../../open-host.ts'
import type { Result } from '../../results.ts'
import { internalPlace } from '../../run/internal-place.ts'
import type { Answer } from '../../terminal/command-answer.ts'
import { askYes, canTalk, type Dialog, openDialog } from '../../terminal/dialog.ts'
import { waitingLine } from '../../terminal/waiting-line.ts'
import { workingDirectory } from '../../working-directory.ts'
import { lookUpNames, type NamesLook } from '../names-look.ts'
import { type Addition, additionsTo, additionText, type Choices, withAdditions } from './additions.ts'
import { askMemory, askPins, choose } from './init-questions.ts'
import { suggestAgents, suggestPresets } from './suggest.ts'

export interface InitOptions {
  readonly yes?: boolean
  readonly json?: boolean
}

/** The user's file as it is now. */
interface Present {
  readonly file: string
  /** Null: there is no file. */
  readonly text: string | null
  readonly config: Config | null
  readonly settings: readonly string[]
}

/**
 * `paddock init`: asks for what the user's configuration should have, shows it, and writes it after a yes. `--yes` takes the defaults. Only
 * `--json` without `--yes` prints what `--yes` would write. An existing file only gets further keys.
 */
export async function initCommand(options: InitOptions): Promise<Answer<Result<'init'>>> {
  const mayAsk = options.yes !== true && options.json !== true
  if (mayAsk && !canTalk())
    throw new PaddockError('BAD_INPUT', 'paddock init asks its questions in a terminal, and there is none.', {
      hint: 'To take the defaults: paddock init --yes',
    })
  const host = openCliHost()
  using dialog = mayAsk ? openDialog() : null
  try {
    const present = await presentFile(userConfigFile(host.paths))
    if (dialog !== null) for (const each of presentLines(present)) dialog.say(each)
    const { choices, notes } = await choicesOf(host, present.config, dialog)
    const additions = additionsTo(present.config, choices)
    if (present.text !== null && additions.length === 0) return answerOf(present, additions, null, false, { notes, isShown: true })
    const text = withAdditions(present.text, additions, present.file)
    const isWanted = dialog === null ? options.yes === true : await confirm(dialog, present, additions, text)
    if (isWanted) await write(present, text)
    return answerOf(present, additions, text, isWanted, { notes, isShown: dialog !== null })
  } finally {
    host[Symbol.dispose]()
  }
}

async function presentFile(file: string): Promise<Present> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (bytes === null) return { file, text: null, config: null, settings: [] }
  const parsed = parseConfig(bytes, file, 'user', knownNames)
  return {
    file,
    text: bytes.toString('utf8'),
    config: parsed.config,
    settings: settingsOf(parsed).map(({ key, value }) => `${key} = ${value}`),
  }
}

function presentLines({ file, text, settings }: Present): readonly string[] {
  if (text === null) return [`There is no ${file} yet. Answer a few questions; an empty answer takes what is in brackets.`, '']
  if (settings.length === 0) return [`${file} exists and sets nothing yet.`, '']
  return [`${file} exists and stays as it is, apart from what you add here. It sets:`, ...settings.map((each) => `  ${each}`), '']
}

/** Returns the choices of the user, or the defaults without a dialog, and notes about what they leave open. */
async function choicesOf(
  host: Host,
  config: Config | null,
  dialog: Dialog | null,
): Promise<{ readonly choices: Choices; readonly notes: readonly string[] }> {
  const notes: string[] = []
  const allAgents = await suggestAgents(host)
  const usual = (all: readonly { readonly name: string; readonly isUsual: boolean }[]): readonly string[] =>
    all.filter(({ isUsual }) => isUsual).map(({ name }) => name)
  const agents =
    dialog === null ? usual(allAgents) : await choose(dialog, 'Agents:', 'Which of them do you use?', allAgents, usual(allAgents))
  for (const { name, hint } of allAgents) if (hint !== null && agents.includes(name)) notes.push(`${name} is not installed: ${hint}`)
  const policy = config?.run?.egress?.policy ?? 'allowlist'
  if (policy !== 'allowlist') notes.push(`run.egress.policy is ${policy}, under which presets have no effect`)
  const allPresets = policy === 'allowlist' ? suggestPresets(workingDirectory(), host.env) : []
  const wanted =
    dialog === null || allPresets.length === 0
      ? usual(allPresets)
      : await choose(
          dialog,
          'Presets, groups of hosts that cells may reach:',
          'Which of them do cells need?',
          allPresets,
          usual(allPresets),
        )
  const { usable, internal, unresolvable, notes: unusable } = await registriesOf(host, config, wanted)
  notes.push(...unusable, ...unresolvable.map((each) => `the name ${each} does not resolve on this machine`))
  const pins = dialog === null ? [] : await askPins(dialog, internal)
  for (const each of internal) {
    const { text, pin } = internalPlace(each)
    if (pin === null) notes.push(`${text}, so cells cannot reach it`)
    else if (!pins.includes(pin)) notes.push(`${text}, so cells cannot reach it; to allow it, add to run.egress.allow: ${pin}`)
  }
  const memory = dialog !== null && config?.run?.limits?.memory === undefined && (await holdsMemory(host)) ? await askMemory(dialog) : null
  return { choices: { agents, presets: usable, pins, memory }, notes }
}

/** The presets that cells can use here, and what the names of their registries mean. */
interface Registries extends NamesLook {
  readonly usable: readonly string[]
  /** Why other presets cannot be used. Every run with such a preset would be refused. */
  readonly notes: readonly string[]
}

/** Looks up the registries that the user's own settings name for the presets. */
async function registriesOf(host: Host, config: Config | null, presets: readonly string[]): Promise<Registries> {
  const facts = await host.presets(presets.filter(isRegistryTool))
  const known = new Set((config?.run?.egress?.allow ?? []).map((each) => parseAllow(each).host))
  const [usable, notes, entries]: [string[], string[], AllowEntry[]] = [[], [], []]
  for (const each of presets) {
    try {
      if (isRegistryTool(each)) entries.push(...presetEntries(each, facts).filter(({ host: name }) => !known.has(name)))
      usable.push(each)
    } catch (error) {
      notes.push(`${messageOf(error).replace(/\.$/, '')}, so it was left out`)
    }
  }
  using _line = waitingLine('looking up the registries')
  return { usable, notes, ...(await lookUpNames(entries, host.env)) }
}

/** Returns true if a memory limit can be enforced here. Cells with such a limit would not start otherwise. */
async function holdsMemory(host: Host): Promise<boolean> {
  const { limits } = await host.backends[0].look()
  return limits.some(({ limit, gap }) => limit === 'memory' && gap === undefined)
}

async function confirm(dialog: Dialog, { file, text: before }: Present, additions: readonly Addition[], text: string): Promise<boolean> {
  dialog.say(before === null ? `${file}:` : `To be added to ${file}:`)
  for (const each of shown(before, additions, text)) dialog.say(each)
  return askYes(dialog, before === null ? 'Write it?' : 'Add it?', true)
}

function shown(before: string | null, additions: readonly Addition[], text: string): readonly string[] {
  return (before === null ? text.trimEnd().split('\n') : additions.map(additionText)).map((each) => `  ${each}`)
}

/** Replaces the file, unless it has changed meanwhile. A link to it stays. */
async function write({ file, text: before }: Present, text: string): Promise<void> {
  const real = await realpath(file).catch(() => file)
  const now = await readFile(real, 'utf8').catch(() => null)
  if (now !== before)
    throw new PaddockError('BUSY', `${file} has changed meanwhile, so nothing was written.`, { hint: 'Run paddock init again' })
  const mode = before === null ? 0o600 : (await stat(real)).mode & 0o777
  await writeAtomic(real, text, { mode })
}

function answerOf(
  { file, text: before }: Present,
  additions: readonly Addition[],
  text: string | null,
  isWritten: boolean,
  { notes, isShown }: { readonly notes: readonly string[]; readonly isShown: boolean },
): Answer<Result<'init'>> {
  const said =
    additions.length === 0 && before !== null
      ? `${file} has all of it; nothing was changed`
      : isWritten
        ? `wrote ${file}`
        : 'nothing was changed'
  return {
    data: {
      schemaVersion: 1,
      file,
      exists: before !== null,
      written: isWritten,
      added: additions.map(({ path, value }) => ({ key: path.join('.'), value })),
      text: before === null ? text : null,
      notes: [...notes],
    },
    lines: isShown || text === null ? [] : shown(before, additions, text),
    notes: [said, ...notes, ...(isWritten ? ['to see whether it works here: paddock doctor'] : [])],
  }
}
