import type { Document } from 'yaml'
import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { Field } from '../../parts/field.tsx'
import { type Place, valueAt } from './manifest-document.ts'
import { type ManifestProblem, problemAt } from './manifest-problems.ts'
import { Project, useProjects } from './project.tsx'

export interface FormProps {
  readonly document: Document
  readonly problems: readonly ManifestProblem[]
  readonly isNew: boolean
  readonly set: (place: Place, value: unknown) => void
}

const policies = [
  ['', 'Only listed hosts (allowlist)'],
  ['off', 'No network'],
  ['public', 'The internet, but no internal addresses'],
  ['open', 'Everything but loopback'],
] as const
const levels: Readonly<Record<string, string>> = {
  L1: 'L1: your files, no credentials',
  L2: 'L2: workspace and system only',
}
const ways = [
  ['', 'A placeholder; its cell never holds the credential'],
  ['endpoint', 'Added by the gateway on the way out'],
  ['snapshot', 'A read-only copy in its cell'],
  ['volume', 'The login of a volume'],
  ['none', 'None'],
] as const

/** The keys of a manifest that most agents use. All other keys are only in the YAML. */
export function ManifestForm({ document, problems, isNew, set }: FormProps) {
  const capabilities = useData(['capabilities'], async () => dataOf(await api.GET('/api/v1/capabilities')))
  const projects = useProjects()
  const at = (...place: readonly string[]): unknown => valueAt(document, place)
  const text = (...place: readonly string[]): string => {
    const value = at(...place)
    return value === undefined || value === null || typeof value === 'object' ? '' : String(value)
  }
  const lines = (...place: readonly string[]): string => {
    const value = at(...place)
    return Array.isArray(value) ? value.join('\n') : ''
  }
  const isModel = text('kind') === 'model'
  const agent = isModel ? 'model' : text('agent')
  // The list is still loading, or the YAML names an agent that does not exist.
  // That of the bare host builds no cells.
  const backends = (capabilities.data?.backends ?? []).flatMap(({ name }) => (name === 'none' ? [] : [name]))
  const isListed = ['', 'command', 'acp', 'model'].includes(agent) || capabilities.data?.agents.some(({ name }) => name === agent) === true
  const isProgram = agent === 'command' || agent === 'acp'
  const workspace = at('workspace')
  const works =
    typeof workspace === 'object' && workspace !== null
      ? (['copy', 'worktree', 'project'].find((each) => each in workspace) ?? 'project')
      : 'own'
  const choose = (name: string): void => {
    set(['kind'], name === 'model' ? 'model' : undefined)
    set(['agent'], name === 'model' ? undefined : name)
    if (name !== 'command' && name !== 'acp') set(['command'], undefined)
  }
  const line = (
    label: string,
    place: Place,
    hint: string,
    more: { readonly isNumber?: boolean; readonly isList?: boolean; readonly required?: boolean } = {},
  ) => (
    <Field label={label} hint={hint} problem={problemAt(problems, place.join('.'))}>
      {(control) =>
        more.isList === true ? (
          <textarea
            {...control}
            rows={Math.min(6, Math.max(2, lines(...place).split('\n').length))}
            value={lines(...place)}
            onChange={(event) => set(place, listOf(event.target.value))}
          />
        ) : (
          <input
            {...control}
            required={more.required}
            value={text(...place)}
            inputMode={more.isNumber === true ? 'decimal' : undefined}
            onChange={(event) =>
              set(place, more.isNumber === true ? numberOf(event.target.value) : event.target.value === '' ? undefined : event.target.value)
            }
          />
        )
      }
    </Field>
  )
  return (
    <div className="stack">
      <div className="two">
        {line('Name', ['name'], isNew ? 'Lower-case letters, digits and hyphens, such as docs-writer' : 'A new name renames the agent', {
          required: true,
        })}
        <Field label="Agent" hint="A CLI, a command, or a model with tools" problem={problemAt(problems, 'agent')}>
          {(control) => (
            <select {...control} value={agent} onChange={(event) => choose(event.target.value)}>
              {agent === '' ? <option value="">choose one</option> : null}
              {isListed ? null : <option value={agent}>{agent}</option>}
              {(capabilities.data?.agents ?? []).map((each) => (
                <option key={each.name} value={each.name}>
                  {each.installed ? each.name : `${each.name} (not installed here)`}
                </option>
              ))}
              <option value="command">command</option>
              <option value="acp">any agent that uses ACP (acp)</option>
              <option value="model">model with tools</option>
            </select>
          )}
        </Field>
        {isProgram ? (
          <Field
            label="Command"
            hint={`The program and its arguments, one per line; ${agent === 'acp' ? 'it speaks ACP on' : 'the prompt comes on'} standard input`}
            problem={problemAt(problems, 'command')}
          >
            {(control) => (
              <textarea {...control} rows={3} value={lines('command')} onChange={(event) => set(['command'], listOf(event.target.value))} />
            )}
          </Field>
        ) : (
          line('Model', ['model'], isModel ? 'As the provider names it' : 'Leave empty to let the CLI choose')
        )}
        {isModel ? (
          <>
            <Field label="Provider" problem={problemAt(problems, 'provider')}>
              {(control) => (
                <select
                  {...control}
                  value={text('provider')}
                  onChange={(event) => set(['provider'], event.target.value === '' ? undefined : event.target.value)}
                >
                  <option value="">choose one</option>
                  <option>anthropic</option>
                  <option>openai</option>
                  <option>openai-compatible</option>
                </select>
              )}
            </Field>
            {line('Endpoint', ['baseUrl'], 'A URL to use instead of the provider’s')}
            {line('Key', ['apiKey'], 'vault:NAME; its cell never holds it')}
            <label className="row">
              <input
                type="checkbox"
                checked={at('keyless') === true}
                onChange={(event) => set(['keyless'], event.target.checked ? true : undefined)}
              />
              Its endpoint needs no key
            </label>
            {line('Tools', ['tools'], 'One per line: bash, file_read, file_write, file_edit, http, ask; “ask bash” holds each call', {
              isList: true,
            })}
          </>
        ) : isProgram ? null : (
          <Field label="Credential" hint="How it gets its login" problem={problemAt(problems, 'credentials')}>
            {(control) => (
              <select
                {...control}
                value={text('credentials')}
                onChange={(event) => set(['credentials'], event.target.value === '' ? undefined : event.target.value)}
              >
                {ways.map(([value, word]) => (
                  <option key={value} value={value}>
                    {word}
                  </option>
                ))}
                {text('credentials').startsWith('volume:') ? <option>{text('credentials')}</option> : null}
              </select>
            )}
          </Field>
        )}
        {line('Labels', ['labels'], 'One per line; jobs for any agent are matched by label', { isList: true })}
      </div>
      <div className="two">
        <Field label="Works in" problem={problemAt(problems, 'workspace')}>
          {(control) => (
            <select
              {...control}
              value={works}
              onChange={(event) =>
                set(['workspace'], event.target.value === 'own' ? undefined : { [event.target.value]: projects[0] ?? '~/' })
              }
            >
              <option value="own">Its own directory</option>
              <option value="copy">A copy of a project for each job</option>
              <option value="worktree">A git repository, each job on its own branch</option>
              <option value="project">A project itself, one job at a time</option>
            </select>
          )}
        </Field>
        {works === 'own' ? null : (
          <Project
            value={text('workspace', works)}
            known={projects}
            problem={problemAt(problems, `workspace.${works}`)}
            set={(value) => set(['workspace', works], value)}
          />
        )}
      </div>
      <div className="two">
        <Field label="Network" problem={problemAt(problems, 'egress.policy')}>
          {(control) => (
            <select
              {...control}
              value={text('egress', 'policy') === 'allowlist' ? '' : text('egress', 'policy')}
              onChange={(event) => set(['egress', 'policy'], event.target.value === '' ? undefined : event.target.value)}
            >
              {policies.map(([value, word]) => (
                <option key={value} value={value}>
                  {word}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Isolation level" hint="An owner must approve a level below L2" problem={problemAt(problems, 'posture')}>
          {(control) => (
            <select
              {...control}
              value={text('posture')}
              onChange={(event) => set(['posture'], event.target.value === '' ? undefined : event.target.value)}
            >
              <option value="">The default of this machine{capabilities.data === null ? '' : ` (${capabilities.data.posture})`}</option>
              {[...new Set([...(capabilities.data?.postures ?? []), text('posture')])].filter(Boolean).map((each) => (
                <option key={each} value={each}>
                  {levels[each] ?? each}
                </option>
              ))}
            </select>
          )}
        </Field>
        {(backends.length > 1 || text('backend') !== '') && (
          <Field label="Backend" hint="What builds its cells" problem={problemAt(problems, 'backend')}>
            {(control) => (
              <select
                {...control}
                value={text('backend')}
                onChange={(event) => set(['backend'], event.target.value === '' ? undefined : event.target.value)}
              >
                <option value="">The default of this machine</option>
                {[...new Set([...backends, text('backend')])].filter(Boolean).map((each) => (
                  <option key={each} value={each}>
                    {each}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        {line('Allowed hosts', ['egress', 'allow'], 'One per line: HOST or HOST:PORT; what the CLI itself needs is included', {
          isList: true,
        })}
        {line('Hosts that need your permission', ['egress', 'ask'], 'One per line; * for all others', { isList: true })}
      </div>
      <div className="two">
        {line('Memory', ['limits', 'memory'], 'For example 4GiB')}
        {line('Job timeout', ['limits', 'timeout'], 'For example 30m or 2h')}
        {line('Daily budget in US dollars', ['budgets', 'day', 'usd'], 'When it is used up, the queue waits', { isNumber: true })}
        {line('Monthly budget in US dollars', ['budgets', 'month', 'usd'], '', { isNumber: true })}
      </div>
      <Field label="Notes" hint="For people" problem={problemAt(problems, 'notes')}>
        {(control) => (
          <textarea
            {...control}
            rows={2}
            value={text('notes')}
            onChange={(event) => set(['notes'], event.target.value === '' ? undefined : event.target.value)}
          />
        )}
      </Field>
    </div>
  )
}

/** Returns the lines as typed. The last line may still be empty. */
function listOf(text: string): readonly string[] | undefined {
  return text === '' ? undefined : text.split('\n')
}

function numberOf(text: string): number | string | undefined {
  if (text === '') return undefined
  const value = Number(text)
  // Text that is not a number yet, such as `1.`, stays as typed; the check reports the problem.
  return Number.isNaN(value) || String(value) !== text ? text : value
}
