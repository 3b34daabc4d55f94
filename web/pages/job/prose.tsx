import { lazy, Suspense } from 'react'
import { Foreign } from '../../parts/text.tsx'
import { Output } from './output.tsx'

const Markdown = lazy(async () => ({ default: (await import('../../parts/markdown.tsx')).Markdown }))
/** The length in characters above which texts are not parsed as Markdown. */
const longest = 20_000

/** The text of an agent. */
export function Prose({ text }: { readonly text: string }) {
  if (text.length > longest) return <Output text={text} cap="Text" />
  return (
    <Suspense fallback={<Foreign>{text}</Foreign>}>
      <Markdown text={text} />
    </Suspense>
  )
}
