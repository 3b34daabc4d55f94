import { html, type Markup } from './markup.ts'

/** Returns the start tag of an element that scrolls on a narrow screen and that the keyboard can reach. */
export function scroll(label: string): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">`
}

export function agentWords({ agent, model }: { readonly agent: string; readonly model: string | null }): string {
  return model === null ? agent : `${agent} · ${model}`
}

/** Returns an outcome as a sign, a word and a colour. */
export function state(kind: 'good' | 'bad' | 'none', words: string): Markup {
  return html`<span class="is ${kind}">${words}</span>`
}
