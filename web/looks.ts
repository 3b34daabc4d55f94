/** The look of pages in this browser: attributes of the root element, their keys in the storage, and their values. Empty: the default. */
export const looks = {
  theme: { title: 'Theme', key: 'theme', values: { '': 'As the system', light: 'Light', dark: 'Dark' } },
  density: { title: 'Rows', key: 'paddock.density', values: { '': 'Compact', comfortable: 'Comfortable' } },
  terminal: { title: 'Terminal', key: 'paddock.terminal', values: { '': 'Dark in both themes', theme: 'As the theme' } },
} as const
export type Look = keyof typeof looks
