import { html, type Markup } from './markup.ts'

/** The start of what a narrow screen scrolls; a keyboard reaches it. */
export function scroll(label: string): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">`
}

export function agentWords({ agent, model }: { readonly agent: string; readonly model: string | null }): string {
  return model === null ? agent : `${agent} · ${model}`
}

/** An outcome: a sign, a word and a colour. */
export function state(kind: 'good' | 'bad' | 'none', words: string): Markup {
  return html`<span class="is ${kind}">${words}</span>`
}
