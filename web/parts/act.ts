import { useState } from 'react'

/** An action that is sent to the server, with its progress and its error. Nothing is shown as done before the server confirms it. */
export interface Act<Args extends readonly unknown[]> {
  readonly run: (...args: Args) => void
  readonly isSending: boolean
  readonly problem: string | null
  readonly forget: () => void
}

export function useAct<Args extends readonly unknown[]>(act: (...args: Args) => Promise<void>): Act<Args> {
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const run = (...args: Args): void => {
    if (isSending) return
    setSending(true)
    setProblem(null)
    act(...args).then(
      () => setSending(false),
      (error: Error) => {
        setSending(false)
        setProblem(problemOf(error))
      },
    )
  }
  return { run, isSending, problem, forget: () => setProblem(null) }
}

/** Returns the error message, and the fix if the server gave a hint. */
export function problemOf({ message, hint }: Error & { readonly hint?: string | null }): string {
  return hint == null ? message : `${message} ${hint}`
}
