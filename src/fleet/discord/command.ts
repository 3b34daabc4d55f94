import type { PostAbout } from '../store/discord-posts.ts'

/** A user's request to an agent. */
export type Command =
  | { readonly kind: 'help' | 'status' }
  | { readonly kind: 'prompt'; readonly prompt: string }
  | { readonly kind: 'message'; readonly job: string; readonly prompt: string }
  /** `job` is null for the running job. */
  | { readonly kind: 'stop'; readonly job: string | null }
  | { readonly kind: 'answer'; readonly question: string; readonly text: string }
  /** A message without a command or a prompt. */
  | { readonly kind: 'empty' }

const [stop, answer] = [/^stop(?:\s+(j-[0-9a-z]{20}))?$/i, /^answer\s+([A-Za-z0-9-]{1,64})\s+(\S.*)$/is]

/** Returns the request in a message. Text that is not a command is a prompt. In a reply, the prompt is for the subject of that post. */
export function commandIn(text: string, about: PostAbout | null): Command {
  if (text === '') return { kind: about === null ? 'help' : 'empty' }
  if (/^(?:help|status)$/i.test(text)) return { kind: text.toLowerCase() as 'help' | 'status' }
  const stopped = stop.exec(text)
  if (stopped !== null) return { kind: 'stop', job: stopped[1]?.toLowerCase() ?? (about === null ? null : about.job) }
  const answered = answer.exec(text)
  if (answered !== null) return { kind: 'answer', question: answered[1] ?? '', text: answered[2] ?? '' }
  if (about === null) return { kind: 'prompt', prompt: text }
  return 'question' in about ? { kind: 'answer', question: about.question, text } : { kind: 'message', job: about.job, prompt: text }
}
