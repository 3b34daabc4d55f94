import { commandsIn } from './command-text.ts'
import { visible } from './visible.ts'

/** A hint or an error of the server, with its commands as code. The content is always shown as text. */
export function Commands({ in: text }: { readonly in: string }) {
  return (
    <bdi>
      {commandsIn(text).map((each, n) =>
        each.isCommand ? (
          <code key={n} className="any">
            {visible(each.text)}
          </code>
        ) : (
          visible(each.text)
        ),
      )}
    </bdi>
  )
}
