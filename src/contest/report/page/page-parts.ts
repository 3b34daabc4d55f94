import { html, type Markup } from './markup.ts'

/** Returns the start tag of a container that scrolls on a narrow screen and can be focused with the keyboard. */
export function scroll(label: string): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">`
}

export function agentWords({ agent, model }: { readonly agent: string; readonly model: string | null }): string {
  return model === null ? agent : `${agent} · ${model}`
}

/** Returns a participant's name with its agent below. */
export function agentLine(each: Parameters<typeof agentWords>[0] & { readonly name: string }): Markup {
  return html`${each.name}<br><span class="soft small">${agentWords(each)}</span>`
}

/** Returns an outcome with a symbol, a text and a colour. */
export function state(kind: 'good' | 'bad' | 'none', words: string): Markup {
  return html`<span class="is ${kind}">${words}</span>`
}
