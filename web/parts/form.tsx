import { type ComponentProps, type FormEvent, type ReactNode, useState } from 'react'
import { useAct } from './act.ts'
import { Copy } from './copy.tsx'
import { useDraft } from './draft.ts'
import { Field } from './field.tsx'
import { Notice, Trouble } from './notice.tsx'

/** A field of a form. Its value is a text; that of `checks`, the checked ones with commas. */
export interface FormField<Key extends string> {
  readonly key: Key
  readonly label: string
  readonly hint?: string | ((value: string) => string)
  /** The value at first. */
  readonly start?: string
  readonly isOptional?: true
  /** The values of a selection with their names. */
  readonly options?: readonly (readonly [value: string, name: string])[]
  readonly checks?: readonly string[]
  /** The number of lines of a longer text. */
  readonly lines?: number
  readonly input?: ComponentProps<'input'>
}

/** A value that the server reveals only once. */
export interface Once {
  readonly title: string
  readonly about: string
  readonly value: string
  /** What it is, for the button that copies it. */
  readonly what: string
}

type Values<Key extends string> = Readonly<Record<Key, string>>

interface FormProps<Key extends string> {
  /** The title of the form, which is also its name. */
  readonly title: string
  /** The name of the draft, which survives a reload. Passwords and URLs, which may contain secrets, are not part of it. */
  readonly draft: string
  readonly fields: readonly FormField<Key>[]
  /** The labels of the button: at first, and while the form is sent. */
  readonly act: readonly [label: string, sending: string]
  readonly send: (values: Values<Key>) => Promise<Once | null>
  readonly children?: ReactNode
}

/** A form with a draft, an error of the server, and Cancel. */
export function Form<Key extends string>({
  title,
  draft,
  fields,
  act: [label, sending],
  send,
  children,
  onSent,
  onCancel,
}: FormProps<Key> & { readonly onSent: (once: Once | null) => void; readonly onCancel: () => void }) {
  const [kept, keep, forget] = useDraft(draft)
  const [hidden, setHidden] = useState<Record<string, string>>({})
  const drafted = draftIn(kept)
  const values = Object.fromEntries(
    fields.map((each) => [each.key, (isHidden(each) ? hidden : drafted)[each.key] ?? each.start ?? '']),
  ) as Values<Key>
  const set = (field: FormField<Key>, value: string): void =>
    isHidden(field) ? setHidden({ ...hidden, [field.key]: value }) : keep(JSON.stringify({ ...drafted, [field.key]: value }))
  const sent = useAct(async () => {
    const once = await send(values)
    forget()
    onSent(once)
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    sent.run()
  }
  const shown = ({ key, ...field }: FormField<Key>): ReactNode => (
    <Control key={key} {...field} value={values[key]} set={(value) => set({ key, ...field }, value)} />
  )
  return (
    <form className="stack" aria-label={title} onSubmit={submit}>
      <h2>{title}</h2>
      {sent.problem === null ? null : <Trouble problem={sent.problem} />}
      <div className="two">{fields.filter((each) => !isWide(each)).map(shown)}</div>
      {fields.filter(isWide).map(shown)}
      {children}
      <p className="row">
        <button
          className="btn"
          type="button"
          onClick={() => {
            forget()
            onCancel()
          }}
        >
          Cancel
        </button>
        <button className="btn main end" type="submit" disabled={sent.isSending}>
          {sent.isSending ? sending : label}
        </button>
      </p>
    </form>
  )
}

const isHidden = ({ input }: FormField<string>): boolean => input?.type === 'password' || input?.type === 'url'
const isWide = ({ checks, lines }: FormField<string>): boolean => checks !== undefined || lines !== undefined

/** Returns the values of a draft; none if it was cut off. */
function draftIn(text: string): Record<string, string> {
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch {
    return {}
  }
}

function Control({
  label,
  hint,
  isOptional,
  options,
  checks,
  lines,
  input,
  value,
  set,
}: Omit<FormField<string>, 'key'> & { readonly value: string; readonly set: (value: string) => void }) {
  const more = { required: isOptional !== true, value }
  const onChange = (event: { readonly target: { readonly value: string } }): void => set(event.target.value)
  if (checks !== undefined) return <Checks label={label} all={checks} checked={value === '' ? [] : value.split(',')} set={set} />
  return (
    <Field label={label} hint={typeof hint === 'function' ? hint(value) : hint}>
      {(control) =>
        options !== undefined ? (
          <select {...control} value={value} onChange={onChange}>
            {options.map(([each, name]) => (
              <option key={each} value={each}>
                {name}
              </option>
            ))}
          </select>
        ) : lines !== undefined ? (
          <textarea {...control} {...more} rows={lines} onChange={onChange} />
        ) : (
          <input autoComplete="off" {...input} {...control} {...more} onChange={onChange} />
        )
      }
    </Field>
  )
}

function Checks({
  label,
  all,
  checked,
  set,
}: {
  readonly label: string
  readonly all: readonly string[]
  readonly checked: readonly string[]
  readonly set: (value: string) => void
}) {
  return (
    <details>
      <summary className="small">
        {label}: {checked.join(', ') || 'none'}
      </summary>
      <div className="three small">
        {all.map((each) => (
          <label key={each} className="row">
            <input
              type="checkbox"
              checked={checked.includes(each)}
              onChange={({ target }) => set(all.filter((one) => (one === each ? target.checked : checked.includes(one))).join(','))}
            />
            {each}
          </label>
        ))}
      </div>
    </details>
  )
}

/**
 * A button that opens a form for something new, and the value that the server reveals once. `about`: a note beside the button. The form is
 * open at first if it has a draft.
 */
export function New<Key extends string>({ about, ...form }: FormProps<Key> & { readonly about?: ReactNode }) {
  const [draft] = useDraft(form.draft)
  const [isOpen, setOpen] = useState(draft !== '')
  const [once, setOnce] = useState<Once | null>(null)
  return (
    <>
      {once === null ? null : (
        <Notice
          tone="good"
          actions={
            <>
              <Copy text={once.value} label={`Copy the ${once.what}`} />
              <button className="btn" type="button" onClick={() => setOnce(null)}>
                Done
              </button>
            </>
          }
        >
          <b>{once.title}</b> {once.about} It will not be shown again: <code className="any">{once.value}</code>
        </Notice>
      )}
      {isOpen ? (
        <section className="card pad">
          <Form
            {...form}
            onCancel={() => setOpen(false)}
            onSent={(made) => {
              setOpen(false)
              setOnce(made)
            }}
          />
        </section>
      ) : (
        <div className="row">
          <p className="soft grow">{about}</p>
          <button className="btn" type="button" onClick={() => setOpen(true)}>
            <i className="i i-plus" />
            {form.title}
          </button>
        </div>
      )}
    </>
  )
}
