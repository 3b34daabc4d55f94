import { type FormEvent, useState } from 'react'
import { signIn } from '../page-session.ts'
import { Field } from '../parts/field.tsx'

/** Signs in with a token, for cases in which `paddock open` cannot be run on the machine. The field is cleared after each attempt. */
export function TokenForm({ onIn }: { readonly onIn: () => void }) {
  const [token, setToken] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [isTrying, setTrying] = useState(false)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setTrying(true)
    setProblem(null)
    void signIn({ token: token.trim() })
      .catch((error: Error) => error.message)
      .then((found) => {
        setTrying(false)
        setToken('')
        setProblem(found)
        if (found === null) onIn()
      })
  }
  return (
    <form className="card pad stack" onSubmit={submit}>
      <Field label="Or use a token" problem={problem}>
        {(control) => (
          <input
            {...control}
            className="input"
            type="password"
            autoComplete="off"
            maxLength={512}
            required
            value={token}
            onChange={(event) => setToken(event.target.value)}
          />
        )}
      </Field>
      <button className="btn primary" type="submit" disabled={isTrying || token.trim() === ''}>
        Sign in
      </button>
      <p className="soft small">After 10 failures in a minute, this address must wait a minute.</p>
    </form>
  )
}
