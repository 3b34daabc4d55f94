import { type ReactNode, useId } from 'react'
import { Commands } from './commands.tsx'

/** A labelled control with a hint under it, which an error replaces. `children` gets the attributes that link the control to them. */
export function Field({
  label,
  hint,
  problem = null,
  children,
}: {
  readonly label: string
  readonly hint?: ReactNode
  readonly problem?: string | null
  readonly children: (control: { readonly id: string; readonly 'aria-invalid'?: true; readonly 'aria-describedby': string }) => ReactNode
}) {
  const id = useId()
  const about = `${id}-about`
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, ...(problem === null ? {} : { 'aria-invalid': true as const }), 'aria-describedby': about })}
      <p id={about} className={problem === null ? 'hint' : 'err'}>
        {problem === null ? (
          hint
        ) : (
          <>
            <i className="i i-fail" />
            <Commands in={problem} />
          </>
        )}
      </p>
    </div>
  )
}
